"""Decisions about runs: failure, decision, verdict and effect at once; others stop meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain.decision_events import DecisionMade, DecisionRejected, DecisionValidated
from heartrule.domain.decisions import DecisionAuthor, DecisionState
from heartrule.domain.errors import LeaseLost, NotReady, RevisionConflict
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.runs import NodeState, RunState, SkipReason
from heartrule.domain.safety import SafetyLevel
from session_store.ports import Store
from session_store.records import DecisionChange, Page, SafetyClosing
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import (
    EndedNode,
    NewArtifact,
    RunEffect,
    RunLease,
    RunPause,
    StartedNode,
)
from tests.support.store_builders import accept, begun, last_step, opened
from tests.support.store_decisions import (
    REJECTED,
    VALID,
    decided,
    made,
    revision,
    submission,
    turn_with,
)
from tests.support.store_runs import (
    BADLY,
    MINUTE,
    WELL,
    failed,
    new_run,
    node,
    queued,
    ran,
    taken,
    told_of_runs,
    words,
    working,
)
from tests.support.store_safety import raised

SPENT = EndedNode(record=failed(state=NodeState.WAITING_DECISION, attempt=3), is_spent=True)
AGAIN = node(state=NodeState.PENDING, attempt=4, last_attempt=6, delay_s=1.0)


def recovery(decision_id: str = "rec_1", verdict: object = VALID) -> DecisionChange:
    """Return a decision of the coordinator."""
    change = made(decision_id, verdict)  # type: ignore[arg-type]
    by = replace(decided(decision_id), author=DecisionAuthor.COORDINATOR)
    return replace(change, decision=by, action_instance_id="")


def effect(token: int, **changes: object) -> RunEffect:
    """Return a retry of the node that failed."""
    plain = RunEffect(run_id="run_1", token=token, nodes=(AGAIN,))
    return replace(plain, **changes)  # type: ignore[arg-type]


async def waiting(store: Store) -> tuple[SessionKey, RunLease]:
    """Return a session whose run waits for a decision about its node."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node(attempt=3)))
    await store.end_node(lease, SPENT)
    await store.pause_run(lease, RunPause(state=RunState.WAITING_DECISION))
    return key, lease


async def test_a_recovery_takes_effect_with_its_verdict(store: Store) -> None:
    """Failed, made, validated, and the node again: one transaction, in this order."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node(attempt=3)))
    wanted = NodeRecovery(failed=SPENT, decisions=(recovery(),), effect=effect(lease.token))
    told = await store.decide_recovery(lease, wanted)
    assert [type(each.body) for each in told.events] == [
        NodeChanged,
        NodeExecutionFailed,
        DecisionMade,
        DecisionValidated,
        NodeChanged,
    ]
    assert {each.turn_id for each in told.events} == {""}
    assert (await store.get_decision(key, "rec_1")).state is DecisionState.DONE
    assert (await store.read_run_progress(key, "run_1")).nodes == {"n0": AGAIN}
    await store.begin_node(lease, StartedNode(record=replace(AGAIN, state=NodeState.RUNNING)))


async def test_a_recovery_changes_the_runs_own_copy(store: Store) -> None:
    """MODIFY leaves the revision as it is."""
    key, lease = await working(store)
    other = revision(2).workflow
    wanted = NodeRecovery(decisions=(recovery(),), effect=effect(lease.token, workflow=other))
    await store.decide_recovery(lease, wanted)
    assert (await store.read_run_progress(key, "run_1")).workflow == other
    assert (await taken(store)).progress.workflow == other
    assert (await store.get_workflow(key, "wf_1")).workflow.nodes == revision().workflow.nodes


async def test_a_recovery_may_end_the_run(store: Store) -> None:
    """ABORT: the rest is cancelled, and the worker is fenced."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node("n1")))
    over = effect(lease.token, nodes=(), end=replace(BADLY, nodes=(failed(),)))
    await store.decide_recovery(lease, NodeRecovery(decisions=(recovery(),), effect=over))
    assert words(await told_of_runs(store, key))[-4:] == [
        "n0 failed 1",
        "n1 cancelled 1",
        "run failed",
        "activity ended",
    ]
    with pytest.raises(LeaseLost):
        await store.finish_run(lease, WELL)


async def test_a_new_plan_is_a_revision_and_a_run_at_once(store: Store) -> None:
    """The run that keeps results has them from its beginning on, files included (D10)."""
    key, lease = await working(store)
    large = node("n0", NodeState.COMPLETED, output=["长" * 6_000])
    chart = NewArtifact(name="图.png", mime_type="image/png", content=b"\x89PNG")
    await ran(store, lease, "n0", large.output, artifacts=(chart,))
    await store.pause_run(lease, RunPause(state=RunState.WAITING_DECISION))
    token = (await store.get_run(key, "run_1")).run.token
    plan = revision(2, decision_id="op_1")
    ready = replace(plan, workflow=replace(plan.workflow, status=revision().workflow.status))
    kept = new_run(
        "run_2", workflow=ready.workflow, decision_id="op_1", replaces="run_1", kept=(large,)
    )
    over = effect(token, nodes=(), end=BADLY)
    wanted = await submission(store, key, workflows=(ready,), runs=(kept,), run_effects=(over,))
    told = await store.submit_decision(wanted)
    kinds = [type(each.body).__name__ for each in told.events]
    assert kinds[1:5] == ["DecisionValidated", "WorkflowChanged", "RunChanged", "NodeChanged"]
    found = await taken(store, "run_2")
    assert found.progress.nodes == {"n0": large}
    assert [each.name for each in found.artifacts] == ["图.png"]


async def test_a_rejected_recovery_leaves_the_run_waiting(store: Store) -> None:
    """It is told and remembered; nothing of the run changes but its failed node."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node(attempt=3)))
    wanted = NodeRecovery(failed=SPENT, decisions=(recovery(verdict=REJECTED),))
    await store.decide_recovery(lease, wanted)
    await store.pause_run(lease, RunPause(state=RunState.WAITING_DECISION))
    assert (await store.get_run(key, "run_1")).run.state is RunState.WAITING_DECISION


async def test_what_replaces_a_rejected_recovery_is_made_behind_its_verdict(
    store: Store,
) -> None:
    """Made, rejected, made, validated, and the end of the run: in one transaction (D14)."""
    _, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node(attempt=3)))
    both = (recovery(verdict=REJECTED), recovery("rec_2"))
    over = effect(lease.token, nodes=(), end=replace(BADLY, nodes=(failed(attempt=3),)))
    told = await store.decide_recovery(
        lease, NodeRecovery(failed=SPENT, decisions=both, effect=over)
    )
    kinds = [type(each.body) for each in told.events[2:7]]
    assert kinds == [DecisionMade, DecisionRejected, DecisionMade, DecisionValidated, NodeChanged]


async def test_an_operators_recovery_wakes_a_run_that_waits(store: Store) -> None:
    """It is due at once, and goes on with what was decided."""
    key, lease = await waiting(store)
    kept = (await store.get_run(key, "run_1")).run
    skipped = node(
        state=NodeState.SKIPPED,
        attempt=3,
        skip_reason=SkipReason.RECOVERY,
        failure=SPENT.record.failure,
    )
    wanted = effect(kept.token, nodes=(skipped,))
    await store.submit_decision(await submission(store, key, run_effects=(wanted,)))
    assert (await store.get_run(key, "run_1")).run.state is RunState.RUNNING
    assert await store.due_runs(9, again_after=MINUTE) == ("run_1",)
    assert (await taken(store)).progress.nodes == {"n0": skipped}
    with pytest.raises(LeaseLost):
        await store.finish_run(lease, WELL)


async def test_an_agents_recovery_is_part_of_its_step(store: Store) -> None:
    """Its events are the turn's, after the verdict."""
    key, _ = await waiting(store)
    token = (await store.get_run(key, "run_1")).run.token
    turn = await turn_with(store, key, "m2", made("rec_1"), run_effects=(effect(token),))
    told = [each.body for each in await store.read_turn(key, turn.turn_id)]
    kinds = [type(each) for each in told]
    place = kinds.index(DecisionValidated)
    assert kinds[place + 1 : place + 3] == [NodeChanged, RunChanged]


async def test_a_decision_about_a_run_that_moved_is_judged_anew(store: Store) -> None:
    """Taken since, or ended: nothing of it is written."""
    key, _ = await waiting(store)
    token = (await store.get_run(key, "run_1")).run.token
    late = await submission(store, key, run_effects=(effect(token - 1),))
    with pytest.raises(RevisionConflict):
        await store.submit_decision(late)
    await store.cancel_run(key, "run_1")
    late = await submission(store, key, run_effects=(effect(token),))
    with pytest.raises(RevisionConflict):
        await store.submit_decision(late)


async def test_while_one_waits_the_others_stop_between_two_nodes(store: Store) -> None:
    """They begin nothing, and go on once it is decided (D16)."""
    key = await opened(store)
    both = (new_run(), new_run("run_2", "wf_2"))
    drafts = (revision(), revision(1, "wf_2"))
    await turn_with(store, key, "m1", made(), workflows=drafts, runs=both)
    first, second = (await taken(store)).lease, (await taken(store, "run_2")).lease
    await store.begin_node(second, StartedNode(record=node("n0")))
    await store.pause_run(first, RunPause(state=RunState.WAITING_DECISION))
    await store.end_node(second, EndedNode(record=node("n0", NodeState.COMPLETED)))
    before = await store.read_events(key, 0)
    stopped = await store.begin_node(second, StartedNode(record=node("n1")))
    assert (stopped.is_stopped, stopped.events) == (True, ())
    assert await store.read_events(key, 0) == before
    await store.pause_run(second, RunPause(state=RunState.INTERRUPTED))
    assert await store.due_runs(9, again_after=MINUTE) == ()
    await store.cancel_run(key, "run_1")
    assert await store.due_runs(9, again_after=MINUTE) == ("run_2",)
    again = (await taken(store, "run_2")).lease
    assert not (await store.begin_node(again, StartedNode(record=node("n1")))).is_stopped


async def test_a_frozen_session_takes_no_decision_about_a_run(store: Store) -> None:
    """Nothing is written while a safety level freezes it; nodes go on."""
    key, lease = await working(store)
    await accept(store, key, "danger")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    await ran(store, lease)
    with pytest.raises(NotReady):
        await store.decide_recovery(lease, NodeRecovery(decisions=(recovery(),)))
    wanted = await submission(store, key, run_effects=(effect(lease.token),))
    with pytest.raises(NotReady):
        await store.submit_decision(wanted)
    assert (await store.list_decisions(key, Page()))[0][-1].decision.decision_id == "dec_1"


@pytest.mark.parametrize("by_operator", [True, False])
async def test_what_waits_is_due_once_nothing_freezes_the_session(
    store: Store, *, by_operator: bool
) -> None:
    """Whether an operator closes the path or a turn comes off it."""
    key, _ = await waiting(store)
    await accept(store, key, "danger")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    assert await store.due_runs(9, again_after=MINUTE) == ()
    if by_operator:
        await store.close_safety(key, SafetyClosing(operator="ann"))
    else:
        await accept(store, key, "calm")
        snapshot = await begun(store, key)
        calm = raised(SafetyLevel.CONCERN, raised=False, card=None, alert=False)
        await store.commit_step(snapshot.lease, last_step(snapshot, safety=calm))
    assert await store.due_runs(9, again_after=MINUTE) == ("run_1",)


async def test_a_delay_is_a_time_of_the_database(store: Store) -> None:
    """A run that waits for longer is not due, and is not taken."""
    key = await queued(store)
    lease = (await taken(store)).lease
    await store.pause_run(lease, RunPause(wake_after=timedelta(hours=9)))
    assert await store.due_runs(9, again_after=MINUTE) == ()
    found = (await store.get_run(key, "run_1")).run
    assert found.wake_time == found.deadline
