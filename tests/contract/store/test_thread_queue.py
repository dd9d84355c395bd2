"""Runs of sub-agents wait for workers as workflows do, eight of a session at once."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.keys import SessionKey
from heartrule.domain.thread_changes import NewThread
from session_store.ports import Store
from session_store.records.kept_runs import RunWorker
from session_store.records.runs import NewRun
from session_store.records.threads import MOST_THREADS_AT_ONCE
from tests.support.clock import ManualClock
from tests.support.store_builders import accept, begun, last_step, opened
from tests.support.store_decisions import made, revision, turn_with
from tests.support.store_runs import new_run
from tests.support.store_threads import PLAIN, agent_run, placeholder, thread

SILENT = timedelta(seconds=60)


async def with_agents(store: Store, *priorities: int, session_id: str = "s1") -> SessionKey:
    """Open a session whose turn begins an agent of each priority."""
    key = await opened(store, session_id)
    await begin_agents(store, key, "m1", *priorities)
    return key


async def begin_agents(store: Store, key: SessionKey, name: str, *priorities: int) -> None:
    """Run a turn that begins an agent of each priority."""
    await accept(store, key, name)
    snapshot = await begun(store, key)
    announced = [placeholder() for _ in priorities]
    runs: list[NewRun] = []
    threads: list[NewThread] = []
    for number, (priority, each) in enumerate(zip(priorities, announced, strict=True)):
        run_id, thread_id = f"{name}_{number}", f"thr_{name}_{number}"
        runs.append(agent_run(run_id, thread_id, priority=priority))
        new = thread(thread_id, each.message_id, run_id=run_id)
        threads.append(NewThread(thread=new, plain_text=PLAIN))
    step = last_step(snapshot, *announced, runs=tuple(runs), threads=tuple(threads))
    await store.commit_step(snapshot.lease, step)


async def test_eight_agents_of_a_session_work_at_once(store: Store) -> None:
    """However large its share; workflows take their places beside them."""
    await store.beat(RunWorker(worker_id="w1", slots=40))
    key = await with_agents(store, *(10,) * 10)
    assert await store.threads_waiting(key) == 10
    first = await store.admit_runs(key, SILENT)
    assert len(first) == MOST_THREADS_AT_ONCE
    assert await store.threads_waiting(key) == 2
    assert await store.find_admissible(SILENT, 9) == ()
    await turn_with(store, key, "m2", made(), workflows=(revision(),), runs=(new_run("wf"),))
    assert await store.find_admissible(SILENT, 9) == (key,)
    assert [each.run_id for each in await store.admit_runs(key, SILENT)] == ["wf"]
    await store.cancel_run(key, first[0].run_id)
    assert await store.find_admissible(SILENT, 9) == (key,)
    assert len(await store.admit_runs(key, SILENT)) == 1
    assert await store.threads_waiting(key) == 1


async def test_agents_have_no_more_than_the_share_of_runs(store: Store) -> None:
    """The most urgent come first, and equal ones by age."""
    await store.beat(RunWorker(worker_id="w1", slots=4))
    key = await with_agents(store, 5, 10, 7, 10)
    admitted = await store.admit_runs(key, SILENT)
    assert [each.run_id for each in admitted] == ["m1_1", "m1_3"]


async def test_who_waits_a_minute_has_risen_by_one(clocked: Store, clock: ManualClock) -> None:
    """So no agent waits for ever behind urgent ones (D19)."""
    await clocked.beat(RunWorker(worker_id="w1", slots=4))
    key = await with_agents(clocked, 8)
    clock.move(timedelta(minutes=2, seconds=1))
    await clocked.beat(RunWorker(worker_id="w1", slots=4))
    await begin_agents(clocked, key, "m2", 10, 9)
    admitted = await clocked.admit_runs(key, SILENT)
    assert [each.run_id for each in admitted] == ["m1_0", "m2_0"]


async def test_an_agent_that_runs_waits_no_more(store: Store) -> None:
    """Whoever ended or has begun is not counted."""
    await store.beat(RunWorker(worker_id="w1", slots=2))
    key = await with_agents(store, 10, 10, 10)
    (first,) = await store.admit_runs(key, SILENT)
    await store.take_run(first.run_id, owner="w1")
    await store.cancel_run(key, "m1_1")
    assert await store.threads_waiting(key) == 1
