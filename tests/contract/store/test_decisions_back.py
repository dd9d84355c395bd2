"""Decisions where turns are taken back, forks are made, or the past is deleted."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.domain.decisions import DecisionState
from heartrule.domain.errors import NotFound
from heartrule.domain.events import Outcome
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from tests.support.store_builders import AT_ONCE, begun, last_step, opened
from tests.support.store_decisions import VALID, made, moved, revision, submission, turn_with

HELD, DONE = DecisionState.HELD, DecisionState.DONE


async def standing(store: Store, key: SessionKey) -> list[tuple[str, DecisionState]]:
    """Return every listed decision with its state."""
    found, _ = await store.list_decisions(key, Page())
    return [(each.decision.decision_id, each.state) for each in found]


async def revisions(store: Store, key: SessionKey) -> list[tuple[str, int]]:
    """Return every workflow with its newest revision."""
    found, _ = await store.list_workflows(key, Page())
    return [(each.workflow.workflow_id, each.workflow.revision) for each in found]


async def drafting(store: Store) -> tuple[SessionKey, str]:
    """Hold a decision and draft in one turn, do it and change the draft in the next."""
    key = await opened(store)
    first = await turn_with(store, key, "m1", made(state=HELD), workflows=(revision(),))
    await store.submit_decision(await submission(store, key))
    second = (moved(DONE), made("dec_2"))
    changed = (revision(2, decision_id="dec_2"), revision(1, "wf_2", "dec_2"))
    await turn_with(store, key, "m2", *second, workflows=changed)
    return key, first.turn_id


async def answered_again(store: Store, key: SessionKey, **changes: Any) -> None:
    """Run the turn that was asked for again; it decides."""
    snapshot = await begun(store, key)
    step = last_step(snapshot, decisions=(made("dec_3"),), **changes)
    await store.commit_step(snapshot.lease, step)


async def test_a_retry_takes_back_what_the_turn_decided(store: Store) -> None:
    """What it made goes, what it did is undone, and its numbers are free again."""
    key, _ = await drafting(store)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    assert await standing(store, key) == [("dec_1", HELD), ("op_1", DONE)]
    assert await revisions(store, key) == [("wf_1", 1)]
    assert [each.decision.decision_id for each in await store.open_decisions(key)] == ["dec_1"]


async def test_a_decision_taken_back_is_remembered(store: Store) -> None:
    """Its events keep their payloads, and its id its one outcome."""
    key, _ = await drafting(store)
    before = await store.read_events(key, 0)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    assert (await store.read_events(key, 0))[: len(before)] == before
    kept = await store.get_decision(key, "dec_2")
    assert (kept.is_taken_back, kept.verdict) == (True, VALID)


async def test_the_turn_that_runs_again_decides_anew(store: Store) -> None:
    """Revisions count on from what was kept."""
    key, _ = await drafting(store)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    await answered_again(store, key, workflows=(revision(2, decision_id="dec_3"),))
    assert await revisions(store, key) == [("wf_1", 2)]
    assert await standing(store, key) == [("dec_1", HELD), ("op_1", DONE), ("dec_3", DONE)]


async def test_a_fork_begins_with_the_decisions_of_its_turns(store: Store) -> None:
    """As they stood then, its own from there on; the source keeps what it has."""
    key, first = await drafting(store)
    order = ForkOrder(source=key, session_id="f1", from_turn_id=first)
    fork = (await store.fork_session(order)).session.key
    assert await standing(store, fork) == [("dec_1", HELD)]
    assert await revisions(store, fork) == [("wf_1", 1)]
    await turn_with(store, fork, "m9", moved(DecisionState.SUPERSEDED))
    assert await standing(store, key) == [("dec_1", DONE), ("op_1", DONE), ("dec_2", DONE)]


async def test_a_fork_tells_what_its_source_told(store: Store) -> None:
    """Events between turns are among them, with payloads, and so is what they made."""
    key, _ = await drafting(store)
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    bodies = [each.body for each in await store.read_events(key, 0)]
    assert [each.body for each in await store.read_events(fork, 0)][1:5] == bodies[1:5]
    assert await standing(store, fork) == await standing(store, key)
    assert (await store.get_decision(fork, "op_1")).decision == (
        await store.get_decision(key, "op_1")
    ).decision


async def test_a_fork_after_a_retry_leaves_out_what_was_taken_back(store: Store) -> None:
    """A decision between turns that was taken back is not told in the fork either."""
    key, _ = await drafting(store)
    await store.submit_decision(await submission(store, key, "op_2"))
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    await answered_again(store, key)
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    names = [name for name, _ in await standing(store, fork)]
    assert names == ["dec_1", "op_1", "dec_3"]
    assert len(await store.read_events(fork, 0)) > 0


async def test_events_go_with_what_they_name(store: Store) -> None:
    """Retention that deletes a session's events deletes its decisions and workflows, too."""
    key, _ = await drafting(store)
    await turn_with(store, key, "m3", outcome=Outcome.SESSION_COMPLETED)
    assert await store.delete_observations(AT_ONCE) == 1
    assert len(await standing(store, key)) == 3
    assert await store.delete_events(AT_ONCE) == 1
    assert (await standing(store, key), await revisions(store, key)) == ([], [])
    with pytest.raises(NotFound):
        await store.get_decision(key, "dec_1")
