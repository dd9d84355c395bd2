"""The advice a round goes by: the snapshot's, or one a script lets the turn wait for."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from executor_service.monitoring.pacing import Pace
from heartrule.chassis.telemetry import Attribute
from heartrule.domain.monitoring import Advice
from session_store.records import ActionInstance, MonitorTicket, TurnSnapshot

AwaitAdvice: TypeAlias = Callable[[MonitorTicket, float], Awaitable[Advice | None]]
"""Returns the advice on a round within so many seconds; None where none comes."""


async def nobody_advises(_ticket: MonitorTicket, _seconds: float) -> Advice | None:
    """Return None at once."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What a round goes by."""

    advice: Advice | None
    waited_ms: int | None = None
    """None where nobody waited."""

    def attributes(self) -> dict[str, Attribute]:
        """Return what the action's span tells of the wait."""
        if self.waited_ms is None:
            return {}
        return {"heartrule.advice_wait_ms": self.waited_ms}


UNADVISED = Advised(advice=None)
"""An opening, which judges nothing."""


class Waits(Protocol):
    """What waits for an analysis."""

    @property
    def await_advice(self) -> AwaitAdvice:
        """Waits for one."""


async def advised(
    known: Advice | None, instance: ActionInstance, pace: Pace, *, turn: TurnSnapshot, deps: Waits
) -> Advised:
    """Return the newest advice for a round, after the wait its pace grants for the one before."""
    before = instance.round - 1
    if not pace.wait_ms or before < 1 or (known is not None and known.about_round >= before):
        return Advised(advice=known)
    begun = time.monotonic()
    ticket = MonitorTicket(
        key=turn.lease.key, action_instance_id=instance.action_instance_id, round=before
    )
    found = await deps.await_advice(ticket, pace.wait_ms / 1000)
    waited = round((time.monotonic() - begun) * 1000)
    return Advised(advice=found or known, waited_ms=waited)
