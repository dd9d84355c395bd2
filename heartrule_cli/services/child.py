"""One service as a child process: started, waited for, stopped; its log goes to a file."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import grpc
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.chassis.health import READY
from heartrule.words.words import Words, say
from heartrule_cli.failure import Failure
from heartrule_cli.stopping import first_done
from heartrule_cli.text import clean

# Of a process that lives; one that takes longer than any machine needs hangs.
READY_S = 900.0
# Longer than a service's own grace for turns that run.
STOP_S = 30.0
# Bytes of a log, and how many that were put aside are kept.
LARGEST_LOG = 10_000_000
KEPT_LOGS = 5
_POLL_S = 0.05
_PROBE_S = 1.0
_MOST_LINES = 20
_SEVERE = {"ERROR", "CRITICAL"}
# Lines of grpc's core, and what a service writes when all is well.
_NOISE = re.compile(r"[IWEF]\d{4} \d\d:\d\d|WARNING: All log messages before|.* listening on ")
_PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


class Child:
    """A service that this command started; no other process is ever touched."""

    def __init__(
        self, name: str, process: asyncio.subprocess.Process, log: Path, start: int
    ) -> None:
        """Made by `start_child`; `start` is where this process's part of the log begins."""
        self.name = name
        self._process = process
        self._log = log
        self._start = start

    async def ended(self) -> int:
        """Wait until the process is gone and return its exit code."""
        return await self._process.wait()

    async def ready(self, health_port: int, *, longest_s: float = READY_S) -> None:
        """Wait until the service says that it is ready.

        Raises:
            Failure: It ended instead, or hangs.
        """
        ended = asyncio.create_task(self.ended())
        probed = asyncio.create_task(_until_ready(f"127.0.0.1:{health_port}"))
        done = await first_done(ended, probed, seconds=longest_s)
        if ended in done:
            raise self.failure("cli.service.did_not_start")
        if probed not in done:
            late = say("cli.service.hangs", service=self.called, seconds=round(longest_s))
            raise Failure(late, hint=self.hint)

    async def stop(self) -> None:
        """Ask the service to leave, wait for it, and end it where it does not."""
        if self._process.returncode is not None:
            return
        self.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def terminate(self) -> None:
        """Send SIGTERM; a second one ends a service at once."""
        if self._process.returncode is None:
            self._process.terminate()

    def failure(self, code: str) -> Failure:
        """Return the Failure for a service that has ended, told by a code of the catalogues."""
        with self._log.open("rb") as file:
            file.seek(self._start)
            written = file.read().decode("utf-8", errors="replace")
        reason = reason_of_end(written) or say("cli.service.exit_code", number=self._exit_code)
        return Failure(say(code, service=self.called, reason=reason), hint=self.hint)

    async def trim_log(self) -> None:
        """Put the log aside once it is large; the service goes on writing into the emptied file.

        What it writes between the copy and the emptying is lost, as with logrotate's copytruncate.
        """
        if self._log.stat().st_size > LARGEST_LOG:
            await asyncio.to_thread(shutil.copyfile, self._log, _next_aside(self._log))
            os.truncate(self._log, 0)
            self._start = 0

    @property
    def called(self) -> Words:
        """Its name in sentences."""
        return say(f"cli.service.{self.name}")

    @property
    def hint(self) -> Words:
        """Names the log."""
        return say("cli.service.log", path=str(self._log))

    @property
    def _exit_code(self) -> int:
        return self._process.returncode or 0


async def start_child(name: str, environ: Mapping[str, str], log: Path) -> Child:
    """Start `python -m <name>_service` with what it logs appended to `log`.

    The line on standard output that names its port is for others, and no line of a log.
    It has a process group of its own, so that Ctrl-C at the terminal reaches this command alone,
    and leaves when this command dies.
    """
    with _appended(log) as file:
        start = file.tell()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", f"{name}_service",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
            # The lines of grpc's core are no JSON, and go past any logger.
            env={"GRPC_VERBOSITY": "NONE", **environ, "PYTHONSAFEPATH": "1"}, process_group=0,
            preexec_fn=_leaves_with_parent(),
        )  # fmt: skip
    return Child(name, process, log, start)


def _appended(log: Path) -> BinaryIO:
    """Open a log at its end; one that has grown large is put aside first."""
    log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(_next_aside(log))
    return log.open("ab")


def _next_aside(log: Path) -> Path:
    """Return the free name of the newest log put aside; of the older ones the oldest is gone."""
    kept = [log.with_suffix(f".log.{number}") for number in range(1, KEPT_LOGS + 1)]
    for older, newer in zip(reversed(kept), reversed(kept[:-1]), strict=False):
        if newer.exists():
            newer.replace(older)
    return kept[0]


async def _until_ready(address: str) -> None:
    """Return once the health service at the address says READY."""
    request = health_pb2.HealthCheckRequest(service=READY)
    async with aio.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        while True:
            try:
                answer = await stub.Check(request, timeout=_PROBE_S)
            except aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                    raise
            else:
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
            await asyncio.sleep(_POLL_S)


def _leaves_with_parent() -> Callable[[], None] | None:
    """Return what a child runs before it becomes the service: SIGTERM when we are gone (Linux)."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def before() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

    return before


def reason_of_end(log: str) -> str:
    """Return why a service ended, from its log; empty where the log has no reason.

    Plain lines are written for people (settings that are wrong). Of the JSON lines the last error
    counts, with the text of what was raised; of a traceback the last line.
    """
    plain: list[str] = []
    error = ""
    for line in log.splitlines():
        record = _record(line)
        if record is None:
            plain.append(line)
        elif record.get("level") in _SEVERE:
            error = _sentence(record)
    return clean(error or "\n".join(_for_people(plain)).strip())


def _record(line: str) -> dict[str, object] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _sentence(record: dict[str, object]) -> str:
    errors = record.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return str(errors[0].get("text") or errors[0].get("class") or record.get("event"))
    return str(record.get("event", ""))


def _for_people(lines: list[str]) -> list[str]:
    """Return plain lines that are meant for a person; of a traceback the last one."""
    kept = [line for line in lines if line.strip() and not _NOISE.match(line)]
    if any(line.startswith("Traceback ") for line in kept):
        return kept[-1:]
    return kept[-_MOST_LINES:]
