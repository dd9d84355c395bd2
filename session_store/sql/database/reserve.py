"""Room kept back on the disk: a full one refuses even a DELETE."""

from __future__ import annotations

import os
from pathlib import Path

SIZE = 8 * 1024 * 1024
"""Bytes; enough to delete a long session."""


class Reserve:
    """A file beside the database that only holds its place."""

    def __init__(self, database: Path) -> None:
        """Name the file; `keep` makes it."""
        self._path = database.with_name(database.name + ".reserve")

    def keep(self) -> None:
        """Make the file where there is room for it; without room the store works all the same."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        try:
            os.posix_fallocate(file, 0, SIZE)
        except OSError:
            self.give_up()
        finally:
            os.close(file)

    def give_up(self) -> bool:
        """Return its room to the disk; False where there was none."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True
