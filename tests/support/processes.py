"""Services as processes of their own: started, watched, and ended by pid."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from heartrule.domain.ids import new_id

ROOT = Path(__file__).resolve().parents[2]
START_S = 60.0
"""A service that does not listen within this has failed to start."""


@dataclass(slots=True)
class Service:
    """One running service process."""

    process: asyncio.subprocess.Process
    port: int
    log: Path

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    async def died(self) -> int:
        """Wait for its end and return the code; a signal is a negative number.

        Raises:
            TimeoutError: It did not end; the text holds the end of its log.
        """
        try:
            async with asyncio.timeout(START_S):
                return await self.process.wait()
        except TimeoutError as error:
            raise TimeoutError(f"it did not end:\n{self.log.read_text()[-2000:]}") from error

    async def stop(self) -> int:
        """Ask it to leave and return its code."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await self.died()

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process.returncode is None:
            self.process.kill()


async def start_service(module: str, folder: Path, environ: Mapping[str, str]) -> Service:
    """Start `python -m module` in a folder and wait until it listens.

    Raises:
        RuntimeError: It ended first; the text holds the end of its log.
    """
    log = folder / f"{new_id(module)}.log"
    base = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            cwd=folder,
            env={**base, "PYTHONPATH": str(ROOT), **environ},
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
    assert process.stdout is not None
    async with asyncio.timeout(START_S):
        line = (await process.stdout.readline()).decode()
    if "listening on" not in line:
        await process.wait()
        raise RuntimeError(f"{module} did not start:\n{log.read_text()[-2000:]}")
    return Service(process=process, port=int(line.rsplit(":", 1)[1]), log=log)


@asynccontextmanager
async def service(module: str, folder: Path, environ: Mapping[str, str]) -> AsyncIterator[Service]:
    """Run a service for the length of a block; it is killed where it has not ended."""
    started = await start_service(module, folder, environ)
    try:
        yield started
    finally:
        started.kill()
        await started.process.wait()
