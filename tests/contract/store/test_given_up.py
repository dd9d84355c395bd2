"""Turns that failed for good, and those that too many inputs joined."""

from __future__ import annotations

from heartrule.domain.events import Outcome, TurnEnded, TurnStarted
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import NoTurn, RetryOrder, TurnSnapshot, TurnStatus
from session_store.turn_rules import MAX_MERGES
from tests.support.store_builders import (
    LONG,
    accept,
    at_round,
    begun,
    created,
    ended,
    failure,
    opened,
    opening,
    said,
    step,
)
from tests.support.told import texts


async def given_up(store: Store, key: SessionKey, name: str = "m1") -> TurnSnapshot:
    """Fail the turn of an input for good."""
    await accept(store, key, name, f"words of {name}")
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot, is_final=True))
    return snapshot


async def test_the_next_input_is_a_turn_of_its_own(store: Store) -> None:
    """What could not be answered is history; position and round are as they were."""
    key = await opened(store)
    failed = await given_up(store, key)
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE
    await accept(store, key, "m2", "two")
    following = await begun(store, key)
    assert (following.turn_no, following.attempt) == (failed.turn_no + 1, 1)
    assert texts(following.inputs) == ["two"]
    assert [line.text for line in following.window][-1] == "words of m1"
    assert following.position == failed.position == at_round(1)


async def test_a_repeat_tells_how_the_turn_ended(store: Store) -> None:
    """It is stored once and runs no more, before and after the next turn."""
    key = await opened(store)
    failed = await given_up(store, key)
    for name in ("m2", "m3"):
        repeat = await accept(store, key, "m1", "words of m1")
        assert (repeat.duplicate, repeat.turn_id) == (True, failed.turn_id)
        assert repeat.turn_state is TurnStatus.GIVEN_UP
        assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE
        await accept(store, key, name)
        await ended(store, await begun(store, key))


async def test_inputs_that_wait_for_it_begin_the_next_turn(store: Store) -> None:
    """The sweep finds them at once."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    snapshot = await begun(store, key)
    await accept(store, key, "m2", "two")
    await store.fail_turn(snapshot.lease, failure(snapshot, is_final=True))
    assert await store.find_work(10) == (key,)
    assert texts((await begun(store, key)).inputs) == ["two"]


async def test_a_turn_with_a_committed_step_is_resumed_all_the_same(store: Store) -> None:
    """No other turn would say what it has left to say; the inputs become history."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    snapshot = await begun(store, key)
    done = step(snapshot, said("good"), position=at_round(2), inputs_consumed=True)
    await store.commit_step(snapshot.lease, done)
    await store.fail_turn(snapshot.lease, failure(snapshot, is_final=True))
    await accept(store, key, "m2", "two")
    assert (await begun(store, key)).turn_id == snapshot.turn_id


async def test_an_opening_is_resumed_all_the_same(store: Store) -> None:
    """A session without it has no question to answer."""
    key = await created(store)
    snapshot = await opening(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot, is_final=True))
    await accept(store, key, "m1", "one")
    assert (await begun(store, key)).turn_id == snapshot.turn_id


async def test_it_can_be_taken_back(store: Store) -> None:
    """RetryTurn says it again in other words."""
    key = await opened(store)
    failed = await given_up(store, key)
    done = await store.retry_turn(RetryOrder(key=key, text="shorter"))
    assert done.rewound.turn_ids == (failed.turn_id,)
    assert texts((await begun(store, key)).inputs) == ["shorter"]


async def test_the_turn_after_it_can_be_taken_back(store: Store) -> None:
    """The session stands where the failed turn left it."""
    key = await opened(store)
    await given_up(store, key)
    await accept(store, key, "m2", "two")
    await ended(store, await begun(store, key))
    done = await store.retry_turn(RetryOrder(key=key))
    assert done.rewound.state is not None
    assert done.rewound.state.position == at_round(1)
    assert texts((await begun(store, key)).inputs) == ["two"]


async def test_inputs_join_a_failed_turn_a_few_times(store: Store) -> None:
    """Then the next one is a turn of its own, and the failed turn is over."""
    key = await opened(store)
    names = [f"m{number}" for number in range(MAX_MERGES + 2)]
    told = []
    for name in names:
        await accept(store, key, name, name)
        snapshot = await begun(store, key)
        told.append(texts(snapshot.inputs))
        await store.fail_turn(snapshot.lease, failure(snapshot))
    assert told == [names[:1], names[:2], names[:3], names[3:]]
    assert (await accept(store, key, "m0", "m0")).turn_state is TurnStatus.GIVEN_UP


async def test_attempts_without_new_inputs_are_no_merges(store: Store) -> None:
    """A repeat runs a turn again as often as it is asked."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    for _ in range(MAX_MERGES + 3):
        snapshot = await begun(store, key)
        await store.fail_turn(snapshot.lease, failure(snapshot))
        await accept(store, key, "m1", "one")
    await begun(store, key)


async def test_a_repeat_of_a_full_turn_runs_it_without_what_waits(store: Store) -> None:
    """The waiting input is answered by the turn after it."""
    key = await opened(store)
    for name in ("m0", "m1", "m2"):
        await accept(store, key, name, name)
        snapshot = await begun(store, key)
        await store.fail_turn(snapshot.lease, failure(snapshot))
    await accept(store, key, "m0", "m0")
    await accept(store, key, "m3", "m3")
    again = await begun(store, key)
    assert [event.body for event in again.events] == [
        TurnStarted(client_message_ids=("m0", "m1", "m2"))
    ]
    await ended(store, again)
    assert texts((await begun(store, key)).inputs) == ["m3"]


async def test_its_end_is_told_as_a_failure(store: Store) -> None:
    """Nothing but its problem says that it was the last one."""
    key = await opened(store)
    failed = await given_up(store, key)
    ends = [
        event.body
        for event in await store.read_turn(key, failed.turn_id)
        if isinstance(event.body, TurnEnded)
    ]
    assert [each.outcome for each in ends] == [Outcome.FAILED]
