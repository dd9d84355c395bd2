"""Hearing of other processes' commits: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.types import CHANNEL

PAUSE_SECONDS = 1.0
"""Before a lost connection is redone; meanwhile every watcher is told to look for itself."""

_LOOK_S = 1.0


async def listen(
    options: Mapping[str, object], *, ours: AbstractSet[int]
) -> AsyncIterator[SessionKey | None]:
    """Yield sessions that other backends than `ours` wrote to, until the caller stops asking.

    None, after each connection and each second without one: anything may have changed unheard.
    """
    while True:
        try:
            async with await _connect(options) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                with _notes(connection, ours) as notes:
                    yield None
                    while True:
                        yield await notes.next()
        except psycopg.OperationalError:
            yield None
            await asyncio.sleep(PAUSE_SECONDS)


class _Notes:
    """What a listening connection was told, our own left out as it is read.

    The server tells of each of our commits as well: psycopg's own `notifies()` would wake a task
    for it, and cost more than a statement.
    """

    def __init__(self, connection: psycopg.AsyncConnection, ours: AbstractSet[int]) -> None:
        self._pg = connection.pgconn
        self._socket = connection.fileno()
        self._loop = asyncio.get_running_loop()
        self._looking: asyncio.TimerHandle | None = None
        self._ours = ours
        self._heard: deque[SessionKey] = deque()
        self._lost: psycopg.OperationalError | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def next(self) -> SessionKey:
        """Return the next session; OperationalError once the connection is lost."""
        while not self._heard:
            if self._lost is not None:
                raise self._lost
            self._waiter = self._loop.create_future()
            await self._waiter
        return self._heard.popleft()

    def start(self) -> None:
        """Read from now on; what came with the answer to LISTEN lies in the driver already."""
        self._loop.add_reader(self._socket, self._read)
        self._look()

    def stop(self) -> None:
        """Read no more; called again, it does nothing: the number may be another socket's then."""
        if self._socket >= 0:
            self._loop.remove_reader(self._socket)
            self._socket = -1
        if self._looking is not None:
            self._looking.cancel()

    def _look(self) -> None:
        """Read now and then too: of a socket that was reset uvloop tells only once."""
        self._looking = self._loop.call_later(_LOOK_S, self._look)
        self._read()

    def _read(self) -> None:
        try:
            self._pg.consume_input()
        except psycopg.OperationalError as error:
            self._lost = error
            self.stop()
        while (note := self._pg.notifies()) is not None:
            if note.be_pid not in self._ours:
                tenant, _, session_id = note.extra.decode().partition("/")
                self._heard.append(SessionKey(tenant, session_id))
        if (self._heard or self._lost) and self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@contextmanager
def _notes(connection: psycopg.AsyncConnection, ours: AbstractSet[int]) -> Iterator[_Notes]:
    """Read the connection's socket for the length of a block."""
    notes = _Notes(connection, ours)
    notes.start()
    try:
        yield notes
    finally:
        notes.stop()


async def _connect(options: Mapping[str, object]) -> psycopg.AsyncConnection:
    return await psycopg.AsyncConnection.connect(**options, autocommit=True)  # type: ignore[arg-type]
