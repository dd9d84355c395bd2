"""Runs in tasks of one process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from executor_service.workflows.engine.engine_state import EngineState
from executor_service.workflows.engine.inline_engine import InlineEngine
from heartrule.chassis.logs import JsonLines
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from session_store.records.kept_runs import QueuedRun
from tests.support.driven_runs import RunWorld
from tests.support.workflow_builders import a_node, a_plan
from tests.support.written_nodes import AWAY, DyingStore

BAD = NodeFailure(code=RunErrorCode.CODE_ERROR, message="no", is_retryable=False)
ONE = a_plan(a_node("a"))


def engine(world: RunWorld, slots: int = 2) -> InlineEngine:
    """Return an engine over the world's store."""
    return InlineEngine(world.ports(), owner="w1", slots=slots)


async def queued(world: RunWorld) -> QueuedRun:
    """Return a run of one node that waits to be started."""
    run = await world.kept(await world.queue(ONE))
    assert run.create_time is not None
    return QueuedRun(
        key=run.key, run_id=run.run_id, priority=run.priority, create_time=run.create_time
    )


async def test_a_run_is_driven_to_its_end(world: RunWorld) -> None:
    """Once it is over nothing is known of it any more; a second start changes nothing."""
    inline, run = engine(world), await queued(world)
    await inline.start(run)
    await inline.start(run)
    await inline.wait(run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.COMPLETED
    assert await inline.status([run.run_id]) == {run.run_id: EngineState.UNKNOWN}
    assert world.nodes.paths == ["a"]


async def test_runs_wait_for_a_slot(world: RunWorld) -> None:
    """The second run is queued while the first has the only slot."""
    inline = engine(world, slots=1)
    world.nodes.gates["a"] = gate = asyncio.Event()
    runs = [await queued(world), await queued(world)]
    for each in runs:
        await inline.start(each)
    await world.nodes.begun.wait()
    states = list((await inline.status([each.run_id for each in runs])).values())
    assert states == [EngineState.RUNNING, EngineState.QUEUED]
    gate.set()
    await inline.wait(runs[1].run_id)
    assert len(world.nodes.ran) == 2


async def test_what_breaks_a_run_off_is_logged_without_its_text(
    world: RunWorld, caplog: pytest.LogCaptureFixture
) -> None:
    """By class and place; the run goes on a second later."""
    store = DyingStore(world.store, away=["end_node"])
    inline, run = InlineEngine(world.ports(store), owner="w1", slots=2), await queued(world)
    await inline.start(run)
    await inline.wait(run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.COMPLETED
    (told,) = [JsonLines("x").format(each) for each in caplog.records]
    assert '"event": "a run broke off"' in told
    assert '"class": "StoreUnavailable"' in told
    assert AWAY not in told


async def test_a_cancelled_run_is_driven_no_further(world: RunWorld) -> None:
    """Its node is stopped at once."""
    inline, run = engine(world), await queued(world)
    world.nodes.gates["a"] = asyncio.Event()
    await inline.start(run)
    await world.nodes.begun.wait()
    await world.store.cancel_run(world.key, run.run_id)
    await inline.cancel(run.run_id)
    assert world.nodes.running == set()
    assert (await world.kept(run.run_id)).state is RunState.CANCELLED


async def test_a_run_that_waits_for_somebody_is_resumed(world: RunWorld) -> None:
    """Nothing is done for it until then."""
    world.recoverer.waits = True
    world.nodes.does = lambda record, _: BAD if record.attempt == 1 else {}
    inline, run = engine(world), await queued(world)
    await inline.start(run)
    await inline.wait(run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.WAITING_DECISION
    await world.decide(run.run_id, "a", action="RETRY", max_attempts=1)
    await inline.resume([run.run_id])
    await inline.wait(run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.COMPLETED


async def test_a_run_that_rests_goes_on_by_itself(world: RunWorld) -> None:
    """The engine keeps the time of the runs that it paused."""
    busy = replace(BAD, is_retryable=True)
    world.nodes.does = lambda record, _: busy if record.attempt == 1 else {}
    node = replace(a_node("a"), retry_config={"max_retries": 1, "retry_delay": 30})
    inline, run_id = engine(world), await world.queue(a_plan(node))
    world.clock.hold()
    await inline.resume([run_id])
    await world.clock.somebody_sleeps(30, times=2)  # the driver, then the engine
    assert await inline.status([run_id]) == {run_id: EngineState.AT_REST}
    world.database_clock.move(timedelta(seconds=31))
    world.clock.move(31)
    await inline.wait(run_id)
    assert (await world.kept(run_id)).state is RunState.COMPLETED


async def test_what_is_left_at_the_end_is_given_back(world: RunWorld) -> None:
    """A process that leaves waits for its grace, and no run is lost."""
    inline, run = engine(world), await queued(world)
    world.nodes.gates["a"] = asyncio.Event()
    await inline.start(run)
    await world.nodes.begun.wait()
    await inline.aclose(0)
    world.nodes.gates.clear()
    after = engine(world)
    await after.resume([run.run_id])
    await after.wait(run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.COMPLETED
