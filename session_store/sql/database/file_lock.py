"""One executor per SQLite file: a lock on a file beside it, which dies with its holder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import orjson

from heartrule.domain.errors import NotReady


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
