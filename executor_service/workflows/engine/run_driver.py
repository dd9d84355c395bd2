"""The body of a run: it is taken, stepped to its end, and given back where it waits long.

It is one coroutine over ports. What it knows is in the rows, so whoever takes the run after a death
comes to the same steps: nodes that ended are not run again, an attempt that began and did not end
is run again.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial

from executor_service.failpoints import Failpoint
from executor_service.workflows.engine.driven_run import DrivenRun
from executor_service.workflows.engine.driver_ports import (
    DriveEnd,
    Driven,
    DriverPorts,
    NodeEnd,
    RunBody,
    RunSteps,
)
from executor_service.workflows.engine.run_clock import first_of
from executor_service.workflows.engine.run_node import run_node
from executor_service.workflows.engine.run_telemetry import log_broken_off, run_span
from executor_service.workflows.schedule import (
    MOST_AT_ONCE,
    Schedule,
    cancelled,
    next_steps,
    step_order,
    unfinished,
)
from heartrule.chassis.background import pause_after
from heartrule.domain.errors import LeaseLost
from heartrule.domain.runs import (
    NodeFailure,
    NodeState,
    RunErrorCode,
    RunKind,
    RunState,
)
from session_store.records.runs import RunEnd, RunNotTaken, TakenRun

LONGEST_REST_S = 5.0
"""A run of which nothing runs and that waits longer gives its slot back."""

_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSES = 32


async def drive_through(
    run_id: str, ports: DriverPorts, *, owner: str, steps: RunSteps, leaving: asyncio.Event
) -> Driven:
    """Drive a run as `drive` does, again and again where that breaks.

    Each taking counts as a takeover, so that a run that breaks each time is failed by the store.
    """
    failures = 0
    while not leaving.is_set():
        try:
            return await drive(run_id, ports, owner=owner, steps=steps, leaving=leaving)
        except Exception as error:  # noqa: BLE001 - the store is away, or something is broken
            log_broken_off(run_id, error)
        failures += 1
        pause = pause_after(failures, first=_FIRST_PAUSE, most=_LONGEST_PAUSES)
        await first_of(ports.clock.sleep(pause.total_seconds()), leaving.wait())
    return Driven(end=DriveEnd.PAUSED, wake_after=0.0)


async def drive(
    run_id: str, ports: DriverPorts, *, owner: str, steps: RunSteps, leaving: asyncio.Event
) -> Driven:
    """Take a run and drive it, by its kind, until it is over, has to wait, or is lost.

    A cancellation ends it at once, without a further write.

    Args:
        run_id: The run.
        ports: What it stands on.
        owner: Names this worker.
        steps: Where its nodes are recorded.
        leaving: Once set, the run is given back for others to take.
    """
    taken = await ports.store.take_run(run_id, owner=owner)
    if isinstance(taken, RunNotTaken):
        if taken.key is not None:
            ports.publish(taken.key, taken.events)
        is_over = taken.key is None or taken.events
        return Driven(end=DriveEnd.ENDED if is_over else DriveEnd.NOT_TAKEN, key=taken.key)
    ports.failpoints.hit(Failpoint.RUN_OWNED)
    ports.publish(taken.lease.key, taken.events)
    bodies: Mapping[RunKind, RunBody] = {RunKind.WORKFLOW: WorkflowBody(ports), **ports.bodies}
    with run_span(taken) as span:
        try:
            driven = await bodies[taken.kind].drive(taken, steps=steps, leaving=leaving)
            driven = replace(driven, key=taken.lease.key)
        except LeaseLost:
            driven = Driven(end=DriveEnd.FENCED)
        span.set(outcome=driven.end.value)
        return driven


class WorkflowBody:
    """Runs the nodes of workflows."""

    def __init__(self, ports: DriverPorts) -> None:
        """Stand on `ports`."""
        self._ports = ports

    async def drive(self, taken: TakenRun, *, steps: RunSteps, leaving: asyncio.Event) -> Driven:
        """Step the nodes to the run's end, or give it back where it waits long."""
        steps.reserve(step_order(taken.progress.workflow))
        run = DrivenRun(taken, await self._ports.means_of(taken.lease.key), self._ports)
        driver = _Driver(run, steps, leaving)
        try:
            return await driver.drive()
        finally:
            await driver.stop()


class _Driver:
    """The nodes of one run that are under way, each a task."""

    def __init__(self, run: DrivenRun, steps: RunSteps, leaving: asyncio.Event) -> None:
        self._run, self._steps, self._leaving = run, steps, leaving
        self._nodes: dict[str, asyncio.Task[NodeEnd]] = {}

    async def drive(self) -> Driven:
        while True:
            # Beside the loop: each of a thousand edges may have a condition to compute.
            schedule = await self._run.ports.beside(next_steps, self._run.progress)
            self._run.note(schedule)
            if schedule.outcome is not None:
                return await self._finish(schedule, schedule.outcome)
            if self._run.time_left <= 0:
                return await self._time_out()
            self._start(schedule)
            rest = self._rest()
            if self._leaving.is_set() or rest > LONGEST_REST_S:
                return await self._pause(0.0 if self._leaving.is_set() else rest)
            await self._something()
            ended = [path for path, task in self._nodes.items() if task.done()]
            if NodeEnd.RUN_OVER in [self._nodes.pop(path).result() for path in ended]:
                return Driven(end=DriveEnd.ENDED)

    async def stop(self) -> None:
        """Cancel what is under way, and wait until it is."""
        tasks = list(self._nodes.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._nodes.clear()

    def _start(self, schedule: Schedule) -> None:
        for path in (*schedule.begun, *schedule.ready):
            is_new = path in schedule.ready
            if path in self._nodes or (is_new and len(self._nodes) >= MOST_AT_ONCE):
                continue
            node = self._steps.run(path, partial(run_node, self._run, path))
            self._nodes[path] = asyncio.ensure_future(node)

    def _rest(self) -> float:
        """Return for how long nothing runs: 0 where something does, infinity where none knows."""
        now = self._run.ports.clock.now()
        wakes = [self._run.resting(path) for path in self._nodes]
        return min((0.0 if wake is None else wake - now for wake in wakes), default=0.0)

    async def _something(self) -> None:
        """Return once a node ended or rests, the deadline has come, or the run is to be left."""
        await first_of(
            self._run.stirred(),
            self._leaving.wait(),
            self._run.ports.clock.sleep(self._run.time_left),
            beside=self._nodes.values(),
        )

    async def _pause(self, rest: float) -> Driven:
        await self.stop()
        wake_after = None if rest == math.inf else rest
        await self._run.pause(wake_after)
        return Driven(end=DriveEnd.PAUSED, wake_after=wake_after)

    async def _time_out(self) -> Driven:
        await self.stop()
        failure = NodeFailure(
            code=RunErrorCode.RUN_TIMEOUT,
            message="the run reached its deadline",
            is_retryable=False,
        )
        left = cancelled(self._run.progress, unfinished(self._run.progress))
        await self._run.finish(RunEnd(state=RunState.FAILED, failure=failure, nodes=left))
        return Driven(end=DriveEnd.ENDED)

    async def _finish(self, schedule: Schedule, outcome: RunState) -> Driven:
        await self.stop()
        progress = self._run.progress
        failures = [
            each.failure for each in progress.nodes.values() if each.state is NodeState.FAILED
        ]
        end = RunEnd(
            state=outcome,
            failure=next(filter(None, failures), None),
            nodes=cancelled(progress, schedule.cancelled),
        )
        await self._run.finish(end)
        return Driven(end=DriveEnd.ENDED)
