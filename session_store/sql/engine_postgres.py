"""PostgreSQL: several processes, a small pool of threads, each call a transaction of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from heartrule.domain.keys import SessionKey
from session_store.sql.engine import Proof, T, Transaction
from session_store.sql.failures import (
    because,
    closed,
    driver_error,
    full,
    not_storable,
    unavailable,
)
from session_store.sql.listener import listen
from session_store.sql.migrate import migrate
from session_store.sql.postgres_line import line_of
from session_store.sql.room import Room

THREADS = 8
"""Transactions at a time; a turn holds no connection while the model streams."""
CONNECT_SECONDS = 4
"""How long a server may take to answer a connection."""
SETTINGS = (
    "SET idle_in_transaction_session_timeout = '5s'",  # a frozen holder must not keep a row
    "SET lock_timeout = '10s'",
)
_CONNECT = {
    "application_name": "heartrule",
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": 4_000,  # milliseconds until a vanished server counts as gone
    "keepalives_idle": 2,  # seconds; for the connection that only listens
    "keepalives_interval": 1,
    "keepalives_count": 2,
}


_FULL = (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory)
_AGAIN = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
)
"""Lost against another transaction."""


class _NotWritten(Exception):
    """The connection broke before COMMIT, or another transaction won: a second try may do."""


class _OutcomeUnknown(Exception):
    """The connection broke inside COMMIT; `result` is what it would have given."""

    def __init__(self, result: object) -> None:
        self.result = result


_UNANSWERED = (_NotWritten, _OutcomeUnknown, psycopg.OperationalError, psycopg.InterfaceError)


class PostgresEngine:
    """A PostgreSQL database, shared with other processes."""

    def __init__(self, address: str) -> None:
        """Take `user:password@host/database?options`; nothing is opened yet."""
        self._engine = sa.create_engine(
            f"postgresql+psycopg://{address}",
            poolclass=QueuePool,
            pool_size=THREADS,
            max_overflow=0,
            connect_args=_CONNECT,
        )
        # A read is several statements: they shall see the rows of one moment.
        self._one_moment = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store")
        self._backends: set[int] = set()
        self._room = Room()
        sa.event.listen(self._engine, "connect", self._connected)
        sa.event.listen(self._engine, "close", self._closed)
        sa.event.listen(self._engine, "before_cursor_execute", _flush)

    async def start(self) -> None:
        """Migrate; several processes that start at once wait for one another."""
        await self.write(migrate)

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction; where its commit's outcome is unknown, `proof` looks again."""
        return await self._room.watch(self._in_thread(self._engine, work, proof))

    async def probe_room(self) -> None:
        """Where a write has found no room, see whether there is some; StoreFull otherwise."""
        await self._room.probe(self.write)

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads the rows of one moment."""
        return await self._in_thread(self._one_moment, work, None)

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that deletes; what PostgreSQL keeps of it is its operator's."""
        return await self._in_thread(self._engine, work, None)

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; a lost connection is made anew."""
        _, options = self._engine.dialect.create_connect_args(self._engine.url)
        async for key in listen(dict(options) | _CONNECT, ours=self._backends):
            yield key

    async def aclose(self) -> None:
        """Wait for what runs, then close every connection."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    async def _in_thread(
        self, engine: sa.Engine, work: Transaction[T], proof: Proof[T] | None
    ) -> T:
        loop = asyncio.get_running_loop()
        try:
            running = loop.run_in_executor(self._threads, self._run, engine, work, proof)
        except RuntimeError as error:  # the pool was shut down
            raise closed() from error
        return await running

    def _run(self, engine: sa.Engine, work: Transaction[T], proof: Proof[T] | None) -> T:
        try:
            return self._again(engine, work, proof)
        except Exception as error:  # noqa: BLE001 - it is raised again in our words
            raise in_our_words(error)  # noqa: B904 - it bears its cause

    def _again(self, engine: sa.Engine, work: Transaction[T], proof: Proof[T] | None) -> T:
        """Run it; once more where it is known that nothing of it was written."""
        try:
            return self._once(engine, work)
        except _OutcomeUnknown as unknown:
            done: T = unknown.result  # type: ignore[assignment]  # what `work` gave
            if proof is not None and self._once(engine, lambda db: proof(db, done)):
                return done
        except _NotWritten:
            pass
        return self._once(engine, work)

    def _once(self, engine: sa.Engine, work: Transaction[T]) -> T:
        with engine.connect() as db:
            transaction = db.begin()
            line = line_of(db)
            try:
                result = work(db)
                line.flush()
            except Exception as error:
                line.drop()
                if self._is_lost(db):
                    raise _NotWritten from error
                transaction.rollback()
                if isinstance(driver_error(error), _AGAIN):
                    raise _NotWritten from error
                raise
            try:
                transaction.commit()
            except sa.exc.DBAPIError as error:
                if self._is_lost(db):
                    raise _OutcomeUnknown(result) from error
                raise
            return result

    def _is_lost(self, db: sa.Connection) -> bool:
        """Return True where the connection is broken; then none that lay idle is used again."""
        if not db.invalidated:
            driver: psycopg.Connection = db.connection.dbapi_connection  # type: ignore[assignment]
            if not driver.broken and not driver.closed:
                return False
            db.invalidate()
        self._engine.dispose()
        return True

    def _connected(self, connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        entry.info["backend"] = connection.info.backend_pid
        self._backends.add(connection.info.backend_pid)
        # A connection's line prepares; psycopg would drop every statement with its own.
        connection.prepare_threshold = None
        for setting in SETTINGS:
            connection.execute(setting)
        connection.commit()

    def _closed(self, _connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        self._backends.discard(entry.info.get("backend", 0))


def _flush(db: sa.Connection, *_: object) -> None:
    """Let what SQLAlchemy executes come behind what was written before."""
    line_of(db).flush()


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
