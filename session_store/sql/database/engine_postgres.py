"""PostgreSQL: several processes, a few connections, a transaction per call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.database.engine import Proof, T, Transaction
from session_store.sql.database.failures import (
    because,
    closed,
    driver_error,
    full,
    not_storable,
    unavailable,
)
from session_store.sql.database.listener import listen
from session_store.sql.database.migrate import migrate
from session_store.sql.database.postgres_connection import (
    Connections,
    NotWritten,
    OutcomeUnknown,
    OwnConnection,
)
from session_store.sql.database.room import Room

THREADS = 8
"""Transactions at a time; a turn holds no connection while the model streams."""
_FULL = (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory)
_UNANSWERED = (NotWritten, OutcomeUnknown, psycopg.OperationalError, psycopg.InterfaceError)


class PostgresEngine:
    """A PostgreSQL database, shared with other processes."""

    def __init__(self, address: str) -> None:
        """Take a URI as libpq does; nothing is opened yet.

        Errors:
            ProgrammingError: it is not such a URI.
        """
        self._connections = Connections(address)
        self._idle: list[OwnConnection] = []
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store")
        self._room = Room()

    async def start(self) -> None:
        """Migrate; several processes that start at once wait for one another."""
        await self.write(migrate)
        try:
            await asyncio.to_thread(self._connections.announcer.start)
        except psycopg.Error as error:
            raise in_our_words(error) from error

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction; where its commit's outcome is unknown, `proof` looks again."""
        return await self._room.watch(self._in_thread(work, proof))

    async def probe_room(self) -> None:
        """Where a write has found no room, see whether there is some; StoreFull otherwise."""
        await self._room.probe(self.write)

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads the rows of one moment."""
        return await self._in_thread(work, None, one_moment=True)

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that deletes; what PostgreSQL keeps of it is its operator's."""
        return await self._in_thread(work, None)

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; a lost connection is made anew."""
        async for key in listen(self._connections.options, ours=self._connections.backends):
            yield key

    async def aclose(self) -> None:
        """Wait for what runs, then close every connection."""
        await asyncio.to_thread(self._close)

    async def _in_thread(
        self, work: Transaction[T], proof: Proof[T] | None, *, one_moment: bool = False
    ) -> T:
        run = partial(self._run, work, proof, one_moment=one_moment)
        try:
            done = asyncio.get_running_loop().run_in_executor(self._threads, run)
        except RuntimeError as error:  # raised by an executor that was shut down
            raise closed() from error
        # Shielded: a caller that is cancelled leaves its transaction to its end.
        return await asyncio.shield(done)

    def _run(self, work: Transaction[T], proof: Proof[T] | None, *, one_moment: bool) -> T:
        """Run a transaction on the connection that was used last: its statements are prepared."""
        own = self._taken()
        try:
            return own.run(work, proof=proof, one_moment=one_moment)
        except Exception as error:  # noqa: BLE001 - it is raised again with its meaning
            raise in_our_words(error)  # noqa: B904 - it bears its cause
        finally:
            self._idle.append(own)

    def _taken(self) -> OwnConnection:
        try:
            return self._idle.pop()
        except IndexError:
            return OwnConnection(self._connections)

    def _close(self) -> None:
        self._threads.shutdown()
        for own in self._idle:
            own.close()
        self._connections.announcer.stop()


def in_our_words(error: Exception) -> Exception:
    """Return what a failure on PostgreSQL means; a bug of ours stays as it is."""
    raised = driver_error(error)
    if isinstance(raised, UnicodeEncodeError | psycopg.DataError):
        return because(not_storable(), error)
    if isinstance(raised, _FULL):
        return because(full(), error)
    if isinstance(raised, _UNANSWERED):
        return because(unavailable(), error)
    return error
