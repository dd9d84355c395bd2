"""Monitor requests and advice. Every method is one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from heartrule.domain.events import SessionEvent
from session_store.records import AnalysisRecord, MonitorTicket, MonitorWork, PendingAnalysis


class MonitorStore(Protocol):
    """Monitor requests and advice."""

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests that are free; after two claims that died in a row, as `exhausted`."""

    async def look_for_advice(self, ticket: MonitorTicket) -> PendingAnalysis:
        """Return whether the round's analysis is to come, and its pending advice."""

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Write analysis, advice, ledger and state in one transaction; done already: nothing.

        An advice for an instance that has ended is stored as expired; one about a lower round
        than a newer advice as superseded, as are older pending ones. `claim_planning` finds debts.
        """
