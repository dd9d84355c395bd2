"""Numbering and reading durable events; the in-memory store keeps them as they were told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.event_drafts import EventDraft, numbered
from session_store.memory.rows import SessionRow, Tables


def tell(tables: Tables, row: SessionRow, drafts: Sequence[EventDraft]) -> tuple[SessionEvent, ...]:
    """Give the drafts the session's next numbers, keep them, and return them."""
    now = tables.now()
    first = row.last_sequence + 1
    events = numbered(drafts, session_id=row.new.key.session_id, first=first, now=now)
    row.events.extend(events)
    row.last_sequence += len(events)
    row.update_time = now
    return events


class MemoryEvents:
    """EventStore over tables; no other process writes them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def read_events(
        self, key: SessionKey, after: int, limit: int = 500
    ) -> tuple[SessionEvent, ...]:
        """Return events with sequence > `after`, in order; NotFound for a deleted session."""
        return tuple(self._tables.session(key).events[max(after, 0) :][:limit])

    async def read_turn(self, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
        """Return a turn's events of all attempts, its InputAccepted first; NotFound if unknown."""
        row = self._tables.session(key)
        turn = row.turns.get(turn_id) or row.taken_back.get(turn_id)
        if turn is None:
            raise NotFound("turn", turn_id)
        inputs = {message.sequence for message in turn.inputs}
        return tuple(
            event for event in row.events if event.turn_id == turn_id or event.sequence in inputs
        )

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """End at once: nobody else writes here."""
        nobody: tuple[SessionKey, ...] = ()
        for key in nobody:
            yield key
