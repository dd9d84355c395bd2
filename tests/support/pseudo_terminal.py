"""A command in a pseudo-terminal, as a person sees it."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from select import select

from tests.support.command import PATIENCE_S, Place

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """The other side of a pseudo-terminal."""

    def __init__(self, master: int, slave: int, process: subprocess.Popen[bytes]) -> None:
        self.master = master
        self.slave = slave
        self.process = process
        self.seen = b""
        self.at = 0

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def until(self, words: str) -> str:
        """Read up to the next of these words; return what was printed before and with them."""
        while (found := self.shown().find(words, self.at)) < 0:
            readable, _, _ = select([self.master], [], [], PATIENCE_S)
            assert readable, self.shown()
            self.seen += os.read(self.master, 65_536)
        begin, self.at = self.at, found + len(words)
        return self.shown()[begin : self.at]

    def shown(self) -> str:
        """Return all that was printed, without what steers the terminal."""
        return _ESCAPE.sub("", self.seen.decode(errors="ignore"))

    def echoes(self) -> bool:
        """Say whether what is typed shows: the setting a shell expects to find again."""
        local = termios.tcgetattr(self.slave)[3]
        return bool(local & termios.ECHO) and bool(local & termios.ICANON)


@contextmanager
def terminal(place: Place, *args: str) -> Iterator[Terminal]:
    """Start the command in a terminal of 80 by 24."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*place.command, *args],
        cwd=place.folder, env={**place.environ, "TERM": "xterm"}, start_new_session=True,
        stdin=slave, stdout=slave, stderr=slave,
    )  # fmt: skip
    try:
        yield Terminal(master, slave, process)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)
        os.close(master)
        os.close(slave)
