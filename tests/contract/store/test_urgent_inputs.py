"""Urgent inputs: whose lease they take over, and how an input that waits becomes one."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import LeaseLost
from heartrule.domain.events import DraftVoided, Outcome
from session_store.ports import Store
from session_store.records import NoTurn, RetryOrder, TurnSnapshot
from tests.support.store_builders import (
    LONG,
    accept,
    begun,
    created,
    last_step,
    opening,
    said,
    step,
    user_input,
)
from tests.support.store_stopping import running, stop_request


async def test_a_lease_is_taken_over_for_an_urgent_input(store: Store) -> None:
    """Whoever held it is fenced; its turn is taken up as one that is to end."""
    key, turn = await running(store)
    await store.accept_input(key, user_input("m2"), urgent=True)
    assert await store.begin_turn(key, owner="you", ttl=LONG) is NoTurn.URGENT
    taken = await store.begin_turn(key, owner="you", ttl=LONG, takes_over=True)
    assert isinstance(taken, TurnSnapshot)
    assert (taken.turn_id, taken.attempt, taken.stop is not None) == (turn.turn_id, 2, True)
    assert taken.events[0].body == DraftVoided(up_to_attempt=1, reason="TAKEN_OVER")
    with pytest.raises(LeaseLost):
        await store.commit_step(turn.lease, step(turn))


async def test_no_lease_is_taken_over_without_one(store: Store) -> None:
    """Neither for an ordinary input, nor once the urgent one has a turn."""
    key, turn = await running(store)
    await accept(store, key, "m2")
    assert await store.begin_turn(key, owner="you", ttl=LONG, takes_over=True) is NoTurn.HELD
    await store.accept_input(key, user_input("m3"), urgent=True)
    await store.commit_step(turn.lease, last_step(turn, outcome=Outcome.INTERRUPTED))
    await begun(store, key)
    assert await store.begin_turn(key, owner="you", ttl=LONG, takes_over=True) is NoTurn.HELD


async def test_an_opening_is_taken_over_too(store: Store) -> None:
    """Whoever opens the session again learns that an urgent input waits."""
    key = await created(store)
    first = await opening(store, key)
    await store.accept_input(key, user_input("m1"), urgent=True)
    assert await store.begin_opening(key, owner="you", ttl=LONG) is NoTurn.URGENT
    taken = await store.begin_turn(key, owner="you", ttl=LONG, takes_over=True)
    assert isinstance(taken, TurnSnapshot)
    assert taken.turn_id == first.turn_id


async def test_an_urgent_repeat_makes_an_input_urgent(store: Store) -> None:
    """It stops the turn that runs, and nothing is stored twice."""
    key, turn = await running(store)
    await accept(store, key, "m2", "more")
    again = await store.accept_input(key, user_input("m2", "more"), urgent=True)
    assert (again.duplicate, again.events) == (True, ())
    assert again.stop == stop_request(turn, keeps_shown=True, urgent="m2")
    assert await store.find_stop(key) == again.stop


async def test_an_urgent_repeat_of_what_has_a_turn_stops_nothing(store: Store) -> None:
    """It is being answered."""
    key, _ = await running(store)
    assert (await store.accept_input(key, user_input("m1"), urgent=True)).stop is None


async def test_an_input_that_waits_has_what_was_written_before_it(store: Store) -> None:
    """From where the assistant last spoke: of the turn that runs, and of what waits."""
    key, turn = await running(store)
    await store.commit_step(turn.lease, last_step(turn, said("and then?")))
    assert (await accept(store, key, "m2", "one")).earlier == ()
    await begun(store, key)
    await accept(store, key, "m3", "two")
    assert (await accept(store, key, "m4", "three")).earlier == ("one", "two")


async def test_what_was_taken_back_was_not_written_before_it(store: Store) -> None:
    """Nor in a session whose assistant has said nothing yet."""
    key = await created(store)
    silent = await opening(store, key)
    await store.commit_step(silent.lease, last_step(silent))
    await accept(store, key, "m1", "one")
    turn = await begun(store, key)
    await store.commit_step(turn.lease, last_step(turn))
    await store.retry_turn(RetryOrder(key=key, text="two"))
    assert (await accept(store, key, "m2", "three")).earlier == ("two",)
