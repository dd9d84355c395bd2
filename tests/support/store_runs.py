"""Builders for runs of workflows in the store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import Activity, NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunState,
)
from session_store.ports import Store
from session_store.records.runs import (
    EndedNode,
    NewRun,
    RunEnd,
    RunLease,
    StartedNode,
    TakenRun,
)
from tests.support.store_builders import opened
from tests.support.store_decisions import made, revision, turn_with

WELL = RunEnd(state=RunState.COMPLETED)
LOST = NodeFailure(code=RunErrorCode.TIMEOUT, message="it took too long", is_retryable=True)
BADLY = RunEnd(state=RunState.FAILED, failure=LOST)
MINUTE = timedelta(minutes=1)
OF_RUNS = RunChanged | NodeChanged | NodeExecutionFailed | Activity


def new_run(run_id: str = "run_1", workflow_id: str = "wf_1", **changes: Any) -> NewRun:
    """Return a run of the builders' workflow."""
    plain = NewRun(
        run_id=run_id,
        workflow=revision(1, workflow_id).workflow,
        decision_id="dec_1",
        inputs={"月": "十一月"},
        timeout=timedelta(minutes=10),
    )
    return replace(plain, **changes)


def node(path: str = "n0", state: NodeState = NodeState.RUNNING, **changes: Any) -> NodeRecord:
    """Return a node of a run, at its first attempt."""
    return replace(NodeRecord(path=path, state=state), **changes)


def failed(path: str = "n0", state: NodeState = NodeState.FAILED, **changes: Any) -> NodeRecord:
    """Return a node whose attempt failed."""
    return node(path, state, failure=LOST, **changes)


async def queued(
    store: Store, session_id: str = "s1", *, tenant: str = "t", **changes: Any
) -> SessionKey:
    """Open a session whose first turn begins a run, and return its key."""
    key = await opened(store, session_id, tenant=tenant)
    run = new_run(**changes)
    await turn_with(store, key, "m1", made(), workflows=(revision(),), runs=(run,))
    return key


async def taken(store: Store, run_id: str = "run_1", owner: str = "w1") -> TakenRun:
    """Take a run; it must be there to be taken."""
    found = await store.take_run(run_id, owner=owner)
    assert isinstance(found, TakenRun), found
    return found


async def working(store: Store, **changes: Any) -> tuple[SessionKey, RunLease]:
    """Open a session with a run that is taken."""
    key = await queued(store, **changes)
    return key, (await taken(store, changes.get("run_id", "run_1"))).lease


async def ran(
    store: Store, lease: RunLease, path: str = "n0", output: JsonValue = None, **more: Any
) -> None:
    """Have a node begin, and end well."""
    has_effect = more.pop("has_effect", False)
    await store.begin_node(lease, StartedNode(record=node(path), has_effect=has_effect))
    done = node(path, NodeState.COMPLETED, output=output)
    await store.end_node(lease, EndedNode(record=done, **more))


async def told_of_runs(store: Store, key: SessionKey, after: int = 0) -> list[OF_RUNS]:
    """Return what a session told of runs, in order."""
    events = await store.read_events(key, after, 5_000)
    return [each.body for each in events if isinstance(each.body, OF_RUNS)]


def words(bodies: list[OF_RUNS]) -> list[str]:
    """Return what events of runs say, a word or two for each."""
    return [_words(each) for each in bodies]


def _words(body: OF_RUNS) -> str:
    match body:
        case RunChanged(state=state):
            return f"run {state}"
        case NodeChanged(path=path, state=state, attempt=attempt):
            return f"{path} {state} {attempt}"
        case NodeExecutionFailed(path=path):
            return f"{path} spent"
        case Activity(state=state):
            return f"activity {state}"
