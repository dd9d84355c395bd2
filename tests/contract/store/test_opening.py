"""The opening turn (RESOLUTIONS C28)."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import NotFound
from heartrule.domain.events import DraftVoided, Outcome, TurnStarted
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import NoTurn, TurnKind
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    created,
    ended,
    failure,
    last_step,
    opened,
    opening,
    said,
    step,
)
from tests.support.told import kinds


async def test_the_opening_turn_has_no_inputs(store: Store) -> None:
    """The opening turn is turn 0, of its own kind, and begins before anyone spoke."""
    key = await created(store)
    snapshot = await opening(store, key)
    assert (snapshot.kind, snapshot.turn_no, snapshot.attempt) == (TurnKind.OPENING, 0, 1)
    assert (snapshot.inputs, snapshot.inputs_consumed, snapshot.window) == ((), False, ())
    assert [event.body for event in snapshot.events] == [TurnStarted()]
    assert (await store.get_session(key)).opening_turn_id == snapshot.turn_id


@pytest.mark.parametrize("outcome", [Outcome.WAITING, Outcome.SESSION_COMPLETED])
async def test_a_session_is_opened_by_the_end_of_its_opening(
    store: Store, outcome: Outcome
) -> None:
    """The session is opened when the opening turn has ended, and then there is nothing to open."""
    key = await created(store)
    snapshot = await opening(store, key)
    assert not (await store.get_session(key)).opened
    await store.commit_step(snapshot.lease, last_step(snapshot, said("hi"), outcome=outcome))
    assert (await store.get_session(key)).opened
    assert await store.begin_opening(key, owner="me", ttl=LONG) is NoTurn.IDLE


async def test_an_opening_that_runs_is_held(store: Store) -> None:
    """While one holder opens the session, another gets nothing, not even its own second call."""
    key = await created(store)
    await opening(store, key)
    for owner in ("me", "you"):
        assert await store.begin_opening(key, owner=owner, ttl=LONG) is NoTurn.HELD
        assert await store.begin_turn(key, owner=owner, ttl=LONG) is NoTurn.HELD


async def test_input_opens_an_unopened_session_first(store: Store) -> None:
    """Where inputs wait before the opening, begin_turn opens, and the next turn judges them."""
    key = await created(store)
    await accept(store, key)
    first = await begun(store, key)
    assert (first.kind, first.inputs, first.window) == (TurnKind.OPENING, (), ())
    assert (await ended(store, first, said("hi"))).inputs_waiting
    second = await begun(store, key)
    assert (second.kind, len(second.inputs), second.turn_no) == (TurnKind.INPUT, 1, 1)


async def test_an_unopened_session_without_input_is_idle(store: Store) -> None:
    """begin_turn opens nothing of its own accord."""
    key = await created(store)
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE


@pytest.mark.parametrize("method", ["begin_opening", "begin_turn"])
async def test_a_lost_opening_is_taken_up(store: Store, method: str) -> None:
    """An opening turn whose holder is gone goes on as the same turn's next attempt."""
    key = await created(store)
    lost = await opening(store, key, ttl=AT_ONCE)
    await store.commit_step(lost.lease, step(lost, said("hi")))
    snapshot = await getattr(store, method)(key, owner="you", ttl=LONG)
    assert (snapshot.turn_id, snapshot.attempt, snapshot.steps) == (lost.turn_id, 2, 1)
    assert kinds(snapshot.events) == [DraftVoided, TurnStarted]


async def test_a_failed_opening_is_taken_up_by_the_next_opening(store: Store) -> None:
    """begin_opening runs a failed opening turn again, as the same turn."""
    key = await created(store)
    first = await opening(store, key)
    await store.fail_turn(first.lease, failure(first))
    again = await opening(store, key)
    assert (again.turn_id, again.attempt, again.kind) == (first.turn_id, 2, TurnKind.OPENING)


async def test_a_failed_opening_is_taken_up_when_input_waits(store: Store) -> None:
    """begin_turn resumes a failed opening only where inputs wait, and takes them up as history."""
    key = await created(store)
    first = await opening(store, key)
    await store.fail_turn(first.lease, failure(first))
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE
    await accept(store, key)
    again = await begun(store, key)
    assert (again.turn_id, again.kind) == (first.turn_id, TurnKind.OPENING)
    assert (len(again.new_inputs), again.inputs_consumed) == (1, True)
    assert (await store.get_session(key)).pending_client_message_ids == ()


async def test_an_opened_session_is_opened_once(store: Store) -> None:
    """The opening turn's messages are committed once, whoever asks again."""
    key = await opened(store)
    before = await store.read_events(key, 0)
    assert await store.begin_opening(key, owner="me", ttl=LONG) is NoTurn.IDLE
    assert await store.read_events(key, 0) == before


@pytest.mark.parametrize("method", ["begin_opening", "begin_turn"])
async def test_an_unknown_session_begins_nothing(store: Store, method: str) -> None:
    """A session that never was is NotFound."""
    with pytest.raises(NotFound):
        await getattr(store, method)(SessionKey("t", "nobody"), owner="me", ttl=LONG)
