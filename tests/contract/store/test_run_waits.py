"""What a run waits for when somebody takes it: each node's own time, and decisions."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.runs import NodeState, RunState
from session_store.ports import Store
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import EndedNode, RunEffect, RunPause, StartedNode
from tests.support.store_builders import AT_ONCE, opened
from tests.support.store_decisions import made, revision, turn_with
from tests.support.store_runs import MINUTE, failed, new_run, node, taken, working

RETRYING = NodeState.RETRYING


async def test_a_retry_keeps_its_time_whoever_takes_the_run(store: Store) -> None:
    """What is left of a delay is given with the run; what is due is not."""
    _, lease = await working(store)
    for path, wait in (("n0", MINUTE), ("n1", AT_ONCE)):
        await store.begin_node(lease, StartedNode(record=node(path)))
        ended = EndedNode(record=failed(path, RETRYING), wake_after=wait)
        await store.end_node(lease, ended)
    waits = (await taken(store, owner="w2")).waits
    assert set(waits) == {"n0"}
    assert MINUTE / 2 < waits["n0"] <= MINUTE


async def test_a_recovery_has_a_delay_of_its_own(store: Store) -> None:
    """The node that is tried again waits for it; an attempt before it no longer counts."""
    _, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node()))
    spent = EndedNode(record=failed(state=NodeState.WAITING_DECISION), is_spent=True)
    again = failed(state=RETRYING, last_attempt=3, delay_s=60.0)
    effect = RunEffect(run_id="run_1", token=lease.token, nodes=(again,))
    await store.decide_recovery(lease, NodeRecovery(failed=spent, effect=effect))
    assert set((await taken(store, owner="w2")).waits) == {"n0"}


async def test_what_a_worker_stopped_itself_is_not_lost(store: Store) -> None:
    """A worker that let go of a run died over none of its nodes."""
    _, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node()))
    await store.pause_run(lease, RunPause(wake_after=timedelta(0)))
    assert (await taken(store, owner="w2")).progress.nodes["n0"] == node()


async def test_a_run_that_stops_for_what_is_decided_by_now_goes_on(store: Store) -> None:
    """The decision may come between a node that did not begin and the run's pause."""
    _, lease = await working(store)
    await store.pause_run(lease, RunPause(state=RunState.INTERRUPTED))
    assert await store.due_runs(9, again_after=MINUTE) == ("run_1",)


async def test_what_stopped_for_a_run_goes_on_once_that_is_taken_again(store: Store) -> None:
    """Nobody waits for a decision any more; should it wait again, they stop again (D16)."""
    key = await opened(store)
    both = (new_run(), new_run("run_2", "wf_2"))
    drafts = (revision(), revision(1, "wf_2"))
    await turn_with(store, key, "m1", made(), workflows=drafts, runs=both)
    first, second = (await taken(store)).lease, (await taken(store, "run_2")).lease
    pause = RunPause(state=RunState.WAITING_DECISION, wake_after=timedelta(0))
    await store.pause_run(first, pause)
    await store.pause_run(second, RunPause(state=RunState.INTERRUPTED))
    assert await store.due_runs(9, again_after=MINUTE) == ("run_1",)
    await taken(store)
    assert await store.due_runs(9, again_after=MINUTE) == ("run_2",)
