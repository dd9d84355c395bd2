"""Worker processes for work that would hold up the event loop: large scripts, agents' decisions.

Work is a function of a module, with arguments and a result that pickle. A worker is a new Python
(never a fork of a process that serves gRPC), spawned when it is first needed; it imports the
function's module and what that needs. It ends with its parent, whose pipe it reads.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Annotated, TypeAlias, TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process
from pydantic import Field

from heartrule.chassis.settings import Seconds, Settings
from heartrule.domain.errors import DeadlinePassed, QuotaSpent

T = TypeVar("T")
AtOnce: TypeAlias = Annotated[int, Field(ge=1, le=64)]
"""Worker processes of one kind."""
WORKER_LOST = "WORKER_LOST"
"""The reason where a piece of work ended each worker that began it."""
log = logging.getLogger(__name__)

# Each that waits holds its arguments, up to a megabyte.
MOST_WAITING = 16
# Workers yield the processor to the conversations of their parent.
_NICENESS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """What one kind of work may have."""

    limit_s: float
    """Seconds that it may take, the start of its worker aside."""
    wait_s: float
    """Seconds that it may wait for a worker."""
    at_once: int
    """Workers."""


class WorkerSettings(Settings):
    """Worker processes, in which scripts are checked."""

    check_limit: Seconds = 5.0
    """Seconds a check, a publication or an outline may take; then its worker is killed."""
    check_wait: Seconds = 10.0
    """Seconds it may wait for a worker; then it is refused, to be repeated."""
    checks_at_once: AtOnce = 2
    """Worker processes at once, each of 40 to 150 MB; none before the first script is checked."""
    rehearsal_limit: Seconds = 20.0
    """Seconds the rehearsals of one script may take in the console; they are played one script at a
    time, in a worker process of their own."""

    @property
    def limits(self) -> WorkerLimits:
        """Return the limits of the workers that check scripts."""
        return WorkerLimits(
            limit_s=self.check_limit, wait_s=self.check_wait, at_once=self.checks_at_once
        )

    @property
    def rehearsals(self) -> WorkerLimits:
        """Return the limits of the worker that plays rehearsals."""
        return WorkerLimits(limit_s=self.rehearsal_limit, wait_s=1.0, at_once=1)


class WorkerPool:
    """Runs work in worker processes, a few at once."""

    def __init__(self, limits: WorkerLimits, *, imports: str = "") -> None:
        """No process is spawned before the first `run`.

        Args:
            limits: What the work may have.
            imports: A module that workers import beside the work's own, within their start.
        """
        self._imports = imports
        self._limit, self._wait = limits.limit_s, limits.wait_s
        self._free = anyio.Semaphore(limits.at_once)
        self._processes = CapacityLimiter(limits.at_once)
        self._starts: set[asyncio.Task[None]] = set()

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return the result of the work, or raise its exception.

        A caller that is cancelled has its worker killed; the next work spawns another.

        Raises:
            QuotaSpent: All workers are busy, and enough work is waiting or it waited too long.
            QuotaSpent: No worker could be started.
            QuotaSpent: Its worker was lost, and each one that was spawned for it, too.
            DeadlinePassed: The work took longer than it may; its worker was killed.
        """
        await self._acquire()
        try:
            await self._start(work)
            with anyio.move_on_after(self._limit):
                return await self._run(work, *args)
        finally:
            self._free.release()
        raise DeadlinePassed(
            f"the work took longer than {self._limit:g} seconds",
            reason="WORK_TOO_LONG",
            metadata={"stage": work.__name__},
        )

    async def _start(self, work: Callable[..., T]) -> None:
        """Return when a worker has imported what the work needs.

        The start goes on where the caller leaves: nobody else knows of a process that is not
        ready yet, and would end it.
        """
        start = asyncio.create_task(self._run(_imported, work, self._imports))
        self._starts.add(start)  # the loop itself holds a task weakly
        start.add_done_callback(self._starts.discard)
        try:
            await asyncio.shield(start)
        except QuotaSpent as error:
            raise QuotaSpent(
                "no worker could be started", reason="NO_WORKER", metadata=error.metadata
            ) from error

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        """Do the work; workers that ended while they had nothing to do are passed over."""
        for _ in range(int(self._processes.total_tokens) + 1):
            try:
                return await to_process.run_sync(
                    _work, work, args, cancellable=True, limiter=self._processes
                )
            except BrokenWorkerProcess:
                log.warning("a worker was lost", extra={"work": work.__name__})
        raise QuotaSpent(
            "the workers ended before the work was done",
            reason=WORKER_LOST,
            metadata={"subject": "workers"},
        )

    async def _acquire(self) -> None:
        if self._free.statistics().tasks_waiting < MOST_WAITING:
            with anyio.move_on_after(self._wait):
                return await self._free.acquire()
        raise QuotaSpent(
            "all workers are busy",
            reason="WORKERS_BUSY",
            metadata={"subject": "workers"},
            retry_after=timedelta(seconds=self._limit),
        )


def _imported(_work: Callable[..., object], module: str) -> None:
    """Import a module; that of the function was imported as the worker read these arguments."""
    if module:
        import_module(module)


def _work(work: Callable[..., T], args: tuple[object, ...]) -> T:
    """Do the work; runs in a worker."""
    # Ctrl-C reaches the whole group of a terminal: the parent decides when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpriority"):  # Windows has none; only root may lower its own again
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(own, _NICENESS))
    return work(*args)
