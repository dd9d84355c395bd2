"""PostgreSQL: several processes, a few connections, a transaction per call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.engine import Proof, T, Transaction
from session_store.sql.failures import because, driver_error, full, not_storable, unavailable
from session_store.sql.listener import listen
from session_store.sql.migrate import migrate
from session_store.sql.postgres_connection import (
    Connections,
    NotWritten,
    OutcomeUnknown,
    OwnConnection,
)
from session_store.sql.room import Room
from session_store.sql.threads import Threads

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
        self._threads = Threads(
            partial(OwnConnection, self._connections), most=THREADS, name="store"
        )
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
        await asyncio.to_thread(self._threads.stop)
        await asyncio.to_thread(self._connections.announcer.stop)

    async def _in_thread(
        self, work: Transaction[T], proof: Proof[T] | None, *, one_moment: bool = False
    ) -> T:
        return await self._threads.run(_in_our_words(work, proof, one_moment=one_moment))


def _in_our_words(
    work: Transaction[T], proof: Proof[T] | None, *, one_moment: bool = False
) -> Callable[[OwnConnection], T]:
    """Return what runs a transaction on a connection, its failures in our words."""

    def run(own: OwnConnection) -> T:
        try:
            return own.run(work, proof=proof, one_moment=one_moment)
        except Exception as error:  # noqa: BLE001 - it is raised again in our words
            raise in_our_words(error)  # noqa: B904 - it bears its cause

    return run


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
