"""GoingBackStore over tables."""

from __future__ import annotations

from session_store.memory.fork import fork_session
from session_store.memory.rewind import retry_turn
from session_store.memory.rows import Tables
from session_store.records import Fork, Forked, Retried, Retry


class MemoryGoingBack:
    """Forks, and turns taken back; each method runs without an await, hence alone."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def fork_session(self, fork: Fork) -> Forked:
        """Make a session that stands where another stood after one of its turns; see the port."""
        return fork_session(self._tables, fork)

    async def retry_turn(self, retry: Retry) -> Retried:
        """Take the last turn back and store its message again; see the port."""
        return retry_turn(self._tables, retry)
