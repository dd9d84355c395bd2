"""Runs on DBOS: queued, taken, paused, cancelled, handed over, and swept up."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from executor_service.workflows.engine.engine_state import EngineState
from executor_service.workflows.engine.run_queue import RunQueue
from executor_service.workflows.engine.run_taker import migrate_run_database
from heartrule.chassis.logs import JsonLines
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from session_store.sql.run_database import open_run_database
from tests.support.driven_runs import RunWorld, until_dead
from tests.support.durable_runs import durable
from tests.support.workflow_builders import a_loop, a_node, a_plan
from tests.support.written_nodes import AWAY, DyingStore

BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late", is_retryable=True)
BAD = NodeFailure(code=RunErrorCode.CODE_ERROR, message="no", is_retryable=False)
FAN = a_plan(
    *(a_node(each) for each in "abcd"),
    a_loop("l", a_node("x", inputs={"i": "${item}"}), items=[1, 2]),
    edges=["a>b", "a>c", "b>d", "c>d", "d>l"],
)


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Return the address of a store whose runs have no file yet."""
    return f"sqlite:///{tmp_path / 'heartrule.db'}"


def contents(folder: Path) -> list[bytes]:
    """Return what the files of a folder hold."""
    return [each.read_bytes() for each in folder.iterdir()]


async def test_runs_are_driven_to_their_end(world: RunWorld, address: str) -> None:
    """More runs than slots: each node of each runs once, and what ended is forgotten."""
    async with durable(world, address) as made:
        runs = [await made.started(FAN) for _ in range(5)]
        assert [await made.over(each) for each in runs] == [RunState.COMPLETED] * 5
        assert set(Counter(world.nodes.paths).values()) == {5}
        await made.upkeep.sweep()
        assert set((await made.engine.status(runs)).values()) == {EngineState.UNKNOWN}


async def test_a_run_that_rests_is_resumed_by_the_sweep(world: RunWorld, address: str) -> None:
    """It is out of the queue until its time has come; what ended does not run again."""
    world.nodes.does = lambda at, _: BUSY if (at.path, at.attempt) == ("b", 1) else {}
    resting = replace(a_node("b"), retry_config={"max_retries": 1, "retry_delay": 40})
    async with durable(world, address, slots=1) as made:
        run_id = await made.started(a_plan(a_node("a"), resting, edges=["a>b"]))
        assert await made.settled(run_id) is RunState.RUNNING
        assert await made.engine.status([run_id]) == {run_id: EngineState.AT_REST}
        world.database_clock.move(timedelta(seconds=41))
        await made.upkeep.sweep()
        assert await made.settled(run_id) is RunState.COMPLETED
        assert world.nodes.paths == ["a", "b", "b"]


async def test_pauses_leave_no_slot_taken(world: RunWorld, address: str) -> None:
    """With one slot, runs that wait for a decision do not keep others from running."""
    world.recoverer.waits = True
    world.nodes.does = lambda at, _: BAD if at.path == "bad" else {}
    async with durable(world, address, slots=1) as made:
        for _ in range(3):
            run_id = await made.started(a_plan(a_node("bad")))
            assert await made.settled(run_id) is RunState.WAITING_DECISION
            await world.store.cancel_run(world.key, run_id)
        assert await made.over(await made.started(a_plan(a_node("a")))) is RunState.COMPLETED


async def test_a_decision_has_a_run_go_on(world: RunWorld, address: str) -> None:
    """Whoever decides resumes the run."""
    world.recoverer.waits = True
    world.nodes.does = lambda at, _: BAD if at.attempt == 1 else {}
    async with durable(world, address) as made:
        run_id = await made.started(a_plan(a_node("a")))
        assert await made.settled(run_id) is RunState.WAITING_DECISION
        await world.decide(run_id, "a", action="RETRY", max_attempts=1)
        await made.engine.resume([run_id])
        assert await made.settled(run_id) is RunState.COMPLETED


async def test_a_cancelled_run_stops_at_once(world: RunWorld, address: str) -> None:
    """The node that runs is cancelled, and no later sweep revives it."""
    world.nodes.gates["a"] = asyncio.Event()
    async with durable(world, address) as made:
        run_id = await made.started(a_plan(a_node("a")))
        await world.nodes.begun.wait()
        await world.store.cancel_run(world.key, run_id)
        await made.engine.cancel(run_id)
        assert world.nodes.running == set()
        await made.upkeep.sweep()
        await made.engine.resume([run_id])
        assert await made.settled(run_id) is RunState.CANCELLED
        assert world.nodes.paths == ["a"]


async def test_a_cancel_elsewhere_reaches_a_node_within_seconds(
    world: RunWorld, address: str
) -> None:
    """A process that takes no runs stops one by the queue alone."""
    world.nodes.gates["a"] = asyncio.Event()
    async with durable(world, address) as made:
        run_id = await made.started(a_plan(a_node("a")))
        await world.nodes.begun.wait()
        await world.store.cancel_run(world.key, run_id)
        await made.queue.stop([run_id])
        while world.nodes.running:
            await made.engine.status([run_id])
        assert (await world.states(run_id)) == {"a": "cancelled"}


async def test_a_run_that_was_taken_again_outlives_a_late_stop(
    world: RunWorld, address: str
) -> None:
    """Who let go of a run takes it out of the queue; by then it may have been decided, and run."""
    gate = world.nodes.gates["a"] = asyncio.Event()
    async with durable(world, address) as made:
        run_id = await made.started(a_plan(a_node("a")))
        await world.nodes.begun.wait()
        await made.queue.stop([run_id])
        async with asyncio.timeout(20):
            while len(world.nodes.ran) < 2:
                await made.engine.status([run_id])
            gate.set()
            assert await made.over(run_id) is RunState.COMPLETED


async def test_another_worker_goes_on_with_what_one_left(world: RunWorld, address: str) -> None:
    """A worker that leaves hands its runs over: the next one takes them at its launch."""
    world.nodes.gates["c"] = asyncio.Event()
    async with durable(world, address) as made:
        run_id = await made.started(FAN)
        while "c" not in world.nodes.running:
            world.nodes.begun.clear()
            await world.nodes.begun.wait()
    world.nodes.gates.clear()
    async with durable(world, address, worker_id="w2") as made:
        assert await made.over(run_id) is RunState.COMPLETED
    counted = Counter(world.nodes.paths)
    assert counted.pop("c") == 2
    assert set(counted.values()) == {1}
    assert len({each.key for each in world.nodes.ran if each.path == "c"}) == 1


async def test_a_lost_queue_loses_no_run(world: RunWorld, address: str) -> None:
    """DBOS knows nothing of a run whose worker died; what had ended is not run again."""
    run_id = await world.queue(FAN)
    await world.store.admit_runs(world.key, timedelta(seconds=60))
    assert await until_dead(world, run_id, DyingStore(world.store, dies_at=6), "dead")
    async with durable(world, address) as made:
        await made.upkeep.sweep()
        assert await made.over(run_id) is RunState.COMPLETED
    assert world.nodes.paths.count("a") == 1


async def test_a_run_of_a_silent_worker_is_taken_over(world: RunWorld, address: str) -> None:
    """A worker without a heartbeat has its runs taken, and is fenced when it comes back."""
    async with durable(world, address) as made:
        world.nodes.gates["a"] = asyncio.Event()
        run = await made.queued(a_plan(a_node("a"), a_node("b"), edges=["a>b"]))
        silent = asyncio.ensure_future(world.drive(run.run_id, owner="silent"))
        await world.nodes.begun.wait()
        gate = world.nodes.gates.pop("a")
        await made.upkeep.sweep()
        assert await made.over(run.run_id) is RunState.COMPLETED
        gate.set()
        assert (await silent).end == "fenced"
        assert Counter(world.nodes.paths) == {"a": 2, "b": 1}


async def test_a_run_whose_worker_died_as_it_took_it_is_taken_again(
    world: RunWorld, address: str
) -> None:
    """It had written nothing yet: by our rows the run still waits to be taken."""
    run_id = await world.queue(a_plan(a_node("a")))
    (run,) = await world.store.admit_runs(world.key, timedelta(seconds=60))
    database = open_run_database(address)
    await asyncio.to_thread(migrate_run_database, database)
    await RunQueue(database).put(run)
    with database.engine.begin() as db:
        db.execute(sa.text("UPDATE workflow_status SET status='PENDING', executor_id='dead'"))
    database.close()
    async with durable(world, address) as made:
        await made.upkeep.sweep()
        assert await made.over(run_id) is RunState.COMPLETED


async def test_a_run_that_is_taken_twice_by_its_worker_goes_on(
    world: RunWorld, address: str
) -> None:
    """DBOS lets the first execution record nothing more, and would have it wait for the second."""
    gate = world.nodes.gates["a"] = asyncio.Event()
    async with durable(world, address) as made:
        run_id = await made.started(a_plan(a_node("a"), a_node("b"), edges=["a>b"]))
        await world.nodes.begun.wait()
        await made.queue.go_on([run_id])
        # Nothing tells when it has been taken.
        while (await made.engine.status([run_id]))[run_id] is not EngineState.RUNNING:  # noqa: ASYNC110
            await asyncio.sleep(0)
        gate.set()
        assert await made.over(run_id) is RunState.COMPLETED


async def test_a_run_that_breaks_off_goes_on(world: RunWorld, address: str) -> None:
    """A store that is away for one write costs the run a second."""
    async with durable(world, address) as made:
        store = made.engine._ports.store
        assert isinstance(store, DyingStore)
        store.refuse("end_node")
        run_id = await made.started(a_plan(a_node("a")))
        assert await made.over(run_id) is RunState.COMPLETED
        assert world.nodes.paths == ["a", "a"]


@pytest.mark.parametrize("write", ["end_node", "admit_runs"])
async def test_an_error_is_told_without_its_text(
    write: str, world: RunWorld, address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """While a run is driven, and when it is let go of: by class and place, and DBOS has neither."""
    gate = world.nodes.gates["a"] = asyncio.Event()
    async with durable(world, address) as made:
        store = made.engine._ports.store
        assert isinstance(store, DyingStore)
        run_id = await made.started(a_plan(a_node("a")))
        store.refuse(write)
        gate.set()
        assert await made.over(run_id) is RunState.COMPLETED
    told = [JsonLines("x").format(each) for each in caplog.records if each.msg == "a run broke off"]
    assert len(told) == 1
    assert '"class": "StoreUnavailable"' in told[0]
    assert "written_nodes.py" in told[0]
    assert not any(AWAY.encode() in each for each in [*contents(tmp_path), *map(str.encode, told)])


async def test_runs_whose_workers_died_are_driven_one_at_a_time(
    world: RunWorld, address: str
) -> None:
    """Taken over twice, either may be what kills its workers: it would die alone."""
    plans = [a_plan(*map(a_node, ids), edges=[">".join(ids[:2]), ">".join(ids[1:])])
             for ids in ("abc", "xyz")]  # fmt: skip
    async with durable(world, address, slots=4) as made:
        runs = [await made.queued(plan) for plan in plans]
        for run in runs:
            for dead in range(3):
                await world.store.take_run(run.run_id, owner=f"dead{dead}")
        await asyncio.gather(*map(made.engine.start, runs))
        assert [await made.over(each.run_id) for each in runs] == [RunState.COMPLETED] * 2
    assert "".join(world.nodes.paths) in {"abcxyz", "xyzabc"}


async def test_a_process_that_takes_no_runs_starts_them(world: RunWorld, address: str) -> None:
    """What it puts into the queue another process drives."""
    async with durable(world, address) as made:
        database = await asyncio.to_thread(open_run_database, address)
        client = type(made.queue)(database)
        run = await made.queued(a_plan(a_node("a")))
        await client.put(run)
        await client.put(run)
        await client.aclose()
        database.close()
        assert await made.over(run.run_id) is RunState.COMPLETED
        assert world.nodes.paths == ["a"]


async def test_dbos_holds_ids_and_states_alone(
    world: RunWorld, address: str, tmp_path: Path
) -> None:
    """Neither a node's name nor its output nor the words of its failure reach its file."""
    secret = "CANARY-7"
    words = NodeFailure(code=RunErrorCode.CODE_ERROR, message=secret, is_retryable=False)
    world.nodes.does = lambda at, _: words if at.path == "bad" else {secret: secret}
    plan = a_plan(a_node(f"n_{secret}", inputs={"x": secret}), a_node("bad"))
    async with durable(world, address) as made:
        assert await made.settled(await made.started(plan)) is RunState.FAILED
    written = contents(tmp_path)
    assert written
    assert not any(secret.encode() in each for each in written)
