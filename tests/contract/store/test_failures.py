"""Turns that fail and run again (RESOLUTIONS C24)."""

from __future__ import annotations

from heartrule.domain.conversation import IfBusy
from heartrule.domain.events import DraftVoided, Outcome, TurnEnded, TurnStarted
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.problem import Degradation
from session_store.ports import Store
from session_store.records import NoTurn, TurnKind, TurnSnapshot, TurnStatus
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    at_round,
    begun,
    created,
    ended,
    failure,
    opened,
    opening,
    problem,
    said,
    step,
)
from tests.support.told import kinds, texts


async def failed(store: Store, key: SessionKey, *said_before: str) -> TurnSnapshot:
    """Fail the turn of input m1, after a step that judged it where something was said."""
    await accept(store, key, "m1", "one")
    snapshot = await begun(store, key)
    for text in said_before:
        done = step(snapshot, said(text), position=at_round(2), inputs_consumed=True)
        await store.commit_step(snapshot.lease, done)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    return snapshot


async def test_a_failure_is_told_and_stands(store: Store) -> None:
    """A failed attempt ends with its problem; the session is in error where it stood."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    lost = Degradation(stage="model", reason="TIMEOUT")
    (event,) = await store.fail_turn(snapshot.lease, failure(snapshot, degradations=(lost,)))
    body = event.body
    assert isinstance(body, TurnEnded)
    assert (body.outcome, body.problem, body.degradations) == (Outcome.FAILED, problem(), (lost,))
    assert (body.client_message_ids, body.message_ids) == (("m1",), ())
    assert body.state is not None
    assert (body.state.status, body.state.error) == (ExecutionStatus.ERROR, problem())
    assert (body.state.position, body.state.sequence) == (at_round(1), event.sequence)
    record = await store.get_session(key)
    assert (record.status, record.error) == (ExecutionStatus.ERROR, problem())
    assert record.position == at_round(1)


async def test_a_failure_after_drafts_voids_them_first(store: Store) -> None:
    """Where drafts were shown that no commit replaced, they are voided before the end is told."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    events = await store.fail_turn(snapshot.lease, failure(snapshot, drafts_shown=True))
    assert kinds(events) == [DraftVoided, TurnEnded]
    assert events[0].body == DraftVoided(up_to_attempt=1, reason="MODEL_UNAVAILABLE")


async def test_a_failure_names_what_was_committed_before(store: Store) -> None:
    """The end of a failed turn lists the messages its earlier steps committed."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    kept = said("kept")
    await store.commit_step(snapshot.lease, step(snapshot, kept, inputs_consumed=True))
    (event,) = await store.fail_turn(snapshot.lease, failure(snapshot))
    assert isinstance(event.body, TurnEnded)
    assert event.body.message_ids == (kept.message_id,)


async def test_a_failed_turn_rests_until_asked_for(store: Store) -> None:
    """Nothing runs a failed turn again of its own accord."""
    key = await opened(store)
    await failed(store, key)
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE
    assert await store.find_work(10) == ()


async def test_a_repeat_runs_a_failed_turn_again(store: Store) -> None:
    """A repeat of one of its ids makes a failed turn run as its next attempt, nothing voided."""
    key = await opened(store)
    first = await failed(store, key)
    repeat = await accept(store, key, "m1", "one")
    assert (repeat.duplicate, repeat.turn_id) == (True, first.turn_id)
    assert repeat.turn_state is TurnStatus.FAILED
    again = await begun(store, key)
    assert (again.turn_id, again.attempt) == (first.turn_id, 2)
    assert [event.body for event in again.events] == [TurnStarted(client_message_ids=("m1",))]


async def test_a_repeat_counts_for_one_attempt(store: Store) -> None:
    """When the repeated turn fails again it rests again."""
    key = await opened(store)
    await failed(store, key)
    await accept(store, key, "m1", "one")
    again = await begun(store, key)
    await store.fail_turn(again.lease, failure(again))
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE


async def test_a_repeat_before_the_failure_asks_for_nothing(store: Store) -> None:
    """A repeat while the turn still runs does not make it run again when it fails."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await accept(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE


async def test_a_failed_turn_goes_on_after_its_last_step(store: Store) -> None:
    """A turn run again resumes where its last committed step left it."""
    key = await opened(store)
    await failed(store, key, "kept")
    await accept(store, key, "m1", "one")
    again = await begun(store, key)
    assert (again.steps, again.inputs_consumed) == (1, True)
    assert (again.position, again.last_ai_message) == (at_round(2), "kept")


async def test_new_input_joins_a_turn_that_did_nothing(store: Store) -> None:
    """Where no step was committed, a new input and the failed turn's are judged together."""
    key = await opened(store)
    first = await failed(store, key)
    await accept(store, key, "m2", "two")
    again = await begun(store, key)
    assert (again.turn_id, again.attempt, texts(again.inputs)) == (
        first.turn_id,
        2,
        ["one", "two"],
    )
    assert again.events[-1].body == TurnStarted(client_message_ids=("m1", "m2"))
    await ended(store, again, said("both"))
    assert (await accept(store, key, "m2", "two")).turn_id == first.turn_id


async def test_new_input_is_history_to_a_turn_that_did_something(store: Store) -> None:
    """Where a step was committed, the resumed turn takes the input up and judges it nowhere."""
    key = await opened(store)
    first = await failed(store, key, "kept")
    await accept(store, key, "m2", "two")
    again = await begun(store, key)
    assert (again.turn_id, texts(again.inputs)) == (first.turn_id, ["one", "two"])
    assert (again.inputs_consumed, texts(again.new_inputs)) == (True, ["two"])
    assert [line.text for line in again.window][-3:] == ["one", "kept", "two"]
    assert not (await ended(store, again, said("next"))).inputs_waiting
    assert (await accept(store, key, "m2", "two")).turn_id == first.turn_id


async def test_input_after_a_failed_opening_is_history(store: Store) -> None:
    """What the opening says was not there when the client wrote."""
    key = await created(store)
    first = await opening(store, key)
    await store.fail_turn(first.lease, failure(first))
    await accept(store, key, "m1", "hello?")
    again = await begun(store, key)
    assert (again.kind, again.inputs_consumed) == (TurnKind.OPENING, True)
    assert texts(again.new_inputs) == ["hello?"]
    assert not (await ended(store, again, said("hello"))).inputs_waiting


async def test_opening_again_takes_up_the_input_as_well(store: Store) -> None:
    """It makes no difference whether the opening or the next turn is asked for."""
    key = await created(store)
    first = await opening(store, key)
    await store.fail_turn(first.lease, failure(first))
    await accept(store, key, "m1", "hello?")
    assert texts((await opening(store, key)).inputs) == ["hello?"]


async def test_inputs_stay_new_until_a_step_follows_them(store: Store) -> None:
    """A lost or failed attempt has checked nothing for good; a committed step has."""
    key = await opened(store)
    await failed(store, key, "kept")
    await accept(store, key, "m2", "two")
    await begun(store, key, ttl=AT_ONCE)
    third = await begun(store, key)
    assert texts(third.new_inputs) == ["two"]
    await store.commit_step(third.lease, step(third, said("more")))
    await store.fail_turn(third.lease, failure(third))
    await accept(store, key, "m3", "three")
    assert texts((await begun(store, key)).new_inputs) == ["three"]


async def test_an_input_during_a_turn_that_fails_is_history_too(store: Store) -> None:
    """It was written before what the resumption says."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    running = await begun(store, key)
    await accept(store, key, "m2", "two")
    await store.commit_step(running.lease, step(running, said("kept"), inputs_consumed=True))
    await store.fail_turn(running.lease, failure(running))
    again = await begun(store, key)
    assert (texts(again.inputs), texts(again.new_inputs)) == (["one", "two"], ["two"])


async def test_a_queued_input_does_not_join_a_failed_turn(store: Store) -> None:
    """A QUEUE input stays a turn of its own; it only makes the failed one run again."""
    key = await opened(store)
    await failed(store, key)
    await accept(store, key, "m2", "two", if_busy=IfBusy.QUEUE)
    again = await begun(store, key)
    assert texts(again.inputs) == ["one"]
    await ended(store, again)
    assert texts((await begun(store, key)).inputs) == ["two"]


async def test_nothing_joins_a_queued_turn_that_failed(store: Store) -> None:
    """A turn of one QUEUE input stays alone when it runs again."""
    key = await opened(store)
    await accept(store, key, "m1", "one", if_busy=IfBusy.QUEUE)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    await accept(store, key, "m2", "two")
    assert texts((await begun(store, key)).inputs) == ["one"]


async def test_an_open_merge_window_does_not_hold_a_failed_turn_back(store: Store) -> None:
    """A failed turn runs again at once when a new input asks for it."""
    key = await opened(store, merge_window=LONG)
    await accept(store, key, "m1", "one", if_busy=IfBusy.QUEUE)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    await accept(store, key, "m2", "two")
    assert (await begun(store, key)).attempt == 2


async def test_the_next_committed_step_clears_the_error(store: Store) -> None:
    """Beginning again leaves the error; the first step that is committed clears it."""
    key = await opened(store)
    await failed(store, key)
    await accept(store, key, "m1", "one")
    again = await begun(store, key)
    assert (await store.get_session(key)).status is ExecutionStatus.ERROR
    await store.commit_step(again.lease, step(again, said("better")))
    record = await store.get_session(key)
    assert (record.status, record.error) == (ExecutionStatus.RUNNING, None)


async def test_a_failure_keeps_degradations_of_committed_steps(store: Store) -> None:
    """What committed steps did less well is handed to the next attempt; the failed one's is not."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    kept = Degradation(stage="parse", reason="REPAIRED", metadata={"n": "1"})
    await store.commit_step(snapshot.lease, step(snapshot, degradations=(kept,)))
    lost = Degradation(stage="model", reason="TIMEOUT")
    await store.fail_turn(snapshot.lease, failure(snapshot, degradations=(kept, lost)))
    await accept(store, key)
    assert (await begun(store, key)).degradations == (kept,)


async def test_an_attempt_lost_after_a_failure_is_voided(store: Store) -> None:
    """An attempt that vanished after one that failed is a lost one."""
    key = await opened(store)
    await failed(store, key)
    await accept(store, key, "m1", "one")
    await begun(store, key, ttl=AT_ONCE)
    third = await begun(store, key)
    assert third.attempt == 3
    assert third.events[0].body == DraftVoided(up_to_attempt=2, reason="ATTEMPT_LOST")
