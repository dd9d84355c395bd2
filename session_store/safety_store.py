"""The port of the crisis path; it has a module of its own, as its rpcs and doors need no other."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import SafetyCount, SafetyEvent, SafetyState
from session_store.records import Page, SafetyAlert, SafetyClosing, SafetyFilter, SafetyStep


class SafetyStore(Protocol):
    """The crisis path outside a turn: what was found, operators' decisions, alerts."""

    async def get_safety(self, key: SessionKey) -> SafetyState:
        """Return where the session is on the path; NotFound where there is none."""

    async def list_safety_events(
        self, tenant: str, page: Page, wanted: SafetyFilter
    ) -> tuple[list[SafetyEvent], str]:
        """Return safety events, newest first, and the next page's token."""

    async def acknowledge_safety(
        self, tenant: str, safety_event_id: str, *, operator: str, note: str
    ) -> SafetyEvent:
        """Note that an operator has seen an event; a later one changes nothing; or NotFound."""

    async def close_safety(
        self, key: SessionKey, closing: SafetyClosing
    ) -> tuple[SafetyState, tuple[SessionEvent, ...]]:
        """Lower the level by an operator, and return the state and what was emitted.

        Where it is as low already nothing changes. A turn that runs meanwhile may raise it again.
        """

    async def record_refused(
        self, key: SessionKey, client_message_id: str, step: SafetyStep
    ) -> bool:
        """Keep the hit of a refused input and its alert, once per id; False: it is kept already.

        The session's state stays: nothing of the input is part of its conversation.
        """

    async def safety_report(self, tenant: str, since: datetime) -> tuple[SafetyCount, ...]:
        """Return counts by month, level, source and language, from the month of `since` on."""

    async def claim_alerts(self, owner: str, limit: int, ttl: timedelta) -> tuple[SafetyAlert, ...]:
        """Claim alerts that are due, the longest waiting first; none of another live claim."""

    async def alert_delivered(self, key: SessionKey, safety_event_id: str) -> None:
        """Note that the receiver took the alert; an erased session has nothing to note."""

    async def alert_failed(
        self, key: SessionKey, safety_event_id: str, *, reason: str, pause: timedelta
    ) -> None:
        """Count a failed delivery and free the alert after `pause`; a delivered one stays so."""

    async def count_undelivered_alerts(self) -> int:
        """Return how many alerts wait for their delivery, of all tenants."""
