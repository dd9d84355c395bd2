"""The coordinator on a bus: it judges every decision that is made there (section 6.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.decisions.bus import DecisionMadeEvent, EventBus, Middleware
from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from heartrule.domain.decisions import Decision, DecisionType, Verdict
from heartrule.domain.json_value import JsonValue

_EMPTY = Ground()
Judging: TypeAlias = Callable[[Decision, Ground, DecisionPolicy], Awaitable[Verdict]]
"""Returns the verdict on a decision."""


async def judged_here(decision: Decision, ground: Ground, policy: DecisionPolicy) -> Verdict:
    """Return the verdict on a decision; nothing else happens meanwhile."""
    return judge(decision, ground, policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedDecision:
    """A type and a payload, to ask what the gate would make of them."""

    type: DecisionType
    payload: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """The verdict on a proposed decision, errors as sentences."""

    is_valid: bool
    errors: tuple[str, ...]


class CoordinatorAgent:
    """Judges decisions by one ground and one policy."""

    def __init__(
        self,
        event_bus: EventBus | None = None,
        *,
        ground: Ground = _EMPTY,
        policy: DecisionPolicy = NO_POLICY,
        judging: Judging = judged_here,
    ) -> None:
        """Begin beside a bus; `as_middleware` is what judges there, by `judging`."""
        self.event_bus = event_bus
        self._ground = ground
        self._policy = policy
        self._judging = judging

    def validate_decision(self, proposed: ProposedDecision) -> ValidationResult:
        """Return what the gate would say; nothing is published."""
        made = DecisionMadeEvent(decision_type=proposed.type, payload=proposed.payload)
        verdict = judge(made, self._ground, self._policy)
        errors = tuple(error.message for error in verdict.errors)
        return ValidationResult(is_valid=verdict.is_valid, errors=errors)

    def as_middleware(self) -> Middleware:
        """Return what a bus asks for the verdict on each decision."""

        async def judged(event: DecisionMadeEvent) -> Verdict:
            return await self._judging(event, self._ground, self._policy)

        return judged
