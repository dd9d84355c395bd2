"""Full disks: a guard that remembers a failed write, and a reserve file to delete with."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import sqlalchemy as sa

from heartrule.domain.errors import StoreFull
from session_store.sql.database.engine import T, Transaction
from session_store.sql.database.tables import assets
from session_store.sql.database.types import database_now

PROBE_SIZE = 256 * 1024
"""Bytes that a probe writes: a few turns' worth."""
RESERVE_SIZE = 8 * 1024 * 1024
"""Bytes of the reserve file: enough to delete a long session."""
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
