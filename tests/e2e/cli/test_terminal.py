"""A person at a terminal: prompt, text as it comes, leaving."""

from __future__ import annotations

import os
import pty
import re
import signal
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from select import select

import pytest

from tests.support.command import PATIENCE_S, Place, environment

pytestmark = pytest.mark.slow

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
        cwd=place.folder, env=environment(TERM="xterm"), start_new_session=True,
        stdin=slave, stdout=slave, stderr=slave,
    )  # fmt: skip
    try:
        yield Terminal(master, slave, process)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)
        os.close(master)
        os.close(slave)


def test_a_person_talks_leaves_and_goes_on(tmp_path: Path) -> None:
    """Each text stands there once; Ctrl-C and Ctrl-D say how to go on and leave a sane terminal."""
    place = Place(tmp_path)
    with terminal(place, "run", "greeting") as screen:
        screen.until("round 1 of 3")
        screen.until("> ")
        screen.type("不想说\r")
        assert screen.until("round 2 of 3").count("我可以怎么称呼你呢？") == 1
        screen.until("> ")
        screen.process.send_signal(signal.SIGINT)
        left = screen.until("go on with: ") + screen.until("\n")
        assert screen.process.wait(timeout=PATIENCE_S) == 0
        assert screen.echoes()
    assert "the session waits at hello › greet › ask_name · round 2 of 3" in left

    session = left.split("--session ")[1].split()[0]
    with terminal(place, "run", "--session", session) as screen:
        assert "> 不想说" in screen.until("round 2 of 3")
        screen.until("> ")
        screen.type("\x04")
        screen.until("go on with: ")
        assert screen.process.wait(timeout=PATIENCE_S) == 0
        assert screen.echoes()
