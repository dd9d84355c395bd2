"""The durable engine over a world of runs, launched in the process of a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from executor_service.workflows.engine.durable_engine import DurableEngine
from executor_service.workflows.engine.run_queue import VERSION, RunQueue
from executor_service.workflows.engine.run_taker import RunTaker
from executor_service.workflows.engine.run_upkeep import RunUpkeep
from heartrule.domain.runs import RunState
from session_store.records.kept_runs import QueuedRun, RunWorker
from session_store.sql.run_database import RunDatabase, open_run_database
from tests.support.driven_runs import RunWorld


class Durable:
    """An engine with its upkeep."""

    def __init__(
        self,
        world: RunWorld,
        database: RunDatabase,
        *,
        worker_id: str,
        slots: int,
    ) -> None:
        ports = world.ports()
        self.world = world
        self.queue = RunQueue(database)
        taker = RunTaker(database, worker_id=worker_id, slots=slots)
        worker = RunWorker(worker_id=worker_id, slots=slots, version=VERSION)
        self.engine = DurableEngine(ports, self.queue, taker, worker=worker)
        self.upkeep = RunUpkeep(ports, self.engine, self.queue)

    async def started(self, plan: Any, **changes: Any) -> str:
        """Queue a run of a plan and admit it; return its id."""
        run_id = await self.world.queue(plan, **changes)
        await self.engine.admit(self.world.key)
        return run_id

    async def queued(self, plan: Any) -> QueuedRun:
        """Queue a run of a plan, and leave it there."""
        run = await self.world.kept(await self.world.queue(plan))
        assert run.create_time is not None
        return QueuedRun(
            key=run.key, run_id=run.run_id, priority=run.priority, create_time=run.create_time
        )

    async def over(self, run_id: str) -> RunState:
        """Return how a run ended, once it has."""
        while (await self.world.kept(run_id)).end_time is None:
            await self.engine.wait(run_id)
        return await self.settled(run_id)

    async def settled(self, run_id: str) -> RunState:
        """Return the state of a run, once nothing is done for it."""
        await self.engine.wait(run_id)
        return (await self.world.kept(run_id)).state


@asynccontextmanager
async def durable(
    world: RunWorld,
    address: str,
    *,
    worker_id: str = "w1",
    slots: int = 2,
) -> AsyncIterator[Durable]:
    """Give a launched engine; it leaves at the end."""
    database = await asyncio.to_thread(open_run_database, address)
    made = Durable(world, database, worker_id=worker_id, slots=slots)
    try:
        await made.engine.launch()
        yield made
    finally:
        await made.engine.aclose(0)
        await asyncio.to_thread(database.close)
