"""A session whose run has a node that failed, in a store in memory, and the coordinator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import DecisionPolicies
from executor_service.decisions.recovering import CoordinatorRecoveries
from executor_service.decisions.stored_session import StoredSessions
from executor_service.ports import WorkPool
from executor_service.workflows.engine.recoverer import Recovered
from heartrule.domain.errors import RevisionConflict
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeFailure, NodeState, RunErrorCode
from heartrule.domain.workflows import Node, Workflow, WorkflowStatus
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.records import NewRevision
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import EndedNode, RunLease, RunWritten, StartedNode
from session_store.sql.store import SqlStore
from tests.support.store_builders import opened
from tests.support.store_decisions import made, turn_with
from tests.support.store_runs import new_run, node, ran, taken
from tests.support.workflow_builders import a_node, a_plan

TIMED_OUT = NodeFailure(code=RunErrorCode.TIMEOUT, message="no answer in 30 s", is_retryable=True)


def a_failing_plan(failing: Node | None = None) -> Workflow:
    """Return a plan of `before`, then `call`, which is to fail, then `after`."""
    call = failing or a_node("call")
    plan = a_plan(a_node("before"), call, a_node("after"), edges=["before>call", "call>after"])
    return replace(plan, workflow_id="wf_1", status=WorkflowStatus.READY)


class ConflictingStore:
    """A store whose recoveries come too late, so many times."""

    def __init__(self, store: Any, times: int) -> None:
        self._store = store
        self._times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def decide_recovery(self, lease: RunLease, recovery: NodeRecovery) -> RunWritten:
        """Write it, or say that the run moved on."""
        if self._times:
            self._times -= 1
            raise RevisionConflict("the run moved on", reason="RUN_MOVED")
        written: RunWritten = await self._store.decide_recovery(lease, recovery)
        return written


@dataclass
class FailingRun:
    """A run that a worker has; `before` completed in it, and `call` runs."""

    store: SqlStore
    key: SessionKey
    lease: RunLease
    pauses: list[float] = field(default_factory=list)
    """What the coordinator waited for, in seconds."""

    async def recover(
        self,
        failure: NodeFailure = TIMED_OUT,
        *,
        store: Any = None,
        policies: DecisionPolicies | None = None,
        pool: WorkPool | None = None,
        is_spent: bool = True,
        **changes: Any,
    ) -> Recovered:
        """Have the coordinator decide about `call`, whose attempt failed for good."""
        record = node("call", NodeState.WAITING_DECISION, failure=failure)
        failed = EndedNode(record=replace(record, **changes), is_spent=is_spent)
        progress = await self.store.read_run_progress(self.key, self.lease.run_id)
        progress = replace(progress, nodes={**progress.nodes, "call": failed.record})
        seen = store or self.store
        coordinator = CoordinatorRecoveries(
            seen,
            StoredSessions(store=seen, policies=policies or DecisionPolicies()),
            new_id,
            judging=JudgingBeside(pool or InlinePool()),
            sleep=self._sleep,
        )
        return await coordinator.recover(self.lease, progress, failed)

    async def states(self) -> dict[str, str]:
        """Return the states of the run and of its nodes as they are stored."""
        progress = await self.store.read_run_progress(self.key, self.lease.run_id)
        found = (await self.store.get_run(self.key, self.lease.run_id)).run
        nodes = {path: each.state.value for path, each in progress.nodes.items()}
        return {"run": found.state.value, **nodes}

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


async def a_failing_run(
    store: SqlStore,
    failing: Node | None = None,
    copied: Callable[[Workflow], Workflow] | None = None,
) -> FailingRun:
    """Begin a run of `a_failing_plan` in a new session, up to its second node.

    `copied` makes the run's own copy another one than the session's revision.
    """
    plan = a_failing_plan(failing)
    own = copied(plan) if copied else plan
    key = await opened(store)
    revision = NewRevision(workflow=plan, decision_id="dec_1")
    run = new_run(workflow=own, inputs={})
    await turn_with(store, key, "m1", made(), workflows=(revision,), runs=(run,))
    lease = (await taken(store)).lease
    await ran(store, lease, "before", {"n": 1})
    await store.begin_node(lease, StartedNode(record=node("call")))
    return FailingRun(store=store, key=key, lease=lease)
