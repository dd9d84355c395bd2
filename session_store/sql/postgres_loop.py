"""Transactions in the event loop: a turn's own, whose statements are all prepared.

In a thread each exchange would give the interpreter up and get it back, beside a loop that hardly
lets it go: under load that cost more than the transaction.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from session_store.sql.failures import closed
from session_store.sql.postgres_connection import Connections, OwnConnection
from session_store.sql.postgres_waiting import InLoop, running

T = TypeVar("T")

_LOOK_S = 0.5
"""How often it is looked whether a connection that somebody waits for was lost."""


class LoopConnections:
    """A few connections that one loop uses, each by one transaction at a time."""

    def __init__(self, those: Connections, *, most: int) -> None:
        """Open nothing yet."""
        self._those = those
        self._most = most
        self._all: list[tuple[OwnConnection, InLoop]] = []
        self._free: list[OwnConnection] = []
        self._waiting: deque[asyncio.Future[OwnConnection]] = deque()
        self._running: set[asyncio.Task[object]] = set()
        self._closed = False
        self._looking: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[OwnConnection], T]) -> T:
        """Return what the transaction gave; a caller that is cancelled leaves it to its end."""
        if self._closed:
            raise closed()
        loop = asyncio.get_running_loop()
        if self._looking is None:
            self._looking = loop.call_later(_LOOK_S, self._look)
        task = loop.create_task(self._run(work))
        self._running.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def aclose(self) -> None:
        """Wait for what runs, then close every connection."""
        self._closed = True
        while self._running:
            await asyncio.wait(self._running)
        if self._looking is not None:
            self._looking.cancel()
        for own, _ in self._all:
            own.close()

    async def _run(self, work: Callable[[OwnConnection], T]) -> T:
        own = await self._taken()
        try:
            return await running(partial(work, own))
        finally:
            self._give(own)

    async def _taken(self) -> OwnConnection:
        """Return one that nobody uses; of those that are free the one that was used last."""
        if self._free:
            return self._free.pop()
        if len(self._all) < self._most:
            waiting = InLoop()
            new = OwnConnection(self._those, waiting)
            self._all.append((new, waiting))
            return new
        turn: asyncio.Future[OwnConnection] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        return await turn

    def _give(self, own: OwnConnection) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # else its task was cancelled
                turn.set_result(own)
                return
        self._free.append(own)

    def _look(self) -> None:
        for _, waiting in self._all:
            waiting.look()
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(_LOOK_S, self._look) if self._running else None

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # who was cancelled does not ask for it
