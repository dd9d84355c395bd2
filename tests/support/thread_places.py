"""The checkpoints of a thread by what they write, and a store that stops behind one of them."""

from __future__ import annotations

import asyncio
from typing import Any

from heartrule.domain.thread_changes import (
    MessagesRemoved,
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from session_store.records.threads import ThreadCheckpoint

RESULT_COMMITTED = "result_committed"
PLACES = (
    "thread_opened",
    "placeholder_written",
    "message_written",
    "phase_suggested",
    "phase_moved",
    "nested_ended",
    "result_in_place",
    RESULT_COMMITTED,
)
"""In the order in which a nested thread comes by them."""


def places_of(written: ThreadCheckpoint) -> frozenset[str]:
    """Return what a checkpoint has written."""
    return frozenset(_place(each) for each in written.writes)


def _place(write: ThreadWrite) -> str:
    match write:
        case NewThread():
            return "thread_opened"
        case MessageWritten(message=message, replaces=replaces):
            if replaces:
                return "result_in_place"
            return "placeholder_written" if message.is_placeholder else "message_written"
        case SettingsWritten(settings=settings):
            return "phase_suggested" if settings.suggested_phase else "phase_moved"
        case ThreadEnd():
            return "nested_ended"
        case MessagesRemoved():
            return "message_removed"


class HeldStore:
    """A store that holds a run behind a checkpoint of a place; what it wrote is durable."""

    def __init__(self, store: Any, place: str, *, at_visit: int = 1) -> None:
        """Hold at that visit of the place; then everything goes on once `go_on` is set."""
        self._store, self._place, self._left = store, place, at_visit
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def checkpoint(self, lease: Any, written: ThreadCheckpoint) -> Any:
        """Write, and wait where this is the place."""
        done = await self._store.checkpoint(lease, written)
        await self._visit(places_of(written))
        return done

    async def finish_thread(self, lease: Any, end: Any) -> Any:
        """Likewise, behind the end of a run."""
        done = await self._store.finish_thread(lease, end)
        await self._visit(frozenset({RESULT_COMMITTED}))
        return done

    async def _visit(self, places: frozenset[str]) -> None:
        if self._place not in places:
            return
        self._left -= 1
        if self._left == 0:
            self.reached.set()
            await self.go_on.wait()
