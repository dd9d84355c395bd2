"""One decision on a bus: made, judged, executed (document 002, section 6.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.bus import (
    DecisionMadeEvent,
    DecisionRejectedEvent,
    DecisionValidatedEvent,
    EventBus,
)
from executor_service.decisions.coordinator_agent import CoordinatorAgent
from executor_service.decisions.effects import SAID_BY, Effect, identified, shown
from executor_service.decisions.ground import Ground
from executor_service.decisions.judging import AwaitedJudge, Judgement
from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import Decision, DecisionType, FindingCode, RuleFinding, Verdict
from heartrule.domain.json_value import JsonValue

Utterable: TypeAlias = Callable[[str, str], RuleFinding | None]
"""Returns why the text of a payload's field may not be said; None where it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionHandler:
    """Judges and executes the decisions of one agent."""

    known: AgentGround
    allowed: Collection[str]
    """The types that the script allows."""
    utterable: Utterable
    judging: AwaitedJudge
    """QuotaSpent: too much is being judged."""
    new_id: Callable[[str], str]

    async def handle(self, decision: Decision) -> Judgement:
        """Publish a decision and return what the bus made of it.

        Nothing is executed without a verdict. One whose executor fails is rejected
        (RESOLUTIONS D21).

        Raises:
            QuotaSpent: Too much is being judged: nothing became of it, and it may come again.
        """
        bus, heard = EventBus(), _Heard(self)
        coordinator = CoordinatorAgent(
            bus, ground=self.known.ground, policy=self.known.policy, judging=heard.judge
        )
        for middleware in (self._allows, coordinator.as_middleware(), self._may_be_said):
            bus.add_middleware(middleware)
        bus.subscribe(DecisionValidatedEvent, heard.execute)
        bus.subscribe(DecisionRejectedEvent, heard.reject)
        await bus.publish(DecisionMadeEvent.of(decision))
        if heard.handled is not None:
            return heard.handled
        code, message = FindingCode.VALIDATOR_ERROR, "this decision could not be executed"
        return Judgement(verdict=refusal(decision.payload, code, message, "executors"))

    async def _allows(self, event: DecisionMadeEvent) -> Verdict | None:
        if event.decision_type in self.allowed or event.decision_type not in set(DecisionType):
            return None
        listed = ", ".join(self.allowed)
        message = f"action_type is {event.decision_type!r}; this action allows: {listed}"
        finding = RuleFinding(FindingCode.BAD_ENUM, "action_type", message, "allowed_decisions")
        return Verdict.refusing(event.payload, finding)

    async def _may_be_said(self, event: DecisionMadeEvent) -> Verdict | None:
        name = SAID_BY.get(DecisionType(event.decision_type))
        if name is None or not isinstance(event.payload, Mapping):
            return None
        said = [(name, str(event.payload[name])), *_options(event.payload)]
        found = (self.utterable(path, text) for path, text in said)
        finding = next(filter(None, found), None)
        return Verdict.refusing(event.payload, finding) if finding else None


class _Heard:
    """What becomes of one decision; an effect is taken up for one that was validated alone."""

    def __init__(self, handler: DecisionHandler) -> None:
        self._handler = handler
        self._effect: Effect | None = None
        self.handled: Judgement | None = None

    async def judge(self, decision: Decision, ground: Ground, policy: DecisionPolicy) -> Verdict:
        # The effect is worked out where the decision is judged, as that reads the payload anyway.
        found = await self._handler.judging(decision, ground, policy)
        self._effect = found.effect
        return found.verdict

    async def execute(self, event: DecisionValidatedEvent) -> None:
        if self._effect is None:
            return
        verdict = Verdict(is_valid=True, payload=event.payload, corrections=event.corrections)
        effect = identified(self._effect, self._handler.new_id)
        self.handled = Judgement(verdict=verdict, effect=effect)

    async def reject(self, event: DecisionRejectedEvent) -> None:
        self.handled = Judgement(verdict=Verdict.refusing(event.decision.payload, *event.errors))


def refusal(payload: JsonValue, code: FindingCode, message: str, rule: str) -> Verdict:
    """Return the verdict on a decision that is refused before anybody judges it."""
    return Verdict.refusing(payload, RuleFinding(code, "", message, rule))


def _options(payload: Mapping[str, JsonValue]) -> list[tuple[str, str]]:
    """Return the path and the text of each answer that a question would show."""
    options = payload.get("options")
    given = [str(each) for each in options] if isinstance(options, list | tuple) else []
    return [(f"options.{given.index(each)}", each) for each in shown(given)]
