"""Runs in tasks of this process: for a workflow that is run from a file, and for rehearsals."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from executor_service.workflows.engine.driver_ports import DriveEnd, DriverPorts, PlainSteps
from executor_service.workflows.engine.engine_state import EngineState
from executor_service.workflows.engine.run_clock import first_of
from executor_service.workflows.engine.run_driver import drive_through
from session_store.records.kept_runs import QueuedRun


@dataclass(slots=True, kw_only=True)
class _Inline:
    """The task of one run."""

    task: asyncio.Task[None] | None = None
    state: EngineState = EngineState.QUEUED
    resumed: asyncio.Event = field(default_factory=asyncio.Event)


class InlineEngine:
    """Keeps nothing but tasks: what a process leaves behind, the next one resumes by its rows."""

    def __init__(self, ports: DriverPorts, *, owner: str, slots: int) -> None:
        """`slots` runs are driven at once; `owner` names this process in their rows."""
        self._ports, self._owner = ports, owner
        self._slots = asyncio.Semaphore(slots)
        self._leaving = asyncio.Event()
        self._runs: dict[str, _Inline] = {}

    async def start(self, run: QueuedRun) -> None:
        """Drive a run as soon as there is a slot; first come, first served."""
        self._begin(run.run_id)

    async def resume(self, run_ids: Collection[str]) -> None:
        """Drive runs that nothing is done for, and those that sleep, at once."""
        for run_id in run_ids:
            if run_id in self._runs:
                self._runs[run_id].resumed.set()
            self._begin(run_id)

    async def cancel(self, run_id: str) -> None:
        """Stop driving a run."""
        if (run := self._runs.get(run_id)) and run.task:
            run.task.cancel()
            await asyncio.wait({run.task})

    async def wait(self, run_id: str) -> None:
        """Return once a run is over, or waits without a time of its own."""
        if (run := self._runs.get(run_id)) and run.task:
            await asyncio.wait({run.task})

    async def status(self, run_ids: Collection[str]) -> Mapping[str, EngineState]:
        """Return what is done for each run here; one that is over is unknown."""
        known = {run_id: run.state for run_id, run in self._runs.items()}
        return {run_id: known.get(run_id, EngineState.UNKNOWN) for run_id in run_ids}

    async def aclose(self, grace_s: float) -> None:
        """Let what runs end for so long, then give the rest back to the store."""
        tasks = [run.task for run in self._runs.values() if run.task]
        if tasks and grace_s > 0:
            await asyncio.wait(tasks, timeout=grace_s)
        self._leaving.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, run_id: str) -> None:
        if run_id not in self._runs and not self._leaving.is_set():
            run = self._runs[run_id] = _Inline()
            run.task = asyncio.create_task(self._work(run_id, run), name=f"run {run_id}")

    async def _work(self, run_id: str, run: _Inline) -> None:
        """Drive a run until it is over, or waits for somebody."""
        try:
            while not self._leaving.is_set():
                async with self._slots:
                    run.state = EngineState.RUNNING
                    run.resumed.clear()
                    driven = await drive_through(
                        run_id,
                        self._ports,
                        owner=self._owner,
                        steps=PlainSteps(),
                        leaving=self._leaving,
                    )
                run.state = EngineState.AT_REST
                if driven.end is not DriveEnd.PAUSED:
                    return
                if driven.wake_after is None and not run.resumed.is_set():
                    return
                sleep = self._ports.clock.sleep(driven.wake_after or 0.0)
                await first_of(sleep, run.resumed.wait(), self._leaving.wait())
                run.state = EngineState.QUEUED
        finally:
            del self._runs[run_id]
