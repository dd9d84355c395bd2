"""Runs that go on whatever dies: DBOS says who works on which, our rows say how far each is."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Collection, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import timedelta

from executor_service.failpoints import Failpoint
from executor_service.workflows.engine.driver_ports import DriveEnd, Driven, DriverPorts, RunSteps
from executor_service.workflows.engine.engine_state import EngineState
from executor_service.workflows.engine.run_driver import drive
from executor_service.workflows.engine.run_queue import RunQueue
from executor_service.workflows.engine.run_taker import RunTaker
from executor_service.workflows.engine.run_telemetry import log_broken_off
from heartrule.chassis.background import pause_after
from heartrule.domain.keys import SessionKey
from session_store.records.kept_runs import QueuedRun, RunWorker

SILENT = timedelta(seconds=60)
"""A worker that was silent for so long has died, or stands still."""
_SUSPECT = 2
"""Takeovers behind which a run is driven with no other such run beside it."""
_LOOK_S = 0.2
"""Between two looks at a run that another process works on."""
_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSES = 32


class DurableEngine:
    """Starts, stops and resumes runs, and drives those that this process takes, if it takes any."""

    def __init__(
        self, ports: DriverPorts, queue: RunQueue, taker: RunTaker | None, *, worker: RunWorker
    ) -> None:
        """Take no run yet.

        Args:
            ports: What runs stand on.
            queue: Where runs wait.
            taker: None: this process takes none.
            worker: This process, as others know it.
        """
        self._ports, self._queue, self._taker, self.worker = ports, queue, taker, worker
        self._launching = asyncio.Lock()
        self._context = contextvars.Context()
        self._is_launched = False
        self._is_closing = False
        self._leaving = asyncio.Event()
        self._driven: dict[str, asyncio.Task[bool]] = {}
        self._retries: dict[str, asyncio.Task[None]] = {}
        self._failures: dict[str, int] = {}
        self._left: set[str] = set()
        self._alone = asyncio.Lock()

    @property
    def driven(self) -> Collection[str]:
        """Return the runs that are driven here."""
        return tuple(self._driven)

    async def launch(self) -> None:
        """Take runs from now on; a second call changes nothing."""
        async with self._launching:
            if self._taker is None or self._is_launched or self._is_closing:
                return
            await self._ports.store.beat(self.worker)
            # DBOS calls from a thread of its own, which knows neither logs nor traces.
            self._context = contextvars.copy_context()
            await self._taker.launch(self._work_on)
            self._is_launched = True

    async def admit(self, key: SessionKey) -> None:
        """Start the queued runs of a session that its share of the workers has room for."""
        for run in await self._ports.store.admit_runs(key, SILENT):
            await self.start(run)

    async def start(self, run: QueuedRun) -> None:
        """Put a run into the queue; a repeat changes nothing."""
        self._ports.failpoints.hit(Failpoint.RUN_ADMITTED)
        await self.launch()
        await self._queue.put(run)

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run, here at once, elsewhere within about a second."""
        if task := self._driven.get(run_id):
            task.cancel()
            await asyncio.wait({task})
        if retry := self._retries.pop(run_id, None):
            retry.cancel()
        await self._queue.stop([run_id])

    async def resume(self, run_ids: Collection[str]) -> None:
        """Put runs in again that wait no more, or whose worker went away."""
        idle = [run_id for run_id in run_ids if run_id not in self._driven]
        if idle:
            await self.launch()
            await self._queue.go_on(idle)

    async def wait(self, run_id: str) -> None:
        """Return once nothing is done for a run, by whichever process."""
        busy = {EngineState.QUEUED, EngineState.RUNNING}
        while (await self._queue.states([run_id]))[run_id] in busy:
            if task := self._driven.get(run_id):
                await asyncio.wait({task})
            else:
                await self._ports.clock.sleep(_LOOK_S)

    async def status(self, run_ids: Collection[str]) -> Mapping[str, EngineState]:
        """Return what is done for each of the runs."""
        return await self._queue.states(run_ids)

    async def aclose(self, grace_s: float) -> None:
        """Let what runs end for so long, and have others go on with the rest."""
        self._is_closing = True
        for retry in self._retries.values():
            retry.cancel()
        tasks = list(self._driven.values())
        if tasks and grace_s > 0:
            await asyncio.wait(tasks, timeout=grace_s)
        self._leaving.set()
        await asyncio.gather(*tasks, *self._retries.values(), return_exceptions=True)
        if self._is_launched and self._taker is not None:
            await self._taker.stop()
            await self._ports.store.forget_worker(self.worker.worker_id)
        self._ports.failpoints.hit(Failpoint.HANDING_OVER)
        await self._queue.go_on(self._left)
        await self._queue.aclose()

    async def _work_on(self, run_id: str, steps: RunSteps) -> bool:
        """Drive a run that was taken from the queue; True: it is over."""
        if self._is_closing:
            self._left.add(run_id)
        if self._is_closing or run_id in self._driven:
            return False
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._drive(run_id, steps), context=self._context.copy())
        self._driven[run_id] = task
        try:
            return await task
        finally:
            task.cancel()
            del self._driven[run_id]

    async def _drive(self, run_id: str, steps: RunSteps) -> bool:
        try:
            async with await self._place(run_id):
                driven = await drive(
                    run_id,
                    self._ports,
                    owner=self.worker.worker_id,
                    steps=steps,
                    leaving=self._leaving,
                )
        except Exception as error:  # noqa: BLE001 - the store is away, or something is broken
            return self._broken_off(run_id, error)
        except asyncio.CancelledError:
            # The queue took it away: it was cancelled, as its rows say, or who had it before has
            # let go of it only now.
            self._retry(run_id)
            raise
        try:
            await self._let_go(run_id, driven)
        except Exception as error:  # noqa: BLE001 - DBOS would keep its text
            return self._broken_off(run_id, error)
        self._failures.pop(run_id, None)
        return driven.end is DriveEnd.ENDED

    async def _place(self, run_id: str) -> AbstractAsyncContextManager[None]:
        """Return what to hold while a run is driven.

        Of runs whose workers died again and again one may be what kills them: it is driven without
        the others, so that they outlive it.
        """
        is_suspect = await self._ports.store.takeovers_of(run_id) >= _SUSPECT
        return self._alone if is_suspect else nullcontext()

    async def _let_go(self, run_id: str, driven: Driven) -> None:
        """Take a run that waits out of the queue: what it waits for, or the sweep, resumes it."""
        if driven.end is DriveEnd.PAUSED and self._leaving.is_set():
            self._left.add(run_id)
        elif driven.end is DriveEnd.PAUSED:
            await self._queue.stop([run_id])
        elif driven.end is DriveEnd.ENDED and driven.key is not None:
            await self.admit(driven.key)

    def _broken_off(self, run_id: str, error: Exception) -> bool:
        """Have a run go on whose rows say how far it is; it is not over."""
        log_broken_off(run_id, error)
        self._retry(run_id)
        return False

    def _retry(self, run_id: str) -> None:
        """Have a run that broke off go on; each taking counts, so that the store gives it up."""
        if not self._is_closing:
            self._failures[run_id] = self._failures.get(run_id, 0) + 1
            self._retries[run_id] = asyncio.ensure_future(self._resumed_later(run_id))

    async def _resumed_later(self, run_id: str) -> None:
        pause = pause_after(self._failures[run_id], first=_FIRST_PAUSE, most=_LONGEST_PAUSES)
        await self._ports.clock.sleep(pause.total_seconds())
        self._retries.pop(run_id, None)
        await self._queue.go_on([run_id])
