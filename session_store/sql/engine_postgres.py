"""PostgreSQL: several processes, a small pool of threads, each call a transaction of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from heartrule.domain.errors import StoreUnavailable
from heartrule.domain.keys import SessionKey
from session_store.sql.engine import Proof, T, Transaction
from session_store.sql.failures import is_worth_another_try, said_plainly
from session_store.sql.listener import listen
from session_store.sql.migrate import migrate

THREADS = 8
"""Transactions at a time; a turn holds no connection while the model streams."""
CONNECT_SECONDS = 5
"""How long a server may take to answer a connection."""
SETTINGS = (
    "SET idle_in_transaction_session_timeout = '5s'",  # a frozen holder must not keep a row
    "SET lock_timeout = '10s'",
)
_CONNECT = {
    "application_name": "heartrule",
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": 10_000,  # milliseconds until a vanished server counts as gone
    "keepalives_idle": 10,  # seconds; for the connection that only listens
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


class _OutcomeUnknown(Exception):
    """The connection broke inside COMMIT; `result` is what it would have given."""

    def __init__(self, result: object) -> None:
        self.result = result


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
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store")
        self._backends: set[int] = set()
        sa.event.listen(self._engine, "connect", self._connected)
        sa.event.listen(self._engine, "close", self._closed)

    async def start(self) -> None:
        """Migrate; several processes that start at once wait for one another."""
        await self.write(migrate)

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction; where its commit's outcome is unknown, `proof` looks again."""
        return await self._in_thread(work, proof)

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads."""
        return await self._in_thread(work, None)

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that deletes; what PostgreSQL keeps of it is its operator's."""
        return await self._in_thread(work, None)

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; a lost connection is made anew."""
        _, options = self._engine.dialect.create_connect_args(self._engine.url)
        async for key in listen(dict(options) | _CONNECT, ours=self._backends):
            yield key

    async def aclose(self) -> None:
        """Wait for what runs, then close every connection."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()

    async def _in_thread(self, work: Transaction[T], proof: Proof[T] | None) -> T:
        loop = asyncio.get_running_loop()
        try:
            running = loop.run_in_executor(self._threads, self._run, work, proof)
        except RuntimeError as error:  # the pool was shut down
            raise StoreUnavailable("the store is not open", reason="STORE_CLOSED") from error
        return await running

    def _run(self, work: Transaction[T], proof: Proof[T] | None) -> T:
        try:
            return self._again(work, proof)
        except Exception as error:  # noqa: BLE001 - it is raised again in plain words
            raise said_plainly(error)  # noqa: B904 - it bears its cause

    def _again(self, work: Transaction[T], proof: Proof[T] | None) -> T:
        """Run it; once more where a connection was lost and nothing of it was written."""
        try:
            return self._once(work)
        except _OutcomeUnknown as unknown:
            done: T = unknown.result  # type: ignore[assignment]  # what `work` gave
            if proof is not None and self._once(lambda db: proof(db, done)):
                return done
        except sa.exc.DBAPIError as error:
            if not is_worth_another_try(error):
                raise
        return self._once(work)

    def _once(self, work: Transaction[T]) -> T:
        with self._engine.connect() as db:
            transaction = db.begin()
            try:
                result = work(db)
            except BaseException:
                transaction.rollback()
                raise
            try:
                transaction.commit()
            except sa.exc.DBAPIError as error:
                if error.connection_invalidated:
                    raise _OutcomeUnknown(result) from error
                raise
            return result

    def _connected(self, connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        entry.info["backend"] = connection.info.backend_pid
        self._backends.add(connection.info.backend_pid)
        for setting in SETTINGS:
            connection.execute(setting)
        connection.commit()

    def _closed(self, _connection: psycopg.Connection, entry: ConnectionPoolEntry) -> None:
        self._backends.discard(entry.info.get("backend", 0))
