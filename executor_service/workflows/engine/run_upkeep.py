"""What keeps runs going beside their workers: heartbeats, and a sweep over what was left behind."""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import timedelta

from executor_service.failpoints import Failpoint
from executor_service.workflows.engine.driver_ports import DriverPorts
from executor_service.workflows.engine.durable_engine import SILENT, DurableEngine
from executor_service.workflows.engine.run_queue import RunQueue
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from session_store.records.kept_runs import QueuedRun
from session_store.records.runs import RunEnd, TakenRun

LOG = logging.getLogger(__name__)
BEAT_S = 15.0
"""Between two heartbeats: a worker that misses three of them is not yet silent."""
SWEEP_S = 4.0
"""Between two sweeps: a run is resumed so long after its time, or its worker's silence, at most."""
# What one sweep takes up; the next one takes up the rest.
_AT_ONCE = 100
# What a sweep resumed is left alone for so long, whatever became of it.
_AGAIN_AFTER = timedelta(seconds=10)
_OLD = NodeFailure(
    code=RunErrorCode.ENGINE_VERSION,
    message="it was begun by a release whose runs this one cannot go on with",
    is_retryable=False,
)


class RunUpkeep:
    """Looks after the runs of all sessions; every worker does it, and none of them alone."""

    def __init__(self, ports: DriverPorts, engine: DurableEngine, queue: RunQueue) -> None:
        """Do nothing yet."""
        self._ports, self._engine, self._queue = ports, engine, queue
        self._store = ports.store

    async def beat(self) -> None:
        """Write that this worker lives."""
        await self._store.beat(self._engine.worker)

    async def sweep(self) -> None:
        """Resume what waits no more or has no worker, admit what waits, tidy up the queue."""
        due = await self._store.due_runs(_AT_ONCE, again_after=_AGAIN_AFTER)
        orphaned = await self._store.orphaned_runs(
            _AT_ONCE, silent=SILENT, again_after=_AGAIN_AFTER
        )
        found = dict.fromkeys((*due, *orphaned))
        if found:
            self._ports.failpoints.hit(Failpoint.SWEEP_LISTED)
            await self._engine.resume(tuple(found))
        for key in await self._store.find_admissible(SILENT, _AT_ONCE):
            await self._engine.admit(key)
        await self._end_older()
        await self._tidy()

    async def _end_older(self) -> None:
        """Fail the runs that no worker of this release can go on with."""
        for run_id in await self._queue.of_older_engines(_AT_ONCE):
            taken = await self._store.take_run(run_id, owner=self._engine.worker.worker_id)
            if isinstance(taken, TakenRun):
                self._ports.publish(taken.lease.key, taken.events)
                end = RunEnd(state=RunState.FAILED, failure=_OLD)
                written = await self._store.finish_run(taken.lease, end)
                self._ports.publish(taken.lease.key, written.events)
            await self._queue.forget([run_id])

    async def _tidy(self) -> None:
        """Put in what the queue lost, and have it forget what has ended.

        The queue is looked at first: what it knows and the store then lists no more has ended.
        """
        known = set(await self._queue.known(_AT_ONCE * 10))
        standing = {each.run_id: each for each in await self._standing()}
        if added := await self._queue.put_anew(standing.values()):
            LOG.info("runs were put into the queue again", extra={"count": added})
        await self._resume_taken(standing)
        await self._queue.forget(known - standing.keys() - set(self._engine.driven))

    async def _resume_taken(self, standing: Collection[str]) -> None:
        """Resume runs whose worker is gone, also where it died before it wrote that it has them."""
        taken = await self._queue.workers_of(standing)
        # Asked for behind that: a worker has told that it lives before it takes a run.
        living = {each.worker_id for each in await self._store.living_workers(SILENT)}
        await self._engine.resume([each for each, by in taken.items() if by not in living])

    async def _standing(self) -> list[QueuedRun]:
        found: list[QueuedRun] = []
        while page := await self._store.standing_runs(_AT_ONCE, found[-1].run_id if found else ""):
            found.extend(page)
        return found
