"""Runs of workflows: begun with their decision, written by the worker that has them, ended once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain.errors import LeaseLost, NotFound, NotReady, QuotaSpent
from heartrule.domain.model_call import Purpose
from heartrule.domain.runs import NodeState, RunErrorCode, RunState
from heartrule.domain.workflows import WorkflowStatus
from session_store.ports import Store
from session_store.records import Page
from session_store.records.kept_runs import RunFilter
from session_store.records.runs import (
    EndedNode,
    NewArtifact,
    RunNotTaken,
    RunPause,
    StartedNode,
)
from tests.support.clock import ManualClock
from tests.support.store_builders import LONG, call, opened
from tests.support.store_decisions import made, revision, submission, turn_with
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

LARGE = "长" * 6_000


async def test_a_run_begins_queued_with_its_decision(store: Store) -> None:
    """The step that made the decision writes it; the client is told that something goes on."""
    key = await queued(store, lands_in="小结")
    assert words(await told_of_runs(store, key)) == ["run queued", "activity began"]
    found = await store.get_run(key, "run_1")
    assert (found.run.state, found.run.decision_id) == (RunState.QUEUED, "dec_1")
    assert (found.workflow, found.inputs) == (new_run().workflow, new_run().inputs)
    assert (found.run.lands_in, found.run.is_announced) == ("小结", True)
    assert (found.run.name, bool(found.run.turn_id)) == (new_run().workflow.name, True)


async def test_an_operators_decision_begins_a_run(store: Store) -> None:
    """Between turns as within one."""
    key = await opened(store)
    await turn_with(store, key, "m1", made(), workflows=(revision(),))
    wanted = await submission(store, key, runs=(new_run(decision_id="op_1"),))
    outcome = await store.submit_decision(wanted)
    assert [type(each.body).__name__ for each in outcome.events] == [
        "DecisionMade",
        "DecisionValidated",
        "RunChanged",
        "Activity",
    ]
    assert (await store.get_run(key, "run_1")).run.turn_id == ""


async def test_a_run_is_done_node_by_node(store: Store) -> None:
    """Each begins and ends in a transaction; the end closes what is left."""
    key, lease = await working(store)
    await ran(store, lease, "n0", {"rows": [1, None, "二"]})
    await store.begin_node(lease, StartedNode(record=node("n1"), inputs={"a": 1}))
    await store.finish_run(lease, WELL)
    assert words(await told_of_runs(store, key))[2:] == [
        "run running",
        "n0 running 1",
        "n0 completed 1",
        "n1 running 1",
        "n1 cancelled 1",
        "run completed",
        "activity ended",
    ]
    found = await store.get_run(key, "run_1")
    assert (found.run.state, found.run.failure) == (RunState.COMPLETED, None)
    assert [each.record.output for each in found.nodes] == [{"rows": [1, None, "二"]}, None]
    assert found.nodes[1].inputs == {"a": 1}


async def test_who_takes_a_run_over_goes_on_behind_the_last_attempt(store: Store) -> None:
    """What had ended stays, what had not is to be tried again, and the one before is fenced."""
    key, first = await working(store)
    await ran(store, first, "n0", 1)
    await store.begin_node(first, StartedNode(record=node("n1")))
    second = await taken(store, owner="w2")
    assert second.progress.nodes["n0"] == node("n0", NodeState.COMPLETED, output=1)
    lost = second.progress.nodes["n1"]
    assert lost.failure is not None
    assert (lost.state, lost.failure.code) == (NodeState.RETRYING, RunErrorCode.WORKER_LOST)
    before = await store.read_events(key, 0)
    for write in (
        store.begin_node(first, StartedNode(record=node("n2"))),
        store.end_node(first, EndedNode(record=node("n1", NodeState.COMPLETED))),
        store.pause_run(first, RunPause()),
        store.finish_run(first, WELL),
    ):
        with pytest.raises(LeaseLost):
            await write
    assert await store.read_events(key, 0) == before


async def test_attempts_are_rows_of_their_own(store: Store) -> None:
    """A retry leaves the attempt before it as it ended."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node("n0")))
    again = EndedNode(record=failed("n0", NodeState.RETRYING), wake_after=MINUTE)
    await store.end_node(lease, again)
    second = node("n0", attempt=2, last_attempt=4, delay_s=0.5, failed_conditions=("a->b",))
    await store.begin_node(lease, StartedNode(record=second))
    await store.end_node(lease, EndedNode(record=replace(second, state=NodeState.COMPLETED)))
    found = await store.get_run(key, "run_1")
    assert [each.record for each in found.nodes] == [
        failed("n0", NodeState.RETRYING),
        replace(second, state=NodeState.COMPLETED),
    ]
    assert found.nodes[0].wake_time is not None


async def test_what_is_large_lies_apart(store: Store) -> None:
    """It is named by its hash in lists, and whole where the run goes on."""
    key, lease = await working(store)
    await ran(store, lease, "n0", [LARGE])
    await ran(store, lease, "n1", [LARGE])
    first, second = (await store.get_run(key, "run_1")).nodes
    assert (first.record.output, first.output_hash) == (None, second.output_hash)
    assert await store.get_run_value(key, "run_1", first.output_hash) == [LARGE]
    progress = await store.read_run_progress(key, "run_1")
    assert [each.output for each in progress.nodes.values()] == [[LARGE], [LARGE]]
    with pytest.raises(NotFound):
        await store.get_run_value(key, "run_1", "0" * 64)


async def test_what_is_too_large_is_not_kept(store: Store) -> None:
    """Neither a value of more than eight megabytes, nor one nested without end; nothing is."""
    key, lease = await working(store)
    deep: list[object] = []
    for _ in range(1_000):
        deep = [deep]
    await store.begin_node(lease, StartedNode(record=node("n0")))
    before = await store.read_events(key, 0)
    for output in ("x" * 9_000_000, deep):
        done = node("n0", NodeState.COMPLETED, output=output)
        with pytest.raises(QuotaSpent):
            await store.end_node(lease, EndedNode(record=done))
    many = tuple(NewArtifact(name=f"{n}", mime_type="a/b", content=b"") for n in range(9))
    with pytest.raises(QuotaSpent):
        await store.end_node(lease, EndedNode(record=node("n0"), artifacts=many))
    assert await store.read_events(key, 0) == before


async def test_a_run_keeps_sixty_four_megabytes(store: Store) -> None:
    """Values apart and files together; the node that passes it is not written."""
    _, lease = await working(store)
    for number in range(8):
        await ran(store, lease, f"n{number}", f"{number}" * 8_000_000)
    with pytest.raises(QuotaSpent):
        await ran(store, lease, "n8", "8" * 8_000_000)
    await ran(store, lease, "n9", "small")


async def test_files_are_read_one_by_one(store: Store) -> None:
    """A list has their names; what a node writes again takes the place of what it wrote."""
    key, lease = await working(store)
    chart = NewArtifact(name="图.png", mime_type="image/png", content=b"\x89PNG")
    await ran(store, lease, "n0", "图.png", artifacts=(replace(chart, content=b"old"),))
    await ran(store, lease, "n0", "图.png", artifacts=(chart,))
    (listed,) = (await store.get_run(key, "run_1")).artifacts
    assert (listed.path, listed.size, listed.content) == ("n0", 4, b"")
    found = await store.get_run_artifact(key, "run_1", "n0", "图.png")
    assert (found.content, found.mime_type) == (b"\x89PNG", "image/png")
    assert (await taken(store)).artifacts == (listed,)
    with pytest.raises(NotFound):
        await store.get_run_artifact(key, "run_1", "n1", "图.png")


async def test_a_nodes_model_calls_are_in_the_ledger(store: Store) -> None:
    """They name the run, and no turn."""
    key, lease = await working(store)
    await ran(store, lease, calls=(call("call_1", purpose=Purpose.WORKFLOW),))
    (kept,), _ = await store.list_ledger(key, Page())
    assert (kept.run_id, kept.turn_id, kept.call.call_id) == ("run_1", "", "call_1")


async def test_a_run_ends_once(store: Store) -> None:
    """Cancelled, it is fenced; cancelled again, or after its end, nothing changes."""
    key, lease = await working(store)
    await store.begin_node(lease, StartedNode(record=node("n0")))
    told = await store.cancel_run(key, "run_1")
    assert words([each.body for each in told.events]) == [  # type: ignore[misc]
        "n0 cancelled 1",
        "run cancelled",
        "activity ended",
    ]
    assert (await store.cancel_run(key, "run_1")).events == ()
    assert await store.take_run("run_1", owner="w2") == RunNotTaken()
    with pytest.raises(LeaseLost):
        await store.finish_run(lease, WELL)
    with pytest.raises(NotFound):
        await store.cancel_run(key, "run_9")


async def test_a_workflow_is_what_its_newest_run_is(store: Store) -> None:
    """RUNNING, COMPLETED, FAILED; a cancelled one leaves it READY."""
    key, seen = await queued(store), []

    async def status() -> WorkflowStatus:
        listed, _ = await store.list_workflows(key, Page())
        found = await store.get_workflow(key, "wf_1")
        assert listed == [found]
        return found.workflow.status

    async def again(run_id: str) -> None:
        run = new_run(run_id, decision_id=f"op_{run_id}")
        wanted = await submission(store, key, f"op_{run_id}", runs=(run,))
        await store.submit_decision(wanted)

    seen.append(await status())
    await store.cancel_run(key, "run_1")
    seen.append(await status())
    await again("run_2")
    await store.finish_run((await taken(store, "run_2")).lease, WELL)
    seen.append(await status())
    await again("run_3")
    await store.finish_run((await taken(store, "run_3")).lease, BADLY)
    seen.append(await status())
    assert seen == ["running", "ready", "completed", "failed"]


async def test_a_workflow_that_cannot_run_begins_no_run(store: Store) -> None:
    """Neither one that runs, nor one that failed; nothing of the decision is written."""
    key = await queued(store)
    wanted = await submission(store, key, runs=(new_run("run_2", decision_id="op_1"),))
    with pytest.raises(NotReady):
        await store.submit_decision(wanted)
    await store.finish_run((await taken(store)).lease, BADLY)
    wanted = await submission(store, key, runs=(new_run("run_2", decision_id="op_1"),))
    with pytest.raises(NotReady):
        await store.submit_decision(wanted)
    assert len((await store.list_runs(key, Page()))[0]) == 1


async def test_the_work_of_a_run_is_no_move_of_its_session(store: Store) -> None:
    """A decision judged before a node ended is written; one before the run's end is not."""
    key, lease = await working(store)
    judged = await submission(store, key)
    await ran(store, lease)
    assert (await store.submit_decision(judged)).events
    late = await submission(store, key, "op_2")
    await store.finish_run(lease, WELL)
    with pytest.raises(Exception, match="moved on"):
        await store.submit_decision(late)


async def test_runs_are_listed_by_workflow_and_state(store: Store) -> None:
    """In the order in which they were queued, a page at a time."""
    key = await opened(store)
    drafts = (revision(), revision(1, "wf_2"))
    both = (new_run(), new_run("run_2", "wf_2"))
    await turn_with(store, key, "m1", made(), workflows=drafts, runs=both)
    await store.cancel_run(key, "run_2")

    async def names(wanted: RunFilter) -> list[str]:
        return [each.run_id for each in (await store.list_runs(key, Page(), wanted))[0]]

    assert await names(RunFilter()) == ["run_1", "run_2"]
    assert await names(RunFilter(workflow_id="wf_2")) == ["run_2"]
    assert await names(RunFilter(state=RunState.QUEUED)) == ["run_1"]
    page, token = await store.list_runs(key, Page(size=1))
    rest, end = await store.list_runs(key, Page(size=1, token=token))
    assert ([each.run_id for each in (*page, *rest)], end) == (["run_1", "run_2"], "")


async def test_a_run_has_its_time(clocked: Store, clock: ManualClock) -> None:
    """It counts from the first taking, by the database's clock."""
    await queued(clocked)
    clock.move(LONG)
    first = await taken(clocked)
    clock.move(MINUTE)
    second = await taken(clocked, owner="w2")
    assert first.time_left == timedelta(minutes=10)
    assert timedelta(minutes=8, seconds=59) < second.time_left <= timedelta(minutes=9)
