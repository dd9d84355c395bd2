"""The benchmark's own processes: started, asked, weighed by their CPU clock, and ended by pid."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import sqlite3
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import orjson

from tests.benchmarks.lines import LONGEST, Answer

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
LEAVE_S = 10.0
_KEPT = frozenset({"PATH", "HOME", "LANG", "TMPDIR"})
_CLOCK_OF_PROCESS = 2
"""CPUCLOCK_SCHED of Linux: user and system time of all threads, ended ones too, in nanoseconds."""


class ChildFailed(Exception):
    """A process of the benchmark did not start, or could not do what it was asked."""


class Child:
    """One process; its errors go to a file in the benchmark's folder."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, log: Path) -> None:
        """Wrap a started process."""
        self.name = name
        self.target = ""
        self._process = process
        self._log = log

    @classmethod
    async def start(
        cls, name: str, arguments: Sequence[str], *, folder: Path, environ: Mapping[str, str],
        python: str = sys.executable,
    ) -> Child:  # fmt: skip
        """Run Python with the arguments and wait until it says where it listens."""
        log = folder / f"{name}.log"
        base = {key: value for key, value in os.environ.items() if key in _KEPT}
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                python, *arguments, cwd=folder, limit=LONGEST,
                env={**base, "PYTHONPATH": str(ROOT), **environ},
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        child = cls(name, process, log)
        line = (await child._line(START_S)).decode()
        if " listening on " not in line:
            raise child._failed(f"wrote {line!r}")
        child.target = line.split()[-1]
        return child

    def cpu_s(self) -> float:
        """Return the CPU time used so far, of all threads: what /proc/PID/stat counts in ticks."""
        return time.clock_gettime((~self._process.pid << 3) | _CLOCK_OF_PROCESS)

    def thread_cpu_s(self) -> tuple[float, float]:
        """Return the CPU time of its main thread, and of all others that live."""
        seconds = {}
        for task in Path(f"/proc/{self._process.pid}/task").iterdir():
            fields = (task / "schedstat").read_text(encoding="ascii").split()
            seconds[int(task.name)] = int(fields[0]) / 1e9
        main = seconds.pop(self._process.pid)
        return main, sum(seconds.values())

    def memory_bytes(self) -> int:
        """Return what of its memory lies in RAM."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8").splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    def written_bytes(self) -> int:
        """Return what it has had written to disks so far."""
        lines = Path(f"/proc/{self._process.pid}/io").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes:"))

    @property
    def asks(self) -> bool:
        """Return whether it takes the load's commands itself, as it serves no clients."""
        return self.target.endswith(":0")

    async def ask(self, command: Answer, *, within_s: float = START_S) -> Answer:
        """Send a command and return its answer.

        Raises:
            ChildFailed: It answered with an error, or not in time.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(orjson.dumps(command) + b"\n")
        line = await self._line(within_s)
        answer: Answer = orjson.loads(line) if line else {"error": "it ended"}
        if "error" in answer:
            raise self._failed(str(answer["error"]))
        return answer

    async def stop(self) -> None:
        """End the process: politely, then not."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(LEAVE_S):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _line(self, within_s: float) -> bytes:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(within_s):
                return await self._process.stdout.readline()
        except TimeoutError:
            raise self._failed(f"wrote nothing for {within_s:g} s") from None

    def _failed(self, what: str) -> ChildFailed:
        return ChildFailed(f"{self.name}: {what}\n{self._log.read_text()[-2000:]}")


async def stop_all(children: Iterable[Child]) -> None:
    """End every process, the last started first."""
    for child in reversed(tuple(children)):
        await child.stop()


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def _cpu_name() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
