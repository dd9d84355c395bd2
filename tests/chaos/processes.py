"""Service processes: started by the fork server, stopped, killed, and waited for by pid."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.fork_reports import ForkReports, NotStarted

ROOT = Path(__file__).resolve().parents[2]
START_S = 180.0
KEPT = frozenset({"PATH", "HOME", "LANG", "TMPDIR"})


class MissingTool(Exception):
    """Something this fault needs is not on this machine; the text says what."""


@dataclass(slots=True, eq=False)
class Process:
    """One service process that runs, or ran."""

    name: str
    pid: int
    log: Path
    ended: asyncio.Future[int]
    """Its exit code; a signal is a negative number."""
    port: int = 0
    health_port: int = 0
    began: float = field(default_factory=time.monotonic)
    became: str = ""
    """The module its command is to have become; empty where it was forked."""

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return not self.ended.done()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.runs:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def died(self, within_s: float = START_S) -> int:
        """Wait for its end and return the code."""
        async with asyncio.timeout(within_s):
            return await asyncio.shield(self.ended)

    def stands_before_another(self) -> bool:
        """Whether it is a command that runs the service as a child: a kill would miss that."""
        command = Path(f"/proc/{self.pid}/cmdline").read_text().split("\0")
        return bool(self.became) and command[1:3] != ["-m", self.became]

    def log_end(self) -> str:
        """Return the end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-2000:]

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.signal(signal.SIGKILL)
        await self.died()


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What to start."""

    module: str
    folder: Path
    environ: Mapping[str, str]
    patches: Sequence[str] = ()
    """`module[:argument]` of tests.chaos.patches, applied in the process before it starts."""
    prefix: Sequence[str] = ()
    """A command that becomes it (exec); then it is not forked, and takes no patches."""


def _environ() -> dict[str, str]:
    """Return what every service has: grpc's handlers of forks are off, as the executor sets it.

    A forked service does not run `executor_service.__main__`, and starts sandboxes all the same.
    """
    kept = {key: value for key, value in os.environ.items() if key in KEPT}
    return {**kept, "GRPC_ENABLE_FORK_SUPPORT": "0"}


class Processes:
    """Starts processes and knows when they end."""

    def __init__(self) -> None:
        """Nothing runs before `open`."""
        self._line: socket.socket | None = None
        self._server: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._reports = ForkReports()
        self._number = 0
        self._own: list[asyncio.Task[int]] = []

    async def open(self) -> None:
        """Start the fork server and wait until it has imported everything.

        Raises:
            NotStarted: It could not; what it printed says why.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self._server = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.fork_server", str(theirs.fileno()),
            cwd=ROOT, env={**_environ(), "PYTHONPATH": str(ROOT)}, pass_fds=(theirs.fileno(),),
            stdin=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()
        self._line = ours
        self._reader = asyncio.create_task(self._read(ours))
        ended = asyncio.create_task(self._server.wait())
        first = asyncio.FIRST_COMPLETED
        ready = self._reports.ready
        await asyncio.wait((ready, ended), timeout=START_S, return_when=first)
        ended.cancel()
        if not ready.done():
            raise NotStarted("the fork server did not start")

    async def aclose(self) -> None:
        """Kill whatever still runs."""
        if self._reader is not None:
            self._reader.cancel()
        if self._line is not None:
            self._line.close()
        if self._server is not None:
            await self._server.wait()
        self._reports.lost()
        for task in self._own:
            await task

    async def start(self, what: Start) -> Process:
        """Start a service and wait until it listens.

        Raises:
            NotStarted: It ended first; the text has the end of its log. Or its command did not
                become the service: whoever is killed then is not who serves.
        """
        self._number += 1
        name = f"{what.module.partition('_')[0]}-{self._number}"
        log = what.folder / f"{name}.log"
        printed, prints = os.pipe()
        with log.open("wb") as logs:
            begin = self._exec if what.prefix else self._fork
            process = await begin(name, what, (prints, logs.fileno()))
        os.close(prints)
        try:
            await _listening(process, printed)
        finally:
            os.close(printed)
        if process.stands_before_another():
            os.killpg(process.pid, signal.SIGKILL)
            await process.died()
            raise NotStarted(f"{what.prefix[0]} comes before the service and would outlive it")
        return process

    async def _fork(self, name: str, what: Start, files: tuple[int, int]) -> Process:
        assert self._line is not None, "`open` comes before a start"
        number = self._number
        asked = self._reports.asked(number)
        request = {
            "number": number, "module": what.module, "folder": str(what.folder),
            "environ": {**_environ(), **what.environ}, "patches": list(what.patches),
        }  # fmt: skip
        socket.send_fds(self._line, [json.dumps(request).encode()], files)
        async with asyncio.timeout(START_S):
            forked = await asked
        log = what.folder / f"{name}.log"
        return Process(name=name, pid=forked.pid, log=log, ended=forked.ended)

    async def _exec(self, name: str, what: Start, files: tuple[int, int]) -> Process:
        child = await asyncio.create_subprocess_exec(
            *what.prefix, sys.executable, "-m", what.module,
            cwd=what.folder, env={**_environ(), "PYTHONPATH": str(ROOT), **what.environ},
            stdin=asyncio.subprocess.DEVNULL, stdout=files[0], stderr=files[1],
            start_new_session=True,
        )  # fmt: skip
        ended = asyncio.create_task(child.wait())
        self._own.append(ended)
        log = what.folder / f"{name}.log"
        return Process(name=name, pid=child.pid, log=log, ended=ended, became=what.module)

    async def _read(self, line: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):  # it went away before it had read all that was asked
            while data := await loop.sock_recv(line, 4096):
                self._reports.take(json.loads(data))
        self._reports.lost()


async def _listening(process: Process, printed: int) -> None:
    """Read the line with the port."""
    loop = asyncio.get_running_loop()
    os.set_blocking(printed, False)
    line, complete = b"", loop.create_future()

    def readable() -> None:
        nonlocal line
        data = os.read(printed, 4096)
        line += data
        if (b"\n" in line or not data) and not complete.done():
            complete.set_result(None)

    loop.add_reader(printed, readable)
    try:
        async with asyncio.timeout(START_S):
            await complete
    except TimeoutError:
        process.signal(signal.SIGKILL)
        raise NotStarted(f"{process.name} wrote nothing\n{process.log_end()}") from None
    finally:
        loop.remove_reader(printed)
    if b"listening on" not in line:
        await process.died()
        raise NotStarted(f"{process.name} did not start\n{process.log_end()}")
    process.port = int(line.split(b"\n")[0].rsplit(b":", 1)[1])


def reserve_port(draws: Iterator[int] | None = None) -> socket.socket:
    """Return a socket that keeps a port for a server of ours, until it is closed.

    Nobody who looks for a free port is given it; a server shares it by SO_REUSEADDR, as this socket
    never listens. No outgoing connection has such a port: a client that tries one while its server
    is down would in the end connect to itself.
    """
    for port in draws or _drawn():
        keeper = socket.socket()
        try:
            keeper.bind(("127.0.0.1", port))
        except OSError:
            keeper.close()
            continue
        # Not before: two sockets that both share would both be given the port.
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return keeper
    raise AssertionError("no port is free")


def _drawn() -> Iterator[int]:
    dice = random.SystemRandom()
    while True:
        yield dice.randrange(24_000, 32_000)  # the command's own lie below
