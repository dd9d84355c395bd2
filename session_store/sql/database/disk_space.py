"""What a SQLite file needs of its disk: room, a reserve, a lock, and VACUUM after an erasure."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import orjson
import sqlalchemy as sa

from heartrule.domain.errors import NotReady, StoreFull
from session_store.sql.database.engine import T, Transaction, unavailable
from session_store.sql.database.schema import database_now
from session_store.sql.database.tables import assets
from session_store.sql.database.worker import driver_of

# Bytes that a probe writes: a few turns' worth.
PROBE_SIZE = 256 * 1024
# Bytes of the reserve file: enough to delete a long session.
RESERVE_SIZE = 8 * 1024 * 1024
_TENANT = ""  # no caller has this tenant, so that none can see the row
_PROBE = sa.and_(assets.c.tenant == _TENANT, assets.c.sha256 == "room")


class DiskSpaceGuard:
    """Knows whether the database's last failed write found the disk full.

    After one, only a probe that writes clears the state: a full disk still takes a small write now
    and then, into a page that exists, and readiness must not follow these.
    """

    def __init__(self) -> None:
        """Assume that there is space."""
        self.full = False

    async def watch(self, writing: Awaitable[T]) -> T:
        """Await a write, and remember where it raises StoreFull."""
        try:
            return await writing
        except StoreFull:
            self.full = True
            raise

    async def probe(self, write: Callable[[Transaction[None]], Awaitable[None]]) -> None:
        """After a write that found the disk full, write some bytes and delete them.

        Raises:
            StoreFull: The disk is still full.
        """
        if self.full:
            await write(_use_space)
            await write(_free_space)
            self.full = False


def _use_space(db: sa.Connection) -> None:
    """Write bytes that no database can compress."""
    _free_space(db)
    now = db.execute(sa.select(database_now())).scalar_one()
    row = {"tenant": _TENANT, "sha256": "room", "mime_type": "", "size": PROBE_SIZE}
    db.execute(assets.insert(), row | {"create_time": now, "content": os.urandom(PROBE_SIZE)})


def _free_space(db: sa.Connection) -> None:
    db.execute(assets.delete().where(_PROBE))


class ReserveFile:
    """A file beside the database that only occupies space: a full disk refuses even a DELETE."""

    def __init__(self, database: Path) -> None:
        """Name the file; `allocate` makes it."""
        self._path = database.with_name(database.name + ".reserve")

    def allocate(self) -> None:
        """Make the file where the disk has space for it; the store also works without it."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        try:
            os.posix_fallocate(file, 0, RESERVE_SIZE)
        except OSError:
            self.release()
        finally:
            os.close(file)

    def release(self) -> bool:
        """Return the file's space to the disk; False where there is no file."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True


class FileLock:
    """The right to a database file; who holds it is written inside."""

    def __init__(self, database: Path, boot_id: str) -> None:
        """Name the lock; `acquire` takes it."""
        self._database = database
        self._path = database.with_name(database.name + ".lock")
        self._boot_id = boot_id
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock; NotReady, reason DATABASE_IN_USE, names the process that has it."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, 4096)
            os.close(file)
            raise self._in_use(holder) from None
        os.ftruncate(file, 0)
        os.write(file, orjson.dumps({"pid": os.getpid(), "boot_id": self._boot_id}))
        self._file = file

    def release(self) -> None:
        """Give the lock back; the file stays, for a name that goes could be locked twice."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _in_use(self, holder: bytes) -> NotReady:
        try:
            known = {name: str(value) for name, value in orjson.loads(holder).items()}
        except (orjson.JSONDecodeError, AttributeError):  # read while it was being written
            known = {}
        who = f"process {known.get('pid', 'unknown')} (boot {known.get('boot_id', 'unknown')})"
        return NotReady(
            f"{self._database} is in use by {who}: one executor serves a SQLite file; "
            "stop it, or let several share a PostgreSQL database",
            reason="DATABASE_IN_USE",
            metadata=known | {"database": str(self._database)},
        )


# Bytes of a database that VACUUM may copy in memory; a larger one goes to a temporary file.
IN_MEMORY = 256 * 1024 * 1024


def vacuum(db: sa.Connection) -> None:
    """Write every page anew and cut the log to nothing.

    Runs outside a transaction and takes time and free disk in proportion to the file.

    Raises:
        StoreUnavailable: A reader keeps the log from being cut.
        StoreFull: No space for the copy; the rows are gone, some of their bytes may not be.
    """
    driver = driver_of(db)
    driver.execute(f"PRAGMA temp_store = {'MEMORY' if _size(driver) < IN_MEMORY else 'FILE'}")
    try:
        driver.execute("VACUUM")
    finally:
        busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        driver.execute("PRAGMA temp_store = MEMORY")
    if busy:
        raise unavailable()


def _size(driver: sqlite3.Connection) -> int:
    pages: int = driver.execute("PRAGMA page_count").fetchone()[0]
    page: int = driver.execute("PRAGMA page_size").fetchone()[0]
    return pages * page
