"""Composes what runs workflows; imported with the first run, and by nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import replace

from executor_service.decisions.recovering import CoordinatorRecoveries
from executor_service.decisions.session_spending import SessionSpending
from executor_service.process_runs import ComposedRuns, RunParts
from executor_service.sub_agents.sub_agent_body import SubAgentBody, SubAgentPorts
from executor_service.workflows.engine.driver_ports import DriverPorts, RunBody, RunMeans
from executor_service.workflows.engine.durable_engine import SILENT, DurableEngine
from executor_service.workflows.engine.inline_engine import InlineEngine
from executor_service.workflows.engine.run_queue import VERSION, RunQueue
from executor_service.workflows.engine.run_taker import RunTaker
from executor_service.workflows.engine.run_telemetry import count_ends
from executor_service.workflows.engine.run_upkeep import BEAT_S, SWEEP_S, RunUpkeep
from executor_service.workflows.nodes.node_attempts import Nodes
from executor_service.workflows.nodes.registry import standard_nodes
from executor_service.workflows.sandbox.tiered_sandbox import TieredSandbox
from heartrule.chassis.background import every
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind
from session_store.records.kept_runs import RunWorker
from session_store.sql.run_database import open_run_database

_AT_ONCE = 100


def compose(parts: RunParts, worker_id: str) -> ComposedRuns:
    """Return what runs workflows; nothing is launched or connected yet."""
    given = parts.given
    nodes = standard_nodes(given.model, TieredSandbox(given.sandboxes))

    async def means_of(key: SessionKey) -> RunMeans:
        policy = parts.gate.policies.of(key.tenant)
        spending = SessionSpending(store=given.store, key=key, policy=policy)
        return RunMeans(access=parts.access.of(key.tenant), spending=spending)

    def publish(key: SessionKey, events: Iterable[SessionEvent]) -> None:
        told = tuple(events)
        count_ends(told)
        parts.hub.publish(key, told)

    recoverer = CoordinatorRecoveries(
        given.store, parts.gate.read_session, given.new_id, judging=parts.gate.judging
    )
    ports = DriverPorts(
        store=given.store,
        nodes=nodes,
        recoverer=recoverer,
        means_of=means_of,
        publish=publish,
        failpoints=parts.failpoints,
    )
    ports = replace(ports, bodies=_bodies(parts, ports))
    worker = RunWorker(worker_id=worker_id, slots=parts.slots, version=VERSION)
    if given.run_address:
        return DurableRuns(ports, nodes, address=given.run_address, worker=worker)
    return InlineRuns(ports, nodes, worker=worker)


def _bodies(parts: RunParts, ports: DriverPorts) -> dict[RunKind, RunBody]:
    """Return what drives runs of other kinds than workflows."""
    given, threads = parts.given, parts.threads
    sub_agents = SubAgentPorts(
        store=given.store,
        agents=threads.agents,
        model=given.model,
        means_of=ports.means_of,
        publish=ports.publish,
        failpoints=ports.failpoints,
        make_id=given.new_id,
        readable=threads.check,
    )
    return {RunKind.SUB_AGENT: SubAgentBody(sub_agents)}


class DurableRuns:
    """The engine that other processes may share, with its database, nodes and upkeep."""

    def __init__(
        self, ports: DriverPorts, nodes: Nodes, *, address: str, worker: RunWorker
    ) -> None:
        """Connect nothing yet; `address` is the store's."""
        self._nodes = nodes
        self._database = open_run_database(address)
        queue = RunQueue(self._database)
        taker = None
        if worker.slots:
            taker = RunTaker(self._database, worker_id=worker.worker_id, slots=worker.slots)
        self._engine = DurableEngine(ports, queue, taker, worker=worker)
        self._upkeep = RunUpkeep(ports, self._engine, queue)
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Take runs from now on; one that takes none leaves the upkeep to others, too."""
        await self._engine.launch()
        if self._engine.worker.slots:
            self._tasks = [
                asyncio.create_task(every(BEAT_S, self._upkeep.beat)),
                asyncio.create_task(every(SWEEP_S, self._upkeep.sweep)),
            ]

    async def admit(self, key: SessionKey) -> None:
        """Put the queued runs of a session in that its share has room for."""
        await self._engine.admit(key)

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on."""
        await self._engine.resume(run_ids)

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run, in whichever process."""
        await self._engine.cancel(run_id)

    async def aclose(self, grace_s: float) -> None:
        """Let what runs end for so long; others go on with the rest."""
        await _ended(self._tasks)
        if self._tasks:
            # The last one: a grace beyond a minute lets others take what runs here still.
            await self._upkeep.beat()
        await self._engine.aclose(grace_s)
        await self._nodes.aclose()
        await asyncio.to_thread(self._database.close)


class InlineRuns:
    """Runs in tasks of a process whose store ends with it, as in rehearsals."""

    def __init__(self, ports: DriverPorts, nodes: Nodes, *, worker: RunWorker) -> None:
        """Run nothing yet."""
        self._store, self._nodes, self._worker = ports.store, nodes, worker
        self._engine = InlineEngine(ports, owner=worker.worker_id, slots=worker.slots)
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Look now and then for what waits no more."""
        await self._store.beat(self._worker)
        self._tasks = [asyncio.create_task(every(SWEEP_S, self._sweep))]

    async def admit(self, key: SessionKey) -> None:
        """Start the queued runs of a session that its share has room for."""
        for run in await self._store.admit_runs(key, SILENT):
            await self._engine.start(run)

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on."""
        await self._engine.resume(run_ids)

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run."""
        await self._engine.cancel(run_id)

    async def aclose(self, grace_s: float) -> None:
        """Let what runs end for so long; the rest ends with the store."""
        await _ended(self._tasks)
        await self._engine.aclose(grace_s)
        await self._nodes.aclose()

    async def _sweep(self) -> None:
        await self._store.beat(self._worker)
        await self._engine.resume(await self._store.due_runs(_AT_ONCE, again_after=SILENT))
        for key in await self._store.find_admissible(SILENT, _AT_ONCE):
            await self.admit(key)


async def _ended(tasks: Collection[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
