"""The durable events of a session. Every method is one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey


class EventStore(Protocol):
    """The durable events of a session."""

    async def read_events(
        self, key: SessionKey, after: int, limit: int = 500
    ) -> tuple[SessionEvent, ...]:
        """Return events with sequence > `after`, in order; NotFound for a deleted session."""

    async def read_turn(self, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
        """Return a turn's events from its inputs' InputAccepted to its last, in order."""

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none.

        None means that some may have been missed: any session may have changed.
        """
