"""The right to start services in a folder: two commands would write into one log."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heartrule.words.words import say
from heartrule_cli.failure import Failure

_NAME = "up.lock"


@contextmanager
def folder_taken(folder: Path) -> Iterator[None]:
    """Keep the folder for this process alone, for the length of the block.

    Raises:
        Failure: Another process has it; its id is named.
    """
    # The services do not inherit it: they may outlive this process by a moment.
    file = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(folder, os.read(file, 32)) from None
        os.ftruncate(file, 0)
        os.write(file, b"%d" % os.getpid())
        yield
    finally:
        os.close(file)


def is_taken(folder: Path) -> bool:
    """Return whether a process has this folder; one that was killed has it no more."""
    try:
        with (folder / _NAME).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # nobody ever started services here
        return False
    return False


def _in_use(folder: Path, holder: bytes) -> Failure:
    who = holder.decode("ascii", errors="replace") or "?"
    in_use = say("cli.folder.in_use", folder=str(folder), process=who)
    return Failure(in_use, hint=say("cli.folder.in_use_hint"))
