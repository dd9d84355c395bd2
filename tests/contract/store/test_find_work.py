"""What a sweep finds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from heartrule.domain.conversation import IfBusy
from heartrule.domain.events import Outcome
from session_store.ports import Store
from tests.support.clock import A_MOMENT, ManualClock
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
)


async def test_waiting_inputs_are_work(store: Store) -> None:
    """A session where inputs wait is found, opened or not, and whatever its merge window."""
    keys = {
        await opened(store, "s1"),
        await created(store, "s2"),
        await opened(store, "s3", merge_window=LONG),
    }
    for key in keys:
        await accept(store, key)
    assert set(await store.find_work(10)) == keys


async def test_an_orphaned_turn_is_work(store: Store) -> None:
    """A running turn without a live lease is found; one that is held is not."""
    orphaned, held = await opened(store, "s1"), await opened(store, "s2")
    for key, ttl in ((orphaned, AT_ONCE), (held, LONG)):
        await accept(store, key)
        await begun(store, key, ttl=ttl)
        await accept(store, key, "m2")
    assert await store.find_work(10) == (orphaned,)


async def test_an_orphaned_opening_is_work(store: Store) -> None:
    """An opening turn whose holder is gone is found, though nobody spoke."""
    key = await created(store)
    await opening(store, key, ttl=AT_ONCE)
    assert await store.find_work(10) == (key,)


async def test_a_failed_turn_that_is_asked_for_is_work(store: Store) -> None:
    """A failed turn is found once a repeat has asked for it."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    assert await store.find_work(10) == ()
    await accept(store, key)
    assert await store.find_work(10) == (key,)


async def test_a_lease_that_is_about_to_end_is_foretold(clocked: Store, clock: ManualClock) -> None:
    """A running turn's live lease is found with the time it has left; a longer one is not."""
    soon, later = await opened(clocked, "s1"), await opened(clocked, "s2")
    for key, seconds in ((soon, 15), (later, 30)):
        await accept(clocked, key)
        await begun(clocked, key, ttl=timedelta(seconds=seconds))
    within = timedelta(seconds=5)
    assert await clocked.find_lapsing(within, 10) == ()
    clock.move(timedelta(seconds=12) + A_MOMENT)
    ((found, left),) = await clocked.find_lapsing(within, 10)
    assert (found, round(left.total_seconds())) == (soon, 3)
    clock.move(timedelta(seconds=3))
    assert (await clocked.find_lapsing(within, 10), await clocked.find_work(10)) == ((), (soon,))


async def test_idle_and_ended_sessions_are_no_work(store: Store) -> None:
    """Neither a session that waits for its client is found, nor one that ended with inputs left."""
    idle, over = await opened(store, "s1"), await opened(store, "s2")
    for key, outcome in ((idle, Outcome.WAITING), (over, Outcome.SESSION_COMPLETED)):
        await accept(store, key)
        snapshot = await begun(store, key)
        if key == over:
            await accept(store, key, "left")
        await store.commit_step(snapshot.lease, last_step(snapshot, outcome=outcome))
    await created(store, "s3")
    assert await store.find_work(10) == ()


async def test_a_repeat_of_a_completed_turn_is_no_work(store: Store) -> None:
    """Sending an answered input again gives nothing to do."""
    key = await opened(store)
    await accept(store, key)
    await ended(store, await begun(store, key))
    await accept(store, key)
    assert await store.find_work(10) == ()


async def test_work_is_bounded(store: Store) -> None:
    """At most as many sessions are given as were asked for; what is done is not found again."""
    keys = [await opened(store, f"s{number}") for number in range(3)]
    for key in keys:
        await accept(store, key)
    found = await store.find_work(2)
    assert len(found) == 2
    for key in found:
        await ended(store, await begun(store, key))
    assert set(await store.find_work(2)) == set(keys) - set(found)


@pytest.mark.parametrize(("attempts", "pause_s"), [(1, 10), (2, 20), (6, 300), (9, 300)])
async def test_a_failed_turn_with_waiting_inputs_is_left_alone_for_a_while(
    clocked: Store, clock: ManualClock, attempts: int, pause_s: int
) -> None:
    """Inputs behind a failure are work again after a pause that grows, up to five minutes."""
    key = await opened(clocked)
    await accept(clocked, key)
    for _ in range(attempts):
        snapshot = await begun(clocked, key)
        await accept(clocked, key, f"w{snapshot.attempt}", if_busy=IfBusy.QUEUE)
        await clocked.fail_turn(snapshot.lease, failure(snapshot))
    clock.move(timedelta(seconds=pause_s - 1))
    assert await clocked.find_work(10) == ()
    clock.move(timedelta(seconds=1) + A_MOMENT)
    assert await clocked.find_work(10) == (key,)


async def test_a_turn_that_has_just_failed_is_left_alone(store: Store) -> None:
    """Inputs behind a failure of this moment are no work, and are run once somebody asks."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await accept(store, key, "m2", if_busy=IfBusy.QUEUE)
    await store.fail_turn(snapshot.lease, failure(snapshot))
    assert await store.find_work(10) == ()
    assert (await begun(store, key)).attempt == 2
