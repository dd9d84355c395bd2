"""PostgreSQL: several processes, a few connections, a transaction per call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psycopg

from heartrule.domain.keys import SessionKey
from session_store.sql.database.announcements import listen
from session_store.sql.database.disk_space import DiskSpaceGuard
from session_store.sql.database.engine import (
    Proof,
    T,
    Transaction,
    caused_by,
    closed,
    driver_error,
    full,
    not_storable,
    unavailable,
)
from session_store.sql.database.migrate import migrate
from session_store.sql.database.postgres_connection import (
    Connections,
    NotWritten,
    OutcomeUnknown,
    OwnConnection,
)

# Transactions at a time; a turn holds no connection while the model streams.
THREADS = 8
_FULL = (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory)
_UNANSWERED = (NotWritten, OutcomeUnknown, psycopg.OperationalError, psycopg.InterfaceError)


class PostgresEngine:
    """A PostgreSQL database, shared with other processes."""

    def __init__(self, address: str) -> None:
        """Take a URI as libpq does; nothing is opened yet.

        Raises:
            ProgrammingError: It is not such a URI.
        """
        self._connections = Connections(address)
        self._idle: list[OwnConnection] = []
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store")
        self._disk = DiskSpaceGuard()

    async def start(self) -> None:
        """Migrate; several processes that start at once wait for one another."""
        await self.write(migrate)
        try:
            await asyncio.to_thread(self._connections.announcer.start)
        except psycopg.Error as error:
            raise as_domain_error(error) from error

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction; where its commit's outcome is unknown, `proof` looks again."""
        return await self._disk.watch(self._in_thread(work, proof))

    async def probe_disk(self) -> None:
        """After a write that found the disk full, try again; StoreFull where it still is."""
        await self._disk.probe(self.write)

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
        except Exception as error:  # noqa: BLE001 - it is raised again as an error of the domain
            raise as_domain_error(error)  # noqa: B904 - its cause is set
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


def as_domain_error(error: Exception) -> Exception:
    """Return the domain's error for a failure of PostgreSQL; a programming error stays as it is."""
    raised = driver_error(error)
    if isinstance(raised, UnicodeEncodeError | psycopg.DataError):
        return caused_by(not_storable(), error)
    if isinstance(raised, _FULL):
        return caused_by(full(), error)
    if isinstance(raised, _UNANSWERED):
        return caused_by(unavailable(), error)
    return error
