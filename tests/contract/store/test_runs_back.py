"""Runs where turns are taken back, forks are made, sessions are erased, or outputs have aged."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import LeaseLost, NotFound
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeState, RunState
from heartrule.domain.sent_effects import SentEffect
from heartrule.domain.workflows import WorkflowStatus
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from session_store.records.kept_runs import RunLanding
from session_store.records.runs import EndedNode, NewArtifact, RunLease, RunNotTaken, StartedNode
from tests.support.store_builders import AT_ONCE, accept, begun, last_step
from tests.support.store_decisions import made, revision, submission, turn_with
from tests.support.store_runs import (
    WELL,
    new_run,
    node,
    ran,
    taken,
    told_of_runs,
    words,
    working,
)

CHART = NewArtifact(name="图.png", mime_type="image/png", content=b"\x89PNG")


async def second_run(store: Store) -> tuple[SessionKey, RunLease, RunLease]:
    """Lead a session to a second turn, which takes a run's end up and begins another run."""
    key, first = await working(store)
    await ran(store, first, "n0", ["长" * 6_000], artifacts=(CHART,), has_effect=True)
    await store.finish_run(first, WELL)
    begun_then = new_run("run_2", "wf_2", decision_id="dec_2")
    await turn_with(
        store,
        key,
        "m2",
        made("dec_2"),
        workflows=(revision(1, "wf_2", "dec_2"),),
        runs=(begun_then,),
        runs_taken_up=("run_1",),
    )
    second = (await taken(store, "run_2")).lease
    await ran(store, second, "mail", has_effect=True)
    await store.begin_node(second, StartedNode(record=node("again"), has_effect=True))
    await ran(store, second, "think")
    return key, first, second


async def names(store: Store, key: SessionKey) -> list[tuple[str, RunState]]:
    """Return every listed run with its state."""
    return [(each.run_id, each.state) for each in (await store.list_runs(key, Page()))[0]]


async def test_a_retry_cancels_what_the_turn_began(store: Store) -> None:
    """Its worker is fenced, and what went out is listed, not undone (One product 6)."""
    key, _, second = await second_run(store)
    order = RetryOrder(key=key, text="再来", client_message_id="again")
    told = await store.retry_turn(order)
    sent = (SentEffect(run_id="run_2", path="mail"), SentEffect(run_id="run_2", path="again"))
    assert told.rewound.sent_effects == sent
    (read,) = await store.read_events(key, told.rewound_sequence - 1, 1)
    assert read.body == told.rewound
    after = await told_of_runs(store, key, told.rewound_sequence)
    assert words(after) == ["again cancelled 1", "run cancelled", "activity ended"]
    assert await names(store, key) == [("run_1", RunState.COMPLETED)]
    with pytest.raises(LeaseLost):
        await ran(store, second, "late")
    found = (await store.get_run(key, "run_2")).run
    assert (found.state, found.is_taken_back) == (RunState.CANCELLED, True)


async def test_a_retry_gives_back_the_ends_that_the_turn_took_up(store: Store) -> None:
    """The turn that runs again takes them up."""
    key, _, _ = await second_run(store)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    assert [each.run_id for each in await store.ended_runs(key)] == ["run_1"]
    assert (await begun(store, key)).runs_waiting == 1


async def test_a_retry_forgets_the_ends_of_what_it_takes_back(store: Store) -> None:
    """A run that the turn began, and that has ended, waits for no turn."""
    key, lease = await working(store)
    await store.finish_run(lease, WELL)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    assert await store.ended_runs(key) == ()
    assert (await begun(store, key)).runs_waiting == 0
    assert (await store.get_run(key, "run_1")).run.landing is RunLanding.NONE


async def test_a_fork_has_the_runs_that_had_ended(store: Store) -> None:
    """With nodes, values and files; what ran on is not there, nor told of."""
    key, _, _ = await second_run(store)
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    assert await names(store, fork) == [("run_1", RunState.COMPLETED)]
    theirs, ours = await store.get_run(key, "run_1"), await store.get_run(fork, "run_1")
    assert [each.record for each in ours.nodes] == [each.record for each in theirs.nodes]
    assert (ours.run.landing, ours.artifacts) == (RunLanding.TAKEN, theirs.artifacts)
    progress = await store.read_run_progress(fork, "run_1")
    assert progress == await store.read_run_progress(key, "run_1")
    assert {getattr(e, "run_id", "run_1") for e in await told_of_runs(store, fork)} == {"run_1"}
    assert (await store.get_workflow(fork, "wf_2")).workflow.status is WorkflowStatus.READY
    assert (await store.get_workflow(key, "wf_2")).workflow.status is WorkflowStatus.RUNNING


async def test_a_fork_of_an_earlier_turn_has_not_taken_the_end_up(store: Store) -> None:
    """An end that came after the turn is not there; one that came before it waits."""
    key, lease = await working(store)
    second = await turn_with(store, key, "m2")
    await store.finish_run(lease, WELL)
    third = await turn_with(store, key, "m3")
    await turn_with(store, key, "m4", runs_taken_up=("run_1",))
    early = ForkOrder(source=key, session_id="f1", from_turn_id=second.turn_id)
    assert await names(store, (await store.fork_session(early)).session.key) == []
    late = ForkOrder(source=key, session_id="f2", from_turn_id=third.turn_id)
    fork = (await store.fork_session(late)).session.key
    assert [each.run_id for each in await store.ended_runs(fork)] == ["run_1"]
    await accept(store, fork, "m9")
    assert (await begun(store, fork)).runs_waiting == 1


async def test_an_erased_session_has_no_run(store: Store) -> None:
    """Whoever has it is fenced, and nobody takes it."""
    key, lease = await working(store)
    await store.delete_session(key)
    with pytest.raises(LeaseLost):
        await ran(store, lease)
    assert await store.take_run("run_1", owner="w2") == RunNotTaken()
    with pytest.raises(NotFound):
        await store.get_run(key, "run_1")


async def test_outputs_are_emptied_by_age(store: Store) -> None:
    """Texts, values and files of ended runs go; states and events stay, others are untouched."""
    key, _, second = await second_run(store)
    assert [await store.trim_runs(AT_ONCE) for _ in range(2)] == [1, 0]
    found = await store.get_run(key, "run_1")
    assert (found.run.is_trimmed, found.inputs, found.artifacts) == (True, {}, ())
    (kept,) = found.nodes
    assert (kept.record.state, kept.record.output, kept.output_hash) == (
        NodeState.COMPLETED,
        None,
        "",
    )
    assert (await store.get_run(key, "run_2")).inputs == new_run().inputs
    done = EndedNode(record=node("again", NodeState.COMPLETED))
    assert (await store.end_node(second, done)).events


async def test_events_go_with_the_runs_that_they_name(store: Store) -> None:
    """Retention that deletes a session's events deletes its runs, too."""
    key, _, _ = await second_run(store)
    await store.submit_decision(await submission(store, key))
    await accept(store, key, "m3")
    snapshot = await begun(store, key)
    over = last_step(snapshot, outcome=Outcome.SESSION_COMPLETED)
    await store.commit_step(snapshot.lease, over)
    assert await store.delete_events(AT_ONCE) == 1
    assert await names(store, key) == []
