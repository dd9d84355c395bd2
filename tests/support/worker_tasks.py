"""What tests have worker processes do; workers import this module."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import NoReturn

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.offloaded import check
from heartrule.chassis.worker_pool import WorkerPool, WorkerSettings
from heartrule.domain.errors import FieldViolation, InvalidRequest
from tests.support.scripts import ask_script


def own_pid() -> int:
    """Return which process works."""
    return os.getpid()


def own_niceness() -> int:
    """Return how far the process that works stands back."""
    return os.getpriority(os.PRIO_PROCESS, 0)


async def _print_niceness() -> None:
    workers = WorkerPool(WorkerSettings().limits)
    sys.stdout.write(f"{own_niceness()} {await workers.run(own_niceness)}")


def spin() -> NoReturn:
    """Never end."""
    while True:
        pass


def crash() -> NoReturn:
    """End the process without a word."""
    os._exit(1)


def read_line(pipe: str) -> int:
    """Return the process that works, when somebody has written a line into the pipe."""
    with Path(pipe).open() as line:
        line.readline()
    return os.getpid()


def refuse() -> NoReturn:
    """Raise an error with all it may hold."""
    raise InvalidRequest(
        "no", reason="TESTED", violations=[FieldViolation(field="f", description="d")]
    )


def imported() -> list[str]:
    """Return the modules of a worker."""
    return sorted(sys.modules)


def imported_to_check() -> list[str]:
    """Return the modules of a worker that has checked a script."""
    check({"s.yaml": ask_script().encode()}, "s.yaml", LintEnvironment())
    return imported()


if __name__ == "__main__":
    asyncio.run(_print_niceness())
