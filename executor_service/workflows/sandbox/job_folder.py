"""The folder of one job: files of earlier nodes go in, what the code wrote comes out."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from executor_service.workflows.node_failed import failed
from executor_service.workflows.sandbox.sandbox_port import (
    MEBIBYTE,
    MOST_FILE_BYTES,
    MOST_FILES,
)
from heartrule.domain.json_value import JsonValue, texts_in
from heartrule.domain.runs import RunErrorCode

MOST_IN_FOLDER = 64
"""Files that may lie there beside those that were put there."""
MOST_FOLDER_BYTES = 64 * MEBIBYTE
"""Their bytes together."""
_PREFIX = "heartrule-node-"
# Between the making of a folder and its lock.
_MADE_S = 1.0


class JobFolder:
    """A new folder, the code's own; nothing in it is a folder or a link."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Create it and write the files.

        Raises:
            ValueError: A name is none of a file in a folder.
            OSError: There is no room.
        """
        self._given = files
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        # The lock goes with this process, however it ends: `remove_left` finds what it leaves.
        self._locked = _locked(self.path)
        try:
            for name, data in files.items():
                if not name or Path(name).name != name or name == "..":
                    raise ValueError(f"{name!r} is no file's name")
                (self.path / name).write_bytes(data)
        except BaseException:
            self.remove()
            raise

    def is_overfull(self) -> bool:
        """Return whether the code has written more than it may."""
        count, size = 0, 0
        with os.scandir(self.path) as entries:
            for entry in entries:
                count += 1
                size += entry.stat(follow_symlinks=False).st_size
        given = sum(map(len, self._given.values()))
        return count > MOST_IN_FOLDER + len(self._given) or size > MOST_FOLDER_BYTES + given

    def named_in(self, value: JsonValue) -> Mapping[str, bytes]:
        """Return the files that the code wrote and whose names are texts of the value.

        Raises:
            NodeFailed: LIMIT; they are too many or too large.
        """
        there = {each.name for each in self.path.iterdir()}
        names = sorted(there & set(texts_in(value))) if there else []
        found: dict[str, bytes] = {}
        for name in names:
            data = self._read(name)
            if data is not None and data != self._given.get(name):
                found[name] = data
        if len(found) > MOST_FILES or sum(map(len, found.values())) > MOST_FILE_BYTES:
            most = f"{MOST_FILES} files of {MOST_FILE_BYTES} bytes together"
            raise failed(RunErrorCode.LIMIT, f"The result names more than {most}.")
        return found

    def remove(self) -> None:
        """Remove it with all that lies there."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._locked)

    def _read(self, name: str) -> bytes | None:
        opened = os.open(self.path / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(opened, "rb") as file:  # noqa: PTH123  a descriptor
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                return None
            return file.read(MOST_FILE_BYTES + 1)


def remove_left() -> None:
    """Remove the folders of processes that were killed: clients' words may lie there."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, one that is in use, or one that has just gone
            if time.time() - path.stat().st_mtime > _MADE_S:
                locked = _locked(path)
                shutil.rmtree(path, ignore_errors=True)
                os.close(locked)


def _locked(path: Path) -> int:
    """Lock a folder and return its descriptor; BlockingIOError where somebody else has it."""
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise
    return opened
