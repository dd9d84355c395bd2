"""SQLite in memory, for rehearsals and unit tests: no file, no thread, gone with its store."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from typing import cast

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from heartrule.domain.keys import SessionKey
from session_store.sql.database.engine import Proof, T, Transaction
from session_store.sql.database.engine_sqlite import RisingClock
from session_store.sql.database.failures import closed
from session_store.sql.database.schema import metadata
from session_store.sql.database.types import CLOCK_FUNCTION
from session_store.sql.database.worker import run_together


class MemoryEngine:
    """One connection, used by the event loop's own thread: nothing in memory is waited for."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """Make every table; `clock` gives seconds since the epoch."""
        self._engine = sa.create_engine(
            "sqlite+pysqlite://",
            poolclass=StaticPool,
            execution_options={"begin": "BEGIN"},
            connect_args={"isolation_level": None, "check_same_thread": False},
        )

        @sa.event.listens_for(self._engine, "connect")
        def _set_up(connection: sqlite3.Connection, _record: object) -> None:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.create_function(CLOCK_FUNCTION, 0, RisingClock(clock))

        self._db: sa.Connection | None = self._engine.connect()
        metadata.create_all(self._db)
        self._db.commit()

    async def start(self) -> None:
        """Do nothing: it is open."""

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction that writes; its outcome is always known."""
        del proof
        if self._db is None:
            raise closed()
        (outcome,) = run_together(self._db, [work])
        if outcome.error is not None:
            raise outcome.error
        return cast("T", outcome.result)

    async def probe_disk(self) -> None:
        """Do nothing: there is no disk."""

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads."""
        return await self.write(work)

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that deletes."""
        return await self.write(work)

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """End at once: no other process writes to it."""
        no_keys: tuple[SessionKey, ...] = ()
        for key in no_keys:
            yield key

    async def aclose(self) -> None:
        """Close the connection; all that was kept is gone."""
        db, self._db = self._db, None
        if db is not None:
            db.close()
            self._engine.dispose()
