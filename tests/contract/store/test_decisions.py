"""Decisions and workflows: one transaction with their step, read back, remembered by their ids."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import DecisionState, DecisionType
from heartrule.domain.errors import NotFound, RevisionConflict, SessionBusy, SessionFinished
from heartrule.domain.events import MessageCommitted, Outcome, TurnEnded
from heartrule.domain.workflows import WorkflowStatus
from session_store.ports import Store
from session_store.records import DecisionFilter, Page
from tests.support.store_builders import accept, begun, failure, last_step, opened, step
from tests.support.store_decisions import (
    EFFECTIVE,
    ERROR,
    PAYLOAD,
    REJECTED,
    VALID,
    decided,
    made,
    moved,
    revision,
    submission,
    turn_with,
)

QUEUED, HELD, DONE = DecisionState.QUEUED, DecisionState.HELD, DecisionState.DONE


async def test_decision_verdict_and_effect_are_told_in_this_order(store: Store) -> None:
    """Made is first, then the verdict, then the workflow and the message it leads to (R2)."""
    key = await opened(store)
    both = (made("dec_1"), made("dec_2", REJECTED, place=1))
    turn = await turn_with(store, key, "m1", *both, workflows=(revision(),))
    bodies = [type(each.body) for each in await store.read_turn(key, turn.turn_id)]
    assert bodies[2:] == [
        DecisionMade,
        DecisionMade,
        DecisionValidated,
        WorkflowChanged,
        DecisionRejected,
        MessageCommitted,
        TurnEnded,
    ]


async def test_events_are_read_with_their_payloads(store: Store) -> None:
    """What is read equals what was told live, payloads included."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    decisions = (made("dec_1"), made("dec_2", REJECTED))
    told = await store.commit_step(snapshot.lease, last_step(snapshot, decisions=decisions))
    read = await store.read_events(key, told.events[0].sequence - 1)
    assert read == told.events
    first, _, second, rejected = [each.body for each in read[:4]]
    assert isinstance(first, DecisionMade)
    assert first.payload == PAYLOAD
    assert first.decision_type is DecisionType.CREATE_NODE
    assert isinstance(second, DecisionValidated)
    assert second.payload == EFFECTIVE
    assert isinstance(rejected, DecisionRejected)
    assert rejected.errors == (ERROR,)


@pytest.mark.parametrize("payload", [None, [], "respond", 3, float("nan"), {"a": "\ud800\0"}])
async def test_a_payload_that_is_no_object_is_kept(store: Store, payload: object) -> None:
    """Whatever an author writes is told and read back the same."""
    key = await opened(store)
    odd = made(decision=decided(payload=payload, decision_type="跳\ud800舞"), verdict=None)
    await turn_with(store, key, "m1", odd)
    kept = await store.get_decision(key, "dec_1")
    (event,) = [e.body for e in await store.read_events(key, 0) if isinstance(e.body, DecisionMade)]
    assert (event.payload, event.written_type, event.decision_type) == (
        kept.decision.payload,
        "跳\ufffd舞",
        None,
    )


async def test_a_payload_nested_without_end_is_left_out(store: Store) -> None:
    """A hundred thousand levels stop no turn: the decision is kept without them."""
    key = await opened(store)
    payload: list[object] = []
    for _ in range(100_000):
        payload = [payload]
    await turn_with(store, key, "m1", made(decision=decided(payload=payload), verdict=None))
    assert (await store.get_decision(key, "dec_1")).decision.payload is None


async def test_a_decision_is_read_with_what_became_of_it(store: Store) -> None:
    """Verdict, state and place come back as they were written."""
    key = await opened(store)
    turn = await turn_with(store, key, "m1", made(place=2))
    kept = await store.get_decision(key, "dec_1")
    assert (kept.decision, kept.verdict, kept.state) == (decided(), VALID, DONE)
    assert (kept.turn_id, kept.step, kept.place) == (turn.turn_id, 0, 2)
    with pytest.raises(NotFound):
        await store.get_decision(key, "dec_9")


async def test_decisions_are_listed_by_turn_type_and_state(store: Store) -> None:
    """Each filter alone, and pages, in the order in which they were made."""
    key = await opened(store)
    first = await turn_with(store, key, "m1", made("dec_1"), made("dec_2", REJECTED))
    think = decided("dec_3", decision_type="continue")
    await turn_with(store, key, "m2", made(decision=think), made("dec_4"))

    async def names(wanted: DecisionFilter) -> list[str]:
        found, _ = await store.list_decisions(key, Page(), wanted)
        return [each.decision.decision_id for each in found]

    assert await names(DecisionFilter()) == ["dec_1", "dec_2", "dec_3", "dec_4"]
    assert await names(DecisionFilter(turn_id=first.turn_id)) == ["dec_1", "dec_2"]
    assert await names(DecisionFilter(decision_type="continue")) == ["dec_3"]
    assert await names(DecisionFilter(state=DecisionState.REJECTED)) == ["dec_2"]
    page, token = await store.list_decisions(key, Page(size=3))
    rest, end = await store.list_decisions(key, Page(size=3, token=token))
    assert ([e.decision.decision_id for e in (*page, *rest)], end) == (
        ["dec_1", "dec_2", "dec_3", "dec_4"],
        "",
    )


async def test_what_waits_survives_its_turn(store: Store) -> None:
    """It is found as open until a later step has done it; the payload stays that of its verdict."""
    key = await opened(store)
    await turn_with(store, key, "m1", made(state=HELD), made("dec_2"))
    (waiting,) = await store.open_decisions(key)
    assert (waiting.decision.decision_id, waiting.state, waiting.verdict) == ("dec_1", HELD, VALID)
    await turn_with(store, key, "m2", moved(DONE))
    assert await store.open_decisions(key) == ()
    assert (await store.get_decision(key, "dec_1")).verdict == VALID


async def test_a_decision_is_judged_again_at_its_start(store: Store) -> None:
    """Its second verdict counts, is told, and leaves the event of the first as it was."""
    key = await opened(store)
    await turn_with(store, key, "m1", made(state=QUEUED))
    before = await store.read_events(key, 0)
    again = moved(DecisionState.REJECTED, verdict=REJECTED)
    turn = await turn_with(store, key, "m2", again)
    kept = await store.get_decision(key, "dec_1")
    assert (kept.verdict, kept.state) == (REJECTED, DecisionState.REJECTED)
    assert (await store.read_events(key, 0))[: len(before)] == before
    told = [each.body for each in await store.read_turn(key, turn.turn_id)]
    assert [type(each) for each in told if isinstance(each, DecisionMade | DecisionRejected)] == [
        DecisionRejected
    ]


async def test_what_takes_effect_is_settled_once(store: Store) -> None:
    """A later valid verdict changes nothing of it, nor of the events told before (D20)."""
    key = await opened(store)
    await turn_with(store, key, "m1", made(state=QUEUED))
    other = replace(VALID, payload={"action_type": "other"})
    changed = moved(DONE, verdict=other, decision=decided(payload=0))
    turn = await turn_with(store, key, "m2", changed)
    events = await store.read_turn(key, turn.turn_id)
    (told,) = [each.body for each in events if isinstance(each.body, DecisionValidated)]
    assert (told.payload, told.correlation_id) == (EFFECTIVE, "cor_1")
    kept = await store.get_decision(key, "dec_1")
    assert (kept.decision, kept.verdict) == (decided(), VALID)


async def test_a_decision_is_submitted_after_a_turn_that_failed(store: Store) -> None:
    """Nothing runs then; whether it runs again is up to the client."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    outcome = await store.submit_decision(await submission(store, key))
    assert outcome.kept.state is DONE


async def test_a_step_that_moves_an_unknown_decision_writes_nothing(store: Store) -> None:
    """The transaction is refused whole."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    before = await store.read_events(key, 0)
    with pytest.raises(NotFound):
        await store.commit_step(snapshot.lease, step(snapshot, decisions=(moved(DONE),)))
    assert await store.read_events(key, 0) == before


async def test_workflows_are_read_by_revision(store: Store) -> None:
    """The list has the newest of each; any is found by its number."""
    key = await opened(store)
    await turn_with(store, key, "m1", made(), workflows=(revision(1), revision(1, "wf_2")))
    await turn_with(store, key, "m2", made("dec_2"), workflows=(revision(2, decision_id="dec_2"),))
    listed, _ = await store.list_workflows(key, Page())
    assert [(e.workflow.workflow_id, e.workflow.revision) for e in listed] == [
        ("wf_2", 1),
        ("wf_1", 2),
    ]
    assert await store.get_workflow(key, "wf_1") == listed[1]
    first = await store.get_workflow(key, "wf_1", 1)
    assert (first.workflow, first.decision_id) == (revision(1).workflow, "dec_1")
    assert first.workflow.status is WorkflowStatus.READY
    for name, number in (("wf_1", 3), ("wf_9", 0)):
        with pytest.raises(NotFound):
            await store.get_workflow(key, name, number)


async def test_a_submitted_decision_has_one_outcome(store: Store) -> None:
    """Its id is written once with its effect; again it returns what it was (D20)."""
    key = await opened(store)
    wanted = await submission(store, key, workflows=(revision(decision_id="op_1"),))
    outcome = await store.submit_decision(wanted)
    assert [type(each.body) for each in outcome.events] == [
        DecisionMade,
        DecisionValidated,
        WorkflowChanged,
    ]
    assert {each.turn_id for each in outcome.events} == {""}
    again = await store.submit_decision(await submission(store, key, change=made("op_1", REJECTED)))
    assert (again.kept, again.events) == (outcome.kept, ())
    assert (await store.get_workflow(key, "wf_1")).turn_id == ""


async def test_a_decision_is_submitted_between_turns_alone(store: Store) -> None:
    """Not while an input waits or a turn runs, not for a session that moved, not after its end."""
    key = await opened(store)
    early = await submission(store, key)
    await accept(store, key)
    with pytest.raises(SessionBusy):
        await store.submit_decision(early)
    snapshot = await begun(store, key)
    with pytest.raises(SessionBusy):
        await store.submit_decision(early)
    await store.commit_step(snapshot.lease, last_step(snapshot))
    with pytest.raises(RevisionConflict):
        await store.submit_decision(early)
    await turn_with(store, key, "m2", outcome=Outcome.SESSION_COMPLETED)
    with pytest.raises(SessionFinished):
        await store.submit_decision(await submission(store, key))
