"""SQLite on a file, with one writer thread and one reader thread; and in memory, with none."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import sqlalchemy as sa
from sqlalchemy.pool import NullPool, StaticPool

from heartrule.domain.errors import StoreFull
from heartrule.domain.keys import SessionKey
from session_store.sql.database.disk_space import DiskSpaceGuard, FileLock, ReserveFile, vacuum
from session_store.sql.database.engine import Proof, T, Transaction, closed, not_opened
from session_store.sql.database.migrate import migrate
from session_store.sql.database.schema import CLOCK_FUNCTION, metadata
from session_store.sql.database.worker import Worker, run_together
from session_store.sql.turns.leases import void_leases

# FULL: what was acknowledged survives a power cut. secure_delete: what is deleted is zeroed.
#
# wal_autocheckpoint, in pages: the log grows to 16 MB, and a page that every turn writes is copied
# to the file once in 130 turns instead of once in 30. cache_size, in KiB: a turn reads no page
# twice.
PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "secure_delete = ON",
    "foreign_keys = ON",
    "wal_autocheckpoint = 4000",
    "cache_size = -16384",
    "busy_timeout = 5000",
    "temp_store = MEMORY",
)

_NO_KEYS: tuple[SessionKey, ...] = ()


class SqliteEngine:
    """One SQLite file, ours alone."""

    def __init__(self, path: Path, *, boot_id: str) -> None:
        """Name the file; `start` makes its folder and opens it."""
        self._path = path
        self._lock = FileLock(path, boot_id)
        self._reserve = ReserveFile(path)
        self._disk = DiskSpaceGuard()
        self._writer: Worker | None = None
        self._reader: Worker | None = None
        self._vacuuming = asyncio.Lock()
        self._erased = 0
        self._vacuumed = 0

    async def start(self) -> None:
        """Lock the file (NotReady where it is in use), migrate, void dead processes' leases."""
        await asyncio.to_thread(self._lock_file)
        try:
            self._writer = Worker(_engine(self._path, WRITING), name="store-write")
            await self._writer.run(_prepare)
            self._reader = Worker(_engine(self._path, READING), name="store-read")
        except BaseException:
            await self.aclose()
            raise

    async def write(self, work: Transaction[T], *, proof: Proof[T] | None = None) -> T:
        """Run a transaction that writes; its outcome is always known."""
        del proof
        return await self._disk.watch(_open(self._writer).run(work))

    async def probe_disk(self) -> None:
        """After a write that found the disk full, try again; StoreFull where it still is."""
        await self._disk.probe(self.write)

    async def read(self, work: Transaction[T]) -> T:
        """Run a transaction that reads, beside the writer."""
        return await _open(self._reader).run(work)

    async def erase(self, work: Transaction[T]) -> T:
        """Run a transaction that deletes, then leave no byte of it in the file or its log."""
        writer = _open(self._writer)
        try:
            result = await writer.run(work)
        except StoreFull:
            if not self._reserve.release():
                raise
            result = await writer.run(work)
        self._erased += 1
        await self._vacuum(writer, self._erased)
        return result

    async def changes(self) -> AsyncIterator[SessionKey | None]:
        """End at once: no other process writes to the file."""
        for key in _NO_KEYS:
            yield key

    async def aclose(self) -> None:
        """Close both connections, then release the lock."""
        workers, self._writer, self._reader = (self._reader, self._writer), None, None
        for worker in workers:
            if worker is not None:
                await asyncio.to_thread(worker.stop)
        self._lock.release()

    async def _vacuum(self, writer: Worker, wanted: int) -> None:
        """Run VACUUM once for all erasures that were committed before it began."""
        async with self._vacuuming:
            if self._vacuumed < wanted:
                reached = self._erased
                await writer.run_bare(vacuum)
                self._vacuumed = reached
                self._reserve.allocate()

    def _lock_file(self) -> None:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock.acquire()
            # Created here, since SQLite would let other users of the machine read it.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError as error:
            self._lock.release()
            raise not_opened(str(self._path), error) from error
        self._reserve.allocate()


def _prepare(db: sa.Connection) -> None:
    migrate(db)
    void_leases(db)


def _open(worker: Worker | None) -> Worker:
    if worker is None:
        raise closed()
    return worker


class RisingClock:
    """Microseconds since 1970 that only rise, so that what comes later sorts later."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """Go by a clock that gives seconds since the epoch."""
        self._clock = clock
        self._last = 0

    def __call__(self) -> int:
        """Return the time, later than the one before."""
        self._last = max(int(self._clock() * 1_000_000), self._last + 1)
        return self._last


@dataclass(frozen=True, slots=True)
class _Mode:
    """How a connection begins its transactions, and its pragmas."""

    begin: str
    pragmas: tuple[str, ...]


WRITING = _Mode("BEGIN IMMEDIATE", PRAGMAS)
READING = _Mode("BEGIN", (*PRAGMAS, "query_only = ON"))


def _engine(path: Path, mode: _Mode) -> sa.Engine:
    """Return an engine whose transactions we begin ourselves: the driver's begin is deferred."""
    engine = sa.create_engine(
        f"sqlite+pysqlite:///{path}",
        poolclass=NullPool,
        execution_options={"begin": mode.begin},
        connect_args={
            "isolation_level": None,
            "check_same_thread": False,
            "cached_statements": 256,
        },
    )

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in mode.pragmas:
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function(CLOCK_FUNCTION, 0, RisingClock())

    return engine


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
        for key in _NO_KEYS:
            yield key

    async def aclose(self) -> None:
        """Close the connection; all that was kept is gone."""
        db, self._db = self._db, None
        if db is not None:
            db.close()
            self._engine.dispose()
