"""Asks for a recommendation beside a round; no message waits longer for one than is allowed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from executor_service.strategy.profile import StrategyProfile, StrategyProfiles
from executor_service.strategy.recommendation import StrategyDecisionEngine
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyContext, StrategyRecommendation
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore

#: Late recommendations a process holds: each is one text, and a client may never come back.
_MOST_LATE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingRound:
    """The round of an action instance that asks for a recommendation."""

    action_instance_id: str
    number: int


class LateRecommendations:
    """Recommendations that outlived their round, until the next round of the action takes them.

    They are in this process alone: after a crash, and in another process, the round asks anew.
    """

    def __init__(self) -> None:
        """Hold none."""
        self._held: OrderedDict[tuple[SessionKey, str], tuple[int, Asked]] = OrderedDict()

    def keep(self, session: SessionKey, asking: AskingRound, asked: Asked) -> None:
        """Hold a recommendation; beyond the limit the oldest is given up."""
        self._held[session, asking.action_instance_id] = asking.number, asked
        while len(self._held) > _MOST_LATE:
            _, (_, oldest) = self._held.popitem(last=False)
            oldest.cancel()

    def take(self, session: SessionKey, asking: AskingRound) -> Asked | None:
        """Return what an earlier round of the instance asked for.

        What a round asked that was taken back since, by a retry, is given up.
        """
        number, asked = self._held.pop((session, asking.action_instance_id), (0, None))
        if asked is not None and number >= asking.number:
            asked.cancel()
            return None
        return asked

    async def aclose(self) -> None:
        """Give all of them up."""
        held = [asked for _, asked in self._held.values()]
        self._held.clear()
        await asyncio.gather(*(asked.drop([]) for asked in held))


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategies:
    """What all recommendations of a process have in common."""

    enabled: bool = True
    """False: no model is asked, whatever script, session and action set."""
    wait_s: float = 4.0
    """How long the first words wait for one."""
    timeout_s: float = 10.0
    """How long one may take; a late one serves the next round."""
    profiles: StrategyProfiles = field(default_factory=StrategyProfiles)
    late: LateRecommendations = field(default_factory=LateRecommendations)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyAdviser:
    """Begins recommendations for the actions of one attempt of a turn."""

    model: ChatModel
    templates: TemplateStore
    ledger: list[LLMDebugInfo]
    """Gets the model calls, once a recommendation has ended."""
    session: SessionKey
    scheme: str = ""
    strategies: Strategies

    @property
    def profile(self) -> StrategyProfile:
        """Which variables describe the client."""
        return self.strategies.profiles.get(self.scheme)

    async def begin(self, context: StrategyContext, *, patient: bool) -> Asked:
        """Ask the model; a patient caller gets the answer with it, if it comes within the limit."""
        asked = Asked(self, context)
        try:
            await asked.begun(self.strategies.wait_s if patient else None)
        except asyncio.CancelledError:
            await asked.drop(self.ledger)
            raise
        return asked

    def take_late(self, asking: AskingRound) -> Asked | None:
        """Return the recommendation that came, or is to come, too late for the round before."""
        return self.strategies.late.take(self.session, asking)

    async def end(self, asked: Asked, asking: AskingRound, *, needed: bool) -> Answer:
        """Return what came by now; what is still needed and on its way serves the next round.

        Nothing waits here: the message was sent, and is to be committed.
        """
        if needed and asked.running:
            self.strategies.late.keep(self.session, asking, asked)
            return Answer(context=asked.context, running=True, degradations=asked.lateness())
        await asked.drop(self.ledger)
        return Answer(
            context=asked.context,
            recommendation=asked.recommendation,
            degradations=asked.degradations(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How the asking stands at the end of a round."""

    context: StrategyContext
    recommendation: StrategyRecommendation | None = None
    running: bool = False
    """True while the model still writes: the next round may take it."""
    degradations: tuple[Degradation, ...] = ()


class Asked:
    """One recommendation on its way, and then what came of it."""

    def __init__(self, adviser: StrategyAdviser, context: StrategyContext) -> None:
        """Begin to ask."""
        self.context = context
        self._calls: list[LLMDebugInfo] = []
        self._failure = ""
        self._late = False
        self._task = asyncio.create_task(self._ask(adviser))

    @property
    def running(self) -> bool:
        """Whether the model still writes."""
        return not self._task.done()

    @property
    def recommendation(self) -> StrategyRecommendation | None:
        """What came so far; None while the model writes, and where it failed."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.result()

    async def begun(self, wait_s: float | None) -> None:
        """Return once the call is sent, and with a limit: when the answer is there or it is over.

        An answer that did not come within the limit is late.
        """
        await asyncio.sleep(0)
        if wait_s:
            await asyncio.wait({self._task}, timeout=wait_s)
        self._late = wait_s is not None and not self._task.done()

    def cancel(self) -> None:
        """Give it up without waiting for the end of its call."""
        self._task.cancel()

    async def drop(self, ledger: list[LLMDebugInfo]) -> None:
        """Ask no longer; the calls are in the ledger afterwards."""
        self._task.cancel()
        await asyncio.wait({self._task})
        ledger.extend(self._calls)
        self._calls.clear()

    def degradations(self) -> tuple[Degradation, ...]:
        """Return why there is no recommendation, or that it came late; each is reported once."""
        if not self._failure:
            return self.lateness()
        metadata = {"cause": self._failure}
        return (Degradation(stage="strategy", reason="NO_STRATEGY", metadata=metadata),)

    def lateness(self) -> tuple[Degradation, ...]:
        """Return, once, that the first words waited in vain."""
        late, self._late = self._late, False
        return (Degradation(stage="strategy", reason="STRATEGY_LATE"),) if late else ()

    async def _ask(self, adviser: StrategyAdviser) -> StrategyRecommendation | None:
        engine = StrategyDecisionEngine(
            adviser.model, adviser.templates, calls=self._calls, scheme=adviser.scheme
        )
        try:
            async with asyncio.timeout(adviser.strategies.timeout_s):
                return await engine.generate_strategy_prompt(self.context)
        except TimeoutError:
            self._failure = "STRATEGY_TIMED_OUT"
        except HeartRuleError as error:
            self._failure = error.reason
        return None
