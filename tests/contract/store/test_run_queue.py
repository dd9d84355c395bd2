"""Which runs workers take: admitted to their share, woken in time, taken over from the dead."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from heartrule.domain.errors import LeaseLost
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunErrorCode, RunState
from session_store.ports import Store
from session_store.records.kept_runs import RunLanding, RunWorker
from session_store.records.runs import RunNotTaken, RunPause
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import AT_ONCE, LONG, accept, begun, last_step, opened
from tests.support.store_decisions import made, revision, turn_with
from tests.support.store_runs import (
    BADLY,
    MINUTE,
    WELL,
    new_run,
    queued,
    ran,
    taken,
    words,
    working,
)

SILENT = timedelta(seconds=60)


async def with_runs(store: Store, most: int, session_id: str = "s1") -> SessionKey:
    """Open a session in which so many runs are queued, each more urgent than the one before."""
    key = await opened(store, session_id)
    names = [f"{session_id}_{number}" for number in range(most)]
    await turn_with(
        store,
        key,
        "m1",
        made(),
        workflows=tuple(revision(1, f"wf_{name}") for name in names),
        runs=tuple(new_run(name, f"wf_{name}", priority=place) for place, name in enumerate(names)),
    )
    return key


async def test_a_session_has_half_of_the_workers_at_most(store: Store) -> None:
    """The rest waits until one of its runs ends; the most urgent is first."""
    await store.beat(RunWorker(worker_id="w1", slots=3))
    await store.beat(RunWorker(worker_id="w2", slots=2))
    key = await with_runs(store, 4)
    first = await store.admit_runs(key, SILENT)
    assert [each.run_id for each in first] == ["s1_3", "s1_2"]
    assert [each.priority for each in first] == [3, 2]
    assert await store.admit_runs(key, SILENT) == ()
    await store.cancel_run(key, "s1_3")
    assert [each.run_id for each in await store.admit_runs(key, SILENT)] == ["s1_1"]


async def test_a_session_has_one_run_at_least(store: Store) -> None:
    """Also where nobody has said that it lives."""
    key = await with_runs(store, 2)
    assert len(await store.admit_runs(key, SILENT)) == 1
    assert await store.admit_runs(SessionKey("t", "gone"), SILENT) == ()


async def test_sessions_with_room_are_found(store: Store) -> None:
    """The longest waiting first; one whose share is full is none."""
    first, second = await with_runs(store, 2), await with_runs(store, 2, "s2")
    assert await store.find_admissible(SILENT, 9) == (first, second)
    await store.admit_runs(first, SILENT)
    assert await store.find_admissible(SILENT, 9) == (second,)


async def test_what_is_admitted_and_has_not_ended_stands(store: Store) -> None:
    """A page at a time, so that what the queue does not know is found."""
    await store.beat(RunWorker(worker_id="w1", slots=8))
    key = await with_runs(store, 3)
    assert await store.standing_runs(9) == ()
    await store.admit_runs(key, SILENT)
    await store.cancel_run(key, "s1_1")
    assert [each.run_id for each in await store.standing_runs(9)] == ["s1_0", "s1_2"]
    assert [each.run_id for each in await store.standing_runs(9, "s1_0")] == ["s1_2"]
    assert [each.run_id for each in await store.standing_runs(1)] == ["s1_0"]


async def test_workers_live_by_their_heartbeat(clocked: Store, clock: ManualClock) -> None:
    """One that is silent for too long is gone, as one that says so."""
    for name in ("w1", "w2", "w3"):
        await clocked.beat(RunWorker(worker_id=name, slots=4, version=7))
    await clocked.forget_worker("w3")
    clock.move(SILENT)
    await clocked.beat(RunWorker(worker_id="w2", slots=2, version=8))
    assert await clocked.living_workers(SILENT) == (RunWorker(worker_id="w2", slots=2, version=8),)


async def test_runs_of_the_dead_are_found(clocked: Store, clock: ManualClock) -> None:
    """Once in a while each, until somebody takes them over."""
    await clocked.beat(RunWorker(worker_id="w1", slots=4))
    await working(clocked)
    assert await clocked.orphaned_runs(9, silent=SILENT, again_after=MINUTE) == ()
    clock.move(SILENT)
    found = [await clocked.orphaned_runs(9, silent=SILENT, again_after=MINUTE) for _ in range(2)]
    assert found == [("run_1",), ()]
    clock.move(MINUTE)
    assert await clocked.orphaned_runs(9, silent=SILENT, again_after=MINUTE) == ("run_1",)
    await clocked.beat(RunWorker(worker_id="w2", slots=4))
    await taken(clocked, owner="w2")
    clock.move(MINUTE / 2)
    assert await clocked.orphaned_runs(9, silent=SILENT, again_after=AT_ONCE) == ()


async def test_runs_that_wait_are_woken_in_time(clocked: Store, clock: ManualClock) -> None:
    """Not earlier, and not taken earlier; at their deadline at the latest."""
    _, lease = await working(clocked)
    await clocked.pause_run(lease, RunPause(wake_after=MINUTE))
    assert await clocked.due_runs(9, again_after=MINUTE) == ()
    assert isinstance(await clocked.take_run("run_1", owner="w2"), RunNotTaken)
    clock.move(2 * MINUTE)
    assert await clocked.due_runs(9, again_after=MINUTE) == ("run_1",)
    assert await clocked.due_runs(9, again_after=MINUTE) == ()
    await clocked.pause_run((await taken(clocked)).lease, RunPause())
    clock.move(9 * MINUTE)
    assert await clocked.due_runs(9, again_after=MINUTE) == ("run_1",)
    assert (await taken(clocked)).time_left < AT_ONCE


async def test_a_run_that_waits_again_is_due_by_its_new_time(
    clocked: Store, clock: ManualClock
) -> None:
    """That a sweep has just found it counts no more once it was taken."""
    _, lease = await working(clocked)
    for _ in range(2):
        await clocked.pause_run(lease, RunPause(wake_after=MINUTE))
        clock.move(MINUTE + A_MOMENT)
        assert await clocked.due_runs(9, again_after=LONG) == ("run_1",)
        lease = (await taken(clocked)).lease


async def test_of_two_that_take_a_run_at_once_one_can_write(store: Store) -> None:
    """Both are given it; the one with the higher token has it."""
    await queued(store)
    both = await asyncio.gather(taken(store, owner="w1"), taken(store, owner="w2"))
    first, second = sorted((each.lease for each in both), key=lambda lease: lease.token)
    with pytest.raises(LeaseLost):
        await ran(store, first)
    await ran(store, second)


async def test_nodes_that_run_at_once_are_all_written(store: Store) -> None:
    """Each has its events, numbered without a gap, beside a turn that runs."""
    key, lease = await working(store)
    names = ("n0", "n1", "n2", "n3")
    turn = turn_with(store, key, "m2")
    await asyncio.gather(turn, *(ran(store, lease, name) for name in names))
    events = await store.read_events(key, 0)
    assert [each.sequence for each in events] == list(range(1, len(events) + 1))
    ended = [each.record.path for each in (await store.get_run(key, "run_1")).nodes]
    assert sorted(ended) == list(names)


async def test_an_end_waits_for_the_next_turn(store: Store) -> None:
    """A turn is told how many wait, and takes up those it names, once."""
    key, lease = await working(store)
    await store.finish_run(lease, WELL)
    assert [each.run_id for each in await store.ended_runs(key)] == ["run_1"]
    await accept(store, key, "m2")
    snapshot = await begun(store, key)
    assert snapshot.runs_waiting == 1
    await store.commit_step(snapshot.lease, last_step(snapshot, runs_taken_up=("run_1", "run_9")))
    assert await store.ended_runs(key) == ()
    assert (await store.get_run(key, "run_1")).run.landing is RunLanding.TAKEN
    await accept(store, key, "m3")
    assert (await begun(store, key)).runs_waiting == 0


async def test_a_session_at_its_end_takes_nothing_up(clocked: Store, clock: ManualClock) -> None:
    """The run ends as it would, and says so."""
    key = await queued(clocked)
    clock.move(MINUTE)
    assert await clocked.end_idle(key, AT_ONCE)
    await clocked.finish_run((await taken(clocked)).lease, BADLY)
    assert (await clocked.get_run(key, "run_1")).run.landing is RunLanding.SESSION_OVER


async def test_a_run_that_kills_its_workers_is_failed(store: Store) -> None:
    """Taken over five times it goes on; the sixth time it is failed, and told so."""
    key = await queued(store)
    for number in range(6):
        await taken(store, owner=f"w{number}")
        assert await store.takeovers_of("run_1") == number
    over = await store.take_run("run_1", owner="w9")
    assert isinstance(over, RunNotTaken)
    assert words([each.body for each in over.events])[0] == "run failed"  # type: ignore[misc]
    found = (await store.get_run(key, "run_1")).run
    assert found.failure is not None
    assert (found.state, found.failure.code) == (RunState.FAILED, RunErrorCode.WORKER_LOST)
    assert await store.takeovers_of("run_1") == 0


async def test_a_run_that_let_go_is_taken_as_often_as_it_likes(store: Store) -> None:
    """Only who dies counts."""
    await queued(store)
    for number in range(9):
        lease = (await taken(store, owner=f"w{number}")).lease
        await store.pause_run(lease, RunPause(wake_after=timedelta(0)))
    assert (await taken(store)).time_left < LONG
