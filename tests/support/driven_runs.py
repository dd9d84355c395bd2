"""Runs of workflows on a real store in memory, with nodes and recoveries that tests write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.workflows.engine.driver_ports import Driven, DriverPorts, PlainSteps, RunMeans
from executor_service.workflows.engine.recoverer import Recovered
from executor_service.workflows.engine.run_driver import drive
from executor_service.workflows.nodes.node_access import NO_ACCESS
from executor_service.workflows.recovery import ABORT, apply_recovery, recovery_decision
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.schedule import next_steps
from heartrule.domain.decisions import (
    Decision,
    DecisionAuthor,
    DecisionState,
    Verdict,
)
from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunProgress,
    RunState,
)
from heartrule.domain.workflows import Workflow, WorkflowStatus
from session_store.open import open_in_memory
from session_store.records import DecisionChange, NewRevision, SubmittedDecision
from session_store.records.kept_runs import KeptRun
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import EndedNode, NewRun, RunEffect, RunEnd, RunLease
from session_store.sql.store import SqlStore
from tests.support.clock import ManualClock
from tests.support.store_builders import new_session
from tests.support.written_nodes import DyingStore, RunClockOnDemand, WrittenNodes

T = TypeVar("T")
ABORTED = NodeFailure(
    code=RunErrorCode.ABORTED, message="a recovery stopped it", is_retryable=False
)
RUN_TIME = timedelta(minutes=10)


class NoSpending:
    """Counts nothing."""

    async def allow(self, *, api_calls: int = 0, llm_tokens: int = 0) -> bool:
        return True

    async def add(self, *, llm_tokens: int) -> None:
        return None


@dataclass
class CoordinatorStandIn:
    """Recovers as the coordinator does, but without its gate."""

    store: Any
    default: RecoveryPlan = ABORT
    waits: bool = False
    """True: nothing is decided."""
    decided: list[str] = field(default_factory=list)

    async def recover(self, lease: RunLease, progress: RunProgress, failed: EndedNode) -> Recovered:
        if self.waits and not failed.is_spent:
            return Recovered()
        payload = recovery_decision(progress, failed.record, self.default)
        effect = None if self.waits else effect_of(lease, progress, payload)
        self.decided.append(f"{failed.record.path} {payload['recovery_plan']['action']}")  # type: ignore[index,call-overload]
        change = _change("error_recovery", payload)
        decisions = () if self.waits else (change,)
        told = failed if failed.is_spent else None
        recovery = NodeRecovery(failed=told, decisions=decisions, effect=effect)
        written = await self.store.decide_recovery(lease, recovery)
        return Recovered(effect=effect, events=written.events)


def effect_of(lease: RunLease, progress: RunProgress, payload: Mapping[str, Any]) -> RunEffect:
    """Return what a recovery changes of a run."""
    after = apply_recovery(progress, payload)
    changed = tuple(each for path, each in after.nodes.items() if each != progress.nodes.get(path))
    schedule = next_steps(after)
    end = None
    if schedule.outcome is RunState.FAILED:
        left = (
            replace(
                after.nodes.get(path, NodeRecord(path=path, state=NodeState.PENDING, attempt=0)),
                state=NodeState.CANCELLED,
            )
            for path in schedule.cancelled
        )
        end = RunEnd(state=RunState.FAILED, failure=ABORTED, nodes=(*changed, *left))
    return RunEffect(
        run_id=lease.run_id,
        token=lease.token,
        workflow=after.workflow if after.workflow is not progress.workflow else None,
        nodes=() if end else changed,
        end=end,
    )


class SeenFailpoints(Failpoints):
    """Notes the places that are visited."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Failpoint] = []

    def hit(self, place: Failpoint) -> None:
        self.seen.append(place)


async def directly(work: Callable[..., T], /, *args: object) -> T:
    """Do what else runs beside the loop at once."""
    return work(*args)


@dataclass
class RunWorld:
    """A session in a store in memory, runs of it, and what drives them."""

    store: SqlStore
    database_clock: ManualClock
    key: SessionKey
    nodes: WrittenNodes = field(default_factory=WrittenNodes)
    clock: RunClockOnDemand = field(default_factory=RunClockOnDemand)
    events: list[SessionEvent] = field(default_factory=list)
    failpoints: Failpoints = field(default_factory=SeenFailpoints)
    recoverer: CoordinatorStandIn = field(init=False)
    leaving: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.recoverer = CoordinatorStandIn(store=self.store)

    async def queue(self, plan: Workflow, **changes: Any) -> str:
        """Begin a run of a plan; return its id."""
        workflow_id = new_id("wf")
        ready = replace(plan, workflow_id=workflow_id, status=WorkflowStatus.READY)
        change = _change("execute_workflow", {"workflow_id": workflow_id})
        decision_id = change.decision.decision_id
        plain = NewRun(
            run_id=new_id("run"), workflow=ready, decision_id=decision_id, timeout=RUN_TIME
        )
        begun = replace(plain, **changes)
        revision = NewRevision(workflow=ready, decision_id=decision_id)
        session = await self.store.get_session(self.key)
        submitted = SubmittedDecision(
            key=self.key,
            change=change,
            workflows=(revision,),
            runs=(begun,),
            at_sequence=session.last_sequence,
        )
        await self.store.submit_decision(submitted)
        return begun.run_id

    def ports(self, store: Any = None) -> DriverPorts:
        """Return what a driver stands on; `store` is how its process sees the store."""
        seen: Any = DyingStore(self.store) if store is None else store
        return DriverPorts(
            store=seen,
            nodes=self.nodes,
            recoverer=replace(self.recoverer, store=seen, decided=self.recoverer.decided),
            means_of=self._means,
            publish=self._publish,
            failpoints=self.failpoints,
            clock=self.clock,
            beside=directly,
        )

    async def drive(self, run_id: str, *, owner: str = "w1", store: Any = None) -> Driven:
        """Drive a run until it is let go of."""
        return await drive(
            run_id, self.ports(store), owner=owner, steps=PlainSteps(), leaving=self.leaving
        )

    async def run(self, plan: Workflow, **changes: Any) -> KeptRun:
        """Drive a new run of a plan to its end, and return it."""
        run_id = await self.queue(plan, **changes)
        await self.drive(run_id)
        return await self.kept(run_id)

    async def kept(self, run_id: str) -> KeptRun:
        """Return a run as it is stored."""
        return (await self.store.get_run(self.key, run_id)).run

    async def progress(self, run_id: str) -> RunProgress:
        """Return how far a run is."""
        return await self.store.read_run_progress(self.key, run_id)

    async def states(self, run_id: str) -> dict[str, str]:
        """Return the states of a run's nodes."""
        return {path: str(each.state) for path, each in (await self.progress(run_id)).nodes.items()}

    async def decide(self, run_id: str, node_id: str, **plan: Any) -> None:
        """Decide about a failed node, as an operator does."""
        progress, run = await self.progress(run_id), await self.kept(run_id)
        payload = {"failed_node_id": node_id, "recovery_plan": plan}
        lease = RunLease(key=self.key, run_id=run_id, owner="", token=run.token)
        session = await self.store.get_session(self.key)
        submitted = SubmittedDecision(
            key=self.key,
            change=_change("error_recovery", payload),
            run_effects=(effect_of(lease, progress, payload),),
            at_sequence=session.last_sequence,
        )
        await self.store.submit_decision(submitted)

    async def _means(self, key: SessionKey) -> RunMeans:
        return RunMeans(access=NO_ACCESS, spending=NoSpending())

    def _publish(self, key: SessionKey, events: Iterable[SessionEvent]) -> None:
        self.events.extend(events)


async def a_world(**parts: Any) -> RunWorld:
    """Return a world with one session."""
    clock = ManualClock()
    store = open_in_memory(clock)
    await store.start()
    new = new_session()
    await store.create_session(new)
    return RunWorld(store=store, database_clock=clock, key=new.key, **parts)


async def until_dead(world: RunWorld, run_id: str, store: DyingStore, owner: str) -> bool:
    """Drive a run until it is let go of, or its process dies; return whether it died."""
    task = asyncio.ensure_future(world.drive(run_id, owner=owner, store=store))
    death = asyncio.ensure_future(store.dead.wait())
    await asyncio.wait({task, death}, return_when=asyncio.FIRST_COMPLETED)
    death.cancel()
    if task.done():
        task.result()
        return False
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return True


def _change(decision_type: str, payload: Mapping[str, Any]) -> DecisionChange:
    decision = Decision(
        decision_id=new_id("dec"),
        correlation_id="cor",
        decision_type=decision_type,
        payload=payload,
        author=DecisionAuthor.OPERATOR,
    )
    verdict = Verdict(is_valid=True, payload=payload)
    return DecisionChange(decision=decision, state=DecisionState.DONE, verdict=verdict)
