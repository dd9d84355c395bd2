"""Leases and their fencing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain.errors import LeaseLost
from heartrule.domain.events import DraftVoided, TurnStarted
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import Lease, NoTurn, Page
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import (
    AT_ONCE,
    LONG,
    accept,
    begun,
    call,
    ended,
    failure,
    last_step,
    opened,
    said,
    step,
    variable,
)
from tests.support.told import texts


async def test_a_live_lease_holds_everyone_off(store: Store) -> None:
    """While a turn is held, no one else begins, not even the same owner."""
    key = await opened(store)
    await accept(store, key)
    await begun(store, key)
    for owner in ("me", "you"):
        assert await store.begin_turn(key, owner=owner, ttl=LONG) is NoTurn.HELD


async def test_a_lease_ends_with_its_time(clocked: Store, clock: ManualClock) -> None:
    """A turn is taken up when its holder's time is over, not a moment before."""
    key = await opened(clocked)
    await accept(clocked, key)
    await begun(clocked, key, ttl=timedelta(seconds=15))
    clock.move(timedelta(seconds=14))
    assert await clocked.begin_turn(key, owner="you", ttl=LONG) is NoTurn.HELD
    clock.move(timedelta(seconds=1) + A_MOMENT)
    assert (await begun(clocked, key, owner="you")).attempt == 2


async def test_a_renewed_lease_lasts_longer(clocked: Store, clock: ManualClock) -> None:
    """Renewing counts from now on."""
    key = await opened(clocked)
    await accept(clocked, key)
    lease = (await begun(clocked, key, ttl=timedelta(seconds=15))).lease
    clock.move(timedelta(seconds=10))
    assert await clocked.renew_lease(lease, timedelta(seconds=15))
    clock.move(timedelta(seconds=14))
    assert await clocked.begin_turn(key, owner="you", ttl=LONG) is NoTurn.HELD


async def test_renewing_makes_a_short_lease_hold(store: Store) -> None:
    """A lease that ran out, but was not taken over, can be renewed and then holds."""
    key = await opened(store)
    await accept(store, key)
    lease = (await begun(store, key, ttl=AT_ONCE)).lease
    assert await store.renew_lease(lease, LONG)
    assert await store.begin_turn(key, owner="you", ttl=LONG) is NoTurn.HELD


async def test_a_lost_attempt_is_taken_up(store: Store) -> None:
    """A turn whose holder is gone goes on as its next attempt, its drafts voided first."""
    key = await opened(store)
    await accept(store, key)
    lost = await begun(store, key, ttl=AT_ONCE)
    again = await begun(store, key, owner="you")
    assert (again.turn_id, again.turn_no, again.attempt) == (lost.turn_id, 1, 2)
    assert again.inputs == lost.inputs
    assert [event.body for event in again.events] == [
        DraftVoided(up_to_attempt=1, reason="ATTEMPT_LOST"),
        TurnStarted(client_message_ids=("m1",)),
    ]
    assert {(event.turn_id, event.attempt) for event in again.events} == {(lost.turn_id, 2)}


async def test_a_lost_attempt_keeps_new_inputs_waiting(store: Store) -> None:
    """A turn that is taken up keeps its inputs; what came since is the next turn's."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    await begun(store, key, ttl=AT_ONCE)
    await accept(store, key, "m2", "two")
    again = await begun(store, key)
    assert texts(again.inputs) == ["one"]
    await ended(store, again)
    assert texts((await begun(store, key)).inputs) == ["two"]


async def test_a_second_lost_attempt_voids_both(store: Store) -> None:
    """The third attempt voids the drafts of the first two."""
    key = await opened(store)
    await accept(store, key)
    for _ in range(2):
        await begun(store, key, ttl=AT_ONCE)
    voided = (await begun(store, key)).events[0].body
    assert voided == DraftVoided(up_to_attempt=2, reason="ATTEMPT_LOST")


async def test_a_resumed_turn_knows_its_committed_steps(store: Store) -> None:
    """The next attempt goes on behind the last committed step and repeats no message."""
    key = await opened(store)
    await accept(store, key)
    lost = await begun(store, key, ttl=AT_ONCE)
    kept = said("kept")
    await store.commit_step(lost.lease, step(lost, kept, inputs_consumed=True))
    again = await begun(store, key)
    assert (again.steps, again.message_ids) == (1, (kept.message_id,))
    assert (again.last_ai_message, again.inputs_consumed) == ("kept", True)


async def test_a_lease_that_ran_out_still_commits(store: Store) -> None:
    """The token fences, not the clock: where nobody took over, a late commit counts."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key, ttl=AT_ONCE)
    await ended(store, snapshot, said("late"))
    assert (await store.get_session(key)).last_ai_message == "late"


async def test_a_fenced_holder_writes_nothing(store: Store) -> None:
    """After a take-over the old holder's step, failure and renewal are refused without a trace."""
    key = await opened(store)
    await accept(store, key)
    old = await begun(store, key, ttl=AT_ONCE)
    await begun(store, key, owner="you")
    before = await _all_of(store, key)
    late = last_step(old, said("late"), variables=(variable("x", 1),), calls=(call(),))
    with pytest.raises(LeaseLost):
        await store.commit_step(old.lease, late)
    with pytest.raises(LeaseLost):
        await store.fail_turn(old.lease, failure(old, calls=(call(),)))
    assert not await store.renew_lease(old.lease, LONG)
    assert await _all_of(store, key) == before


async def test_the_new_holder_is_not_hindered(store: Store) -> None:
    """What the fenced holder tried leaves the new one's lease alone."""
    key = await opened(store)
    await accept(store, key)
    old = await begun(store, key, ttl=AT_ONCE)
    new = await begun(store, key, owner="you")
    with pytest.raises(LeaseLost):
        await ended(store, old)
    await ended(store, new, said("mine"))
    assert (await store.get_session(key)).last_ai_message == "mine"


async def test_a_lease_writes_its_own_attempt_only(store: Store) -> None:
    """A step or failure that names another turn or attempt is refused, though the lease is held."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    for other in (replace(snapshot, attempt=2), replace(snapshot, turn_id="turn_other")):
        with pytest.raises(LeaseLost):
            await ended(store, other)
        with pytest.raises(LeaseLost):
            await store.fail_turn(snapshot.lease, failure(other))
    await ended(store, snapshot)


async def test_a_freed_lease_is_no_lease(store: Store) -> None:
    """After the turn's last step the lease commits, fails and renews nothing more."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await ended(store, snapshot)
    with pytest.raises(LeaseLost):
        await ended(store, snapshot)
    with pytest.raises(LeaseLost):
        await store.fail_turn(snapshot.lease, failure(snapshot))
    assert not await store.renew_lease(snapshot.lease, LONG)


async def test_a_lease_of_an_unknown_session_is_none(store: Store) -> None:
    """A lease of a session that never was cannot be renewed."""
    assert not await store.renew_lease(Lease(key=SessionKey("t", "no"), owner="me", token=1), LONG)


async def test_tokens_rise(store: Store) -> None:
    """Each beginning has a higher token than any before it in the session."""
    key = await opened(store)
    tokens = []
    for number in range(3):
        await accept(store, key, f"m{number}")
        snapshot = await begun(store, key)
        tokens.append(snapshot.lease.token)
        await ended(store, snapshot)
    assert tokens == sorted(set(tokens))


async def _all_of(store: Store, key: SessionKey) -> list[object]:
    """Return what can be read of a session, but for the time of its last change."""
    record = await store.get_session(key)
    return [
        (record.status, record.position, record.last_sequence, record.last_ai_message),
        await store.read_events(key, 0),
        await store.list_messages(key, Page()),
        await store.list_variables(key),
        await store.list_calls(key, Page()),
    ]
