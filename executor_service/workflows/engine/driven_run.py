"""A run in the hands of the worker that took it: how far it is, and the writes that move it on."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn

from executor_service.failpoints import Failpoint
from executor_service.workflows.engine.driver_ports import DriverPorts, RunMeans
from executor_service.workflows.schedule import Schedule
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, NodeState, RunProgress, RunState
from session_store.records.runs import (
    EndedNode,
    RunEffect,
    RunEnd,
    RunPause,
    StartedNode,
    TakenRun,
)


class DrivenRun:
    """One run under one lease; every write is fenced by it and raises LeaseLost once it is lost."""

    def __init__(self, taken: TakenRun, means: RunMeans, ports: DriverPorts) -> None:
        """Go on with a run as it was taken."""
        self.lease, self.means, self.ports = taken.lease, means, ports
        self.progress: RunProgress = taken.progress
        self.files = {each.name: each.path for each in taken.artifacts}
        """The node that wrote each file, by the file's name."""
        self.is_stopped = False
        """Another run of the session waits for a decision: no attempt begins here (D16)."""
        now = ports.clock.now()
        self._ends_at = now + taken.time_left.total_seconds()
        self._due = {path: now + left.total_seconds() for path, left in taken.waits.items()}
        self._resting: dict[str, float] = {}
        self._stirred = asyncio.Event()
        self._skips: dict[str, NodeRecord] = {}
        self._conditions: dict[str, tuple[str, ...]] = {}
        self._recovering = asyncio.Lock()

    # --- time -----------------------------------------------------------------------------------

    @property
    def time_left(self) -> float:
        """Return the seconds until its deadline."""
        return self._ends_at - self.ports.clock.now()

    def resting(self, path: str) -> float | None:
        """Return when a node that rests goes on, as its clock tells it; None: it does not rest."""
        return self._resting.get(path)

    async def rest(self, path: str) -> None:
        """Wait until the next attempt of a node is due."""
        due = self._due.pop(path, 0.0)
        seconds = due - self.ports.clock.now()
        if seconds > 0:
            await self._rest_until(path, due, self.ports.clock.sleep(seconds))

    async def stand(self, path: str) -> NoReturn:
        """Wait for what only a later taking of the run can know of: a decision, an interruption."""
        await self._rest_until(path, math.inf, asyncio.get_running_loop().create_future())
        raise AssertionError("nothing ends it but a cancellation")

    async def stirred(self) -> None:
        """Return once a node has begun to rest since the last call."""
        await self._stirred.wait()
        self._stirred.clear()

    async def _rest_until(self, path: str, due: float, waiting: Awaitable[None]) -> None:
        top = path.partition("/")[0]
        self._resting[top] = due
        self._stirred.set()
        try:
            await waiting
        finally:
            del self._resting[top]

    # --- what is known and not written yet ------------------------------------------------------

    def note(self, schedule: Schedule) -> None:
        """Keep what a schedule found out; it is written with the next node that begins."""
        self._conditions |= schedule.failed_conditions
        for path, reason in schedule.skipped.items():
            self._skips[path] = self._merged(
                NodeRecord(
                    path=path,
                    state=NodeState.SKIPPED,
                    attempt=0,
                    skip_reason=reason,
                    failed_conditions=self._conditions.pop(path, ()),
                )
            )

    def failed_conditions(self, path: str) -> tuple[str, ...]:
        """Return the edges to a node that begins whose condition could not be computed."""
        return self._conditions.get(path, ())

    # --- writes ---------------------------------------------------------------------------------

    async def begin(self, record: NodeRecord, inputs: JsonValue, *, has_effect: bool) -> bool:
        """Write that an attempt begins; False: nothing begins now, as the run was stopped.

        Raises:
            QuotaSpent: There is no room for the inputs; nothing was written.
        """
        skips, self._skips = self._skips, {}
        started = StartedNode(
            record=record, inputs=inputs, has_effect=has_effect, skipped=tuple(skips.values())
        )
        is_written = False
        try:
            async with self.ports.writing:
                begun = await self.ports.store.begin_node(self.lease, started)
            is_written = not begun.is_stopped
        finally:
            if not is_written:
                self._skips = skips | self._skips
        self.is_stopped = self.is_stopped or begun.is_stopped
        self._ends_at = self.ports.clock.now() + begun.time_left.total_seconds()
        if is_written:
            self.ports.failpoints.hit(Failpoint.NODE_BEGAN)
            self.publish(begun.events)
            self._merged(record)
        return is_written

    async def end(self, ended: EndedNode) -> None:
        """Write how an attempt ended.

        Raises:
            QuotaSpent: There is no room for its output or its files; nothing was written.
        """
        async with self.ports.writing:
            written = await self.ports.store.end_node(self.lease, ended)
        self.ports.failpoints.hit(Failpoint.NODE_ENDED)
        self.publish(written.events)
        self._merged(ended.record)
        self.files |= dict.fromkeys((each.name for each in ended.artifacts), ended.record.path)
        if ended.wake_after is not None:
            self._let_rest(ended.record.path, ended.wake_after.total_seconds())

    async def recover(self, failed: EndedNode) -> bool:
        """Have it decided what follows a failure whose retries are spent; True: the run is over.

        One decision at a time, since each may change the run's copy of its workflow.
        """
        async with self._recovering:
            self.ports.failpoints.hit(Failpoint.BEFORE_DECISION)
            self._merged(failed.record)
            recovered = await self.ports.recoverer.recover(self.lease, self.progress, failed)
            self.ports.failpoints.hit(Failpoint.AFTER_DECISION)
            self.publish(recovered.events)
            return recovered.effect is not None and self._take_effect(recovered.effect)

    async def pause(self, wake_after: float | None) -> None:
        """Give the run's slot back; None: what it waits for wakes it."""
        waits = any(
            each.state is NodeState.WAITING_DECISION for each in self.progress.nodes.values()
        )
        state = RunState.WAITING_DECISION if waits else RunState.RUNNING
        pause = RunPause(
            state=RunState.INTERRUPTED if self.is_stopped else state,
            wake_after=None if wake_after is None else timedelta(seconds=max(0.0, wake_after)),
        )
        written = await self.ports.store.pause_run(self.lease, pause)
        self.publish(written.events)

    async def finish(self, end: RunEnd) -> None:
        """End the run, with what is not written yet of its nodes."""
        self.ports.failpoints.hit(Failpoint.BEFORE_FINISH)
        known = {**self._skips, **{each.path: each for each in end.nodes}}
        written = await self.ports.store.finish_run(
            self.lease, replace(end, nodes=tuple(known.values()))
        )
        self.ports.failpoints.hit(Failpoint.AFTER_FINISH)
        self.publish(written.events)

    def publish(self, events: Sequence[SessionEvent]) -> None:
        """Hand on what a transaction emitted."""
        self.ports.publish(self.lease.key, events)

    # --------------------------------------------------------------------------------------------

    def _take_effect(self, effect: RunEffect) -> bool:
        if effect.end is not None:
            return True
        if effect.workflow is not None:
            self.progress = replace(self.progress, workflow=effect.workflow)
        for record in effect.nodes:
            self._merged(record)
            if record.state is NodeState.RETRYING:
                self._let_rest(record.path, record.delay_s)
        return False

    def _let_rest(self, path: str, seconds: float) -> None:
        self._due[path] = self.ports.clock.now() + seconds

    def _merged(self, record: NodeRecord) -> NodeRecord:
        nodes = {**self.progress.nodes, record.path: record}
        self.progress = replace(self.progress, nodes=nodes)
        return record
