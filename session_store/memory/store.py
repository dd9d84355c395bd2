"""The in-memory store, whole."""

from __future__ import annotations

import time
from collections.abc import Callable

from session_store.memory.assets import MemoryAssets
from session_store.memory.ending import MemoryEnding
from session_store.memory.events import MemoryEvents
from session_store.memory.going_back import MemoryGoingBack
from session_store.memory.histories import MemoryHistories
from session_store.memory.monitor import MemoryMonitor
from session_store.memory.plans import MemoryPlans
from session_store.memory.rows import Tables
from session_store.memory.scripts import MemoryScripts
from session_store.memory.sessions import MemorySessions
from session_store.memory.stops import MemoryStops
from session_store.memory.turns import MemoryTurns


class InMemoryStore(
    MemoryScripts,
    MemoryAssets,
    MemorySessions,
    MemoryEvents,
    MemoryHistories,
    MemoryEnding,
    MemoryGoingBack,
    MemoryTurns,
    MemoryMonitor,
    MemoryPlans,
    MemoryStops,
):
    """Store of one process that keeps nothing; `clock` gives seconds since the epoch."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__(Tables(clock))

    async def start(self) -> None:
        """Do nothing: there is nothing to open."""

    async def ping(self) -> None:
        """Answer at once."""

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""
