"""Interrupting a running turn (CONTRACT: InterruptTurn)."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import NotFound
from heartrule.domain.events import DraftPosition, DraftVoided, Outcome, TurnEnded
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import (
    Interrupted,
    InterruptOrder,
    NoTurn,
    TurnSnapshot,
)
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    created,
    failure,
    last_step,
    opening,
    said,
    step,
)
from tests.support.store_stopping import running, stop_request


async def test_an_interrupt_of_a_running_turn_is_noted(store: Store) -> None:
    """It is there for every process to find, with how much was heard; nothing is told yet."""
    key, turn = await running(store)
    before = (await store.get_session(key)).last_sequence
    heard = DraftPosition(message_id="msg_1", offset=4)
    asked = InterruptOrder(key=key, turn_id=turn.turn_id, request_id="r1", heard=heard)
    noted = await store.interrupt_turn(asked)
    assert noted == Interrupted(request=stop_request(turn, request_id="r1", heard=heard))
    assert await store.find_stop(key) == noted.request
    assert (await store.get_session(key)).last_sequence == before


async def test_of_two_interrupts_the_first_counts(store: Store) -> None:
    """A second request for the same turn is answered with what the first asked."""
    key, turn = await running(store)
    first = await store.interrupt_turn(
        InterruptOrder(key=key, turn_id=turn.turn_id, request_id="r1")
    )
    heard = DraftPosition(message_id="msg_1", offset=4)
    asked = InterruptOrder(key=key, turn_id=turn.turn_id, request_id="r2", heard=heard)
    assert await store.interrupt_turn(asked) == first


@pytest.mark.parametrize("outcome", [Outcome.WAITING, Outcome.INTERRUPTED])
async def test_an_ended_turn_stays_as_it_is(store: Store, outcome: Outcome) -> None:
    """Its outcome is the answer, also while a newer turn runs, which nothing stops."""
    key, turn = await running(store)
    await store.commit_step(turn.lease, last_step(turn, outcome=outcome))
    await accept(store, key, "m2")
    newer = await begun(store, key)
    answer = await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    assert answer == Interrupted(outcome=outcome)
    assert (await store.commit_step(newer.lease, step(newer))).stop is None


async def test_a_failed_turn_has_ended(store: Store) -> None:
    """An interrupt of it changes nothing, also once it was asked for again."""
    key, turn = await running(store)
    await store.fail_turn(turn.lease, failure(turn))
    asked = InterruptOrder(key=key, turn_id=turn.turn_id)
    assert await store.interrupt_turn(asked) == Interrupted(outcome=Outcome.FAILED)
    await accept(store, key)
    assert await store.interrupt_turn(asked) == Interrupted(outcome=Outcome.FAILED)


async def test_a_request_is_answered_the_same_after_the_turn_stopped(store: Store) -> None:
    """The repeat of a request that stopped a turn says so again."""
    key, turn = await running(store)
    asked = InterruptOrder(key=key, turn_id=turn.turn_id, request_id="r1")
    first = await store.interrupt_turn(asked)
    await store.commit_step(turn.lease, last_step(turn, outcome=Outcome.INTERRUPTED))
    assert await store.interrupt_turn(asked) == first


async def test_an_unknown_turn_is_not_found(store: Store) -> None:
    """A turn that never was, or a session that never was, is NotFound."""
    key, turn = await running(store)
    for nothing in (
        InterruptOrder(key=key, turn_id="turn_0"),
        InterruptOrder(key=SessionKey("t", "nobody"), turn_id=turn.turn_id),
    ):
        with pytest.raises(NotFound):
            await store.interrupt_turn(nothing)
    assert await store.find_stop(key) is None


async def test_the_next_step_hears_of_it(store: Store) -> None:
    """A step committed after the interrupt says that the turn is to stop."""
    key, turn = await running(store)
    assert (await store.commit_step(turn.lease, step(turn, said("one")))).stop is None
    await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    assert (await store.commit_step(turn.lease, step(turn, said("two")))).stop == stop_request(turn)


async def test_an_orphan_is_taken_up_interrupted(store: Store) -> None:
    """The next attempt of a turn whose holder died knows, and so does the one after it."""
    key, turn = await running(store, ttl=AT_ONCE)
    await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    assert (await begun(store, key, ttl=AT_ONCE)).stop == stop_request(turn)
    assert (await begun(store, key)).stop == stop_request(turn)


async def test_a_failure_ends_the_interrupt(store: Store) -> None:
    """A turn that failed before it stopped runs again when it is asked for."""
    key, turn = await running(store)
    await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    await store.fail_turn(turn.lease, failure(turn))
    await accept(store, key)
    assert (await begun(store, key)).stop is None


async def test_drafts_are_voided_before_the_end_is_told(store: Store) -> None:
    """A step that ends a turn in mid-draft voids what was shown in this attempt."""
    key, turn = await running(store)
    end = last_step(
        turn, outcome=Outcome.INTERRUPTED, drafts_voided="INTERRUPTED", inputs_consumed=False
    )
    events = (await store.commit_step(turn.lease, end)).events
    voided, over = (each.body for each in events)
    assert voided == DraftVoided(up_to_attempt=1, reason="INTERRUPTED")
    assert isinstance(over, TurnEnded)
    assert over.outcome is Outcome.INTERRUPTED
    assert await store.read_turn(key, turn.turn_id) == await store.read_events(
        key, turn_start(turn)
    )


def turn_start(turn: TurnSnapshot) -> int:
    """Return the number before the turn's first input."""
    return turn.inputs[0].sequence - 1


async def test_an_interrupted_turns_words_stay_in_the_conversation(store: Store) -> None:
    """The next turn judges its own inputs alone and sees the others in its window."""
    key, turn = await running(store)
    await accept(store, key, "m2", "stop", if_busy=IfBusy.INTERRUPT)
    done = last_step(turn, outcome=Outcome.INTERRUPTED, inputs_consumed=False)
    assert (await store.commit_step(turn.lease, done)).inputs_waiting
    following = await begun(store, key)
    assert [message.plain_text() for message in following.inputs] == ["stop"]
    assert following.window[-1].text == "hello"


async def test_an_opening_that_was_interrupted_has_run(store: Store) -> None:
    """The session is opened, and its first input begins a turn."""
    key = await created(store)
    turn = await opening(store, key)
    await store.interrupt_turn(InterruptOrder(key=key, turn_id=turn.turn_id))
    await store.commit_step(turn.lease, last_step(turn, outcome=Outcome.INTERRUPTED))
    assert await store.begin_opening(key, owner="me", ttl=LONG) is NoTurn.IDLE
    await accept(store, key)
    assert (await begun(store, key)).turn_no == 1
