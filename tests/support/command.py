"""The `heartrule` command as its user runs it: a process in a folder of its own."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.source_tree import ROOT

COMMAND = (sys.executable, "-m", "heartrule_cli")
PATIENCE_S = 100.0
GREETING = ROOT / "_system" / "scripts" / "greeting.yaml"
_SESSION = re.compile(r"ses_[0-9a-f]+")
_SLOW = re.compile(r"^still starting after .*\n", re.MULTILINE)


def session_in(text: str) -> str:
    """Return the id of the session a command spoke of."""
    found = _SESSION.search(text)
    assert found, text
    return found[0]


def environment(**more: str) -> dict[str, str]:
    """Return what the command's environment holds: our code, English, no colours, what is given."""
    own = {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    return {**os.environ, **own, **more}


@dataclass(frozen=True, slots=True)
class Place:
    """A folder to run the command in."""

    folder: Path
    command: tuple[str, ...] = COMMAND
    environ: dict[str, str] = field(default_factory=environment)

    def heartrule(self, *args: str, lines: str = "") -> subprocess.CompletedProcess[str]:
        """Run the command to its end with these lines on standard input.

        What it says of services that take long to start is left out: that is the machine's.
        """
        ran = subprocess.run(
            [*self.command, *args],
            input=lines, cwd=self.folder, env=self.environ,
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        ran.stderr = _SLOW.sub("", ran.stderr)
        return ran

    @contextmanager
    def started(self, *args: str) -> Iterator[Started]:
        """Start the command with pipes; at the end of the block it is asked to leave."""
        process = subprocess.Popen(
            [*self.command, *args],
            cwd=self.folder, env=self.environ, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        started = Started(process)
        try:
            yield started
        finally:
            started.leave()


@dataclass(slots=True)
class Started:
    """A command that runs."""

    process: subprocess.Popen[str]
    told: list[str] = field(default_factory=list)

    def until(self, words: str) -> str:
        """Read what it prints up to a line with these words, and return that line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.told.append(line.rstrip("\n"))
            if words in line:
                return self.told[-1]
        raise AssertionError(f"never said {words!r}: {self.told}")

    def type(self, line: str) -> None:
        """Give it one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """Close its input, read the rest and return its exit code."""
        assert self.process.stdout is not None
        if not self.process.stdout.closed:
            rest, _ = self.process.communicate(timeout=PATIENCE_S)
            self.told.extend(rest.splitlines())
        return self.process.returncode

    def leave(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to leave, if it still runs, and return its exit code."""
        self.process.send_signal(number)  # does nothing to one that has ended
        return self.end()


def children_of(pid: int) -> dict[str, int]:
    """Return the services a command has started: module name → process id."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    found = {}
    for child in map(int, listed):
        words = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
        found[words[words.index("-m") + 1]] = child
    return found


def until_gone(pid: int) -> None:
    """Wait until a process that is not our child has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([handle], [], [], PATIENCE_S)
        assert ended, f"process {pid} still runs"
    finally:
        os.close(handle)
