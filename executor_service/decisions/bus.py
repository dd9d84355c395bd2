"""The events of a decision while it is handled: made, then validated or rejected (section 6).

In one process and in memory; what is kept of them is written with the step that handled them.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias, TypeVar
from uuid import uuid4

from heartrule.domain.decisions import Correction, Decision, FindingCode, RuleFinding, Verdict
from heartrule.domain.errors import QuotaSpent
from heartrule.domain.json_value import JsonValue

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMadeEvent(Decision):
    """Somebody decided; nothing may happen yet."""

    decision_id: str = field(default_factory=lambda: uuid4().hex)
    correlation_id: str = ""
    """Empty: it replaces no other."""

    @classmethod
    def of(cls, decision: Decision) -> DecisionMadeEvent:
        """Return the event of a decision."""
        return cls(**{each.name: getattr(decision, each.name) for each in fields(decision)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionValidatedEvent:
    """A decision may take effect: what executors listen to, and nothing else (RESOLUTIONS D12)."""

    decision: Decision
    payload: JsonValue
    """The effective one."""
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRejectedEvent:
    """A decision has no effect; whoever made it may make another."""

    decision: Decision
    errors: tuple[RuleFinding, ...]


Outcome: TypeAlias = DecisionValidatedEvent | DecisionRejectedEvent
Event: TypeAlias = DecisionMadeEvent | Outcome
E = TypeVar("E", DecisionMadeEvent, DecisionValidatedEvent, DecisionRejectedEvent)
Middleware: TypeAlias = Callable[[DecisionMadeEvent], Awaitable[Verdict | None]]
"""Judges a decision as the one before it left it; None: it has no say in it."""


class EventBus:
    """Hands events to those who asked for their type, and decisions to the middleware first."""

    def __init__(self) -> None:
        """Begin with no subscriber and no middleware: then every decision is rejected."""
        self._handlers: dict[type, list[Callable[[Any], Awaitable[None]]]] = defaultdict(list)
        self._middleware: list[Middleware] = []
        self._outcomes: dict[str, Outcome] = {}

    def subscribe(self, event_type: type[E], handler: Callable[[E], Awaitable[None]]) -> None:
        """Call the handler with each event of this type, behind those that came before it."""
        self._handlers[event_type].append(handler)

    def add_middleware(self, middleware: Middleware) -> None:
        """Ask it for its verdict, behind those that came before it."""
        self._middleware.append(middleware)

    async def publish(self, event: Event) -> None:
        """Hand an event to its subscribers; of a decision, its one outcome too.

        A decision whose id has an outcome is not judged again (RESOLUTIONS D20).

        Raises:
            QuotaSpent: Who judges is busy. The decision has no outcome, and may be published again.
        """
        if not isinstance(event, DecisionMadeEvent):
            await self._hand_out(event)
        elif event.decision_id not in self._outcomes:
            await self._hand_out(event)
            outcome = await self._judged(event)
            self._outcomes[event.decision_id] = outcome
            await self._hand_out(outcome)

    async def _judged(self, event: DecisionMadeEvent) -> Outcome:
        current, is_judged = event, False
        corrections: tuple[Correction, ...] = ()
        for middleware in self._middleware:
            try:
                verdict = await middleware(current)
            except QuotaSpent:
                raise
            except Exception as error:  # noqa: BLE001 - what raises has allowed nothing (D21)
                _log.error("middleware raised", extra={"error": type(error).__name__})
                return _refused(event, "a middleware could not judge this decision")
            if verdict is None:
                continue
            if not verdict.is_valid:
                return DecisionRejectedEvent(decision=event, errors=verdict.errors)
            is_judged, corrections = True, (*corrections, *verdict.corrections)
            if verdict.payload is not current.payload:
                current = replace(current, payload=verdict.payload)
        if not is_judged:
            return _refused(event, "nobody judged this decision")
        return DecisionValidatedEvent(
            decision=event, payload=current.payload, corrections=corrections
        )

    async def _hand_out(self, event: Event) -> None:
        for handler in tuple(self._handlers[type(event)]):
            try:
                await handler(event)
            except Exception as error:  # noqa: BLE001 - of one subscriber, not of the next (D21)
                _log.error("subscriber raised", extra={"error": type(error).__name__})


def _refused(event: DecisionMadeEvent, message: str) -> DecisionRejectedEvent:
    finding = RuleFinding(FindingCode.VALIDATOR_ERROR, "", message, "6.1 middleware")
    return DecisionRejectedEvent(decision=event, errors=(finding,))
