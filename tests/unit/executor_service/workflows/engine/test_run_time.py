"""The rules of time: retries, rests that give a slot back, limits of nodes and of the run."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from executor_service.workflows.engine.driver_ports import DriveEnd
from heartrule.domain.runs import NodeFailure, NodeState, RunErrorCode, RunState
from heartrule.domain.workflows import Node
from tests.support.driven_runs import RUN_TIME, RunWorld
from tests.support.workflow_builders import a_loop, a_node, a_plan
from tests.support.written_nodes import Ran

BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late", is_retryable=True)


def fails_until(attempt: int, failure: NodeFailure = BUSY) -> object:
    """Return what a node does that fails before an attempt."""
    return lambda record, _: failure if record.attempt < attempt else {"n": record.attempt}


def retried(node: Node, **retries: float) -> Node:
    """Return a node with retries of its own."""
    return replace(node, retry_config=dict(retries))


async def test_a_retry_waits_twice_as_long_each_time(world: RunWorld) -> None:
    """Delays double; the key for the outside is the same for every attempt."""
    world.nodes.does = fails_until(4)  # type: ignore[assignment]
    run = await world.run(a_plan(retried(a_node("a"), max_retries=3, retry_delay=1)))
    assert run.state is RunState.COMPLETED
    assert [each.attempt for each in world.nodes.ran] == [1, 2, 3, 4]
    assert len({each.key for each in world.nodes.ran}) == 1
    assert world.clock.slept == [1, 2, 4]


async def test_no_delay_is_above_a_minute(world: RunWorld) -> None:
    """The store is told a minute where doubling would give more."""
    world.nodes.does = fails_until(9)  # type: ignore[assignment]
    run_id = await world.queue(a_plan(retried(a_node("a"), max_retries=8, retry_delay=50)))
    first = await world.drive(run_id)
    world.database_clock.move(timedelta(seconds=51))
    second = await world.drive(run_id)
    assert (first.wake_after, second.wake_after) == (50, 60)


async def test_a_long_rest_gives_the_slot_back(world: RunWorld) -> None:
    """Nobody has the run until its time comes; then its next attempt begins."""
    world.nodes.does = fails_until(2)  # type: ignore[assignment]
    run_id = await world.queue(a_plan(retried(a_node("a"), max_retries=1, retry_delay=30)))
    assert (await world.drive(run_id)).end is DriveEnd.PAUSED
    assert (await world.drive(run_id, owner="w2")).end is DriveEnd.NOT_TAKEN
    world.database_clock.move(timedelta(seconds=31))
    assert (await world.drive(run_id, owner="w2")).end is DriveEnd.ENDED
    assert [each.attempt for each in world.nodes.ran] == [1, 2]


async def test_a_run_of_which_something_runs_keeps_its_slot(world: RunWorld) -> None:
    """A long delay of one node is waited for in place while another node runs."""
    gate = world.nodes.gates["b"] = asyncio.Event()
    world.nodes.does = lambda record, _: BUSY if (record.path, record.attempt) == ("a", 1) else {}
    world.clock.hold()
    plan = a_plan(retried(a_node("a"), max_retries=1, retry_delay=30), a_node("b"))
    run_id = await world.queue(plan)
    drive = asyncio.ensure_future(world.drive(run_id))
    await world.clock.somebody_sleeps(30)
    assert not drive.done()
    gate.set()
    assert (await drive).end is DriveEnd.PAUSED


async def test_after_a_pause_each_node_waits_for_its_own_time(world: RunWorld) -> None:
    """The run wakes for the shorter delay; the longer one is not cut short."""
    world.nodes.does = fails_until(2)  # type: ignore[assignment]
    plan = a_plan(
        retried(a_node("a"), max_retries=1, retry_delay=20),
        retried(a_node("b"), max_retries=1, retry_delay=50),
    )
    run_id = await world.queue(plan)
    assert (await world.drive(run_id)).wake_after == pytest.approx(20)
    world.database_clock.move(timedelta(seconds=21))
    paused = await world.drive(run_id)
    assert paused.wake_after == pytest.approx(29, abs=0.5)
    assert (await world.states(run_id)) == {"a": "completed", "b": "retrying"}


@pytest.mark.parametrize(("written", "given"), [(None, 300), (10, 10), (900, 300)])
async def test_a_node_has_its_time(world: RunWorld, written: float | None, given: float) -> None:
    """A node may take what its plan says, 300 seconds at most."""
    config = {} if written is None else {"timeout": written}
    await world.run(a_plan(a_node("a", **config)))  # type: ignore[arg-type]
    assert [each.timeout_s for each in world.nodes.ran] == [given]


async def test_no_node_may_take_longer_than_its_run(world: RunWorld) -> None:
    """Where the run has less time left than the node, that is the node's."""
    await world.run(a_plan(a_node("a")), timeout=timedelta(seconds=40))
    assert world.nodes.ran[0].timeout_s == pytest.approx(40, abs=0.5)


async def test_a_run_ends_at_its_deadline(world: RunWorld) -> None:
    """What runs then is cancelled, and the run has failed for want of time."""
    world.nodes.gates["a"] = asyncio.Event()
    run_id = await world.queue(a_plan(a_node("a"), a_node("b"), edges=["a>b"]))
    world.clock.hold()
    drive = asyncio.ensure_future(world.drive(run_id))
    await world.nodes.begun.wait()
    world.clock.move(RUN_TIME.total_seconds() + 1)
    assert (await drive).end is DriveEnd.ENDED
    run = await world.kept(run_id)
    assert run.failure is not None
    assert run.failure.code is RunErrorCode.RUN_TIMEOUT
    assert set((await world.states(run_id)).values()) == {"cancelled"}


async def test_a_run_that_is_taken_behind_its_deadline_begins_nothing(world: RunWorld) -> None:
    """A run that waited past its deadline fails when it is taken again."""
    world.nodes.does = lambda _, __: BUSY
    run_id = await world.queue(a_plan(retried(a_node("a"), max_retries=9, retry_delay=60)))
    await world.drive(run_id)
    world.database_clock.move(RUN_TIME + timedelta(seconds=1))
    await world.drive(run_id)
    run = await world.kept(run_id)
    assert run.failure is not None
    assert run.failure.code is RunErrorCode.RUN_TIMEOUT
    assert len(world.nodes.ran) == 1


async def test_what_the_deadline_did_to_a_node_is_no_failure_of_it(world: RunWorld) -> None:
    """A node that runs out of time with its run is not retried, and nobody decides about it."""

    def late(record: object, call: object) -> NodeFailure:
        world.clock.pass_by(RUN_TIME.total_seconds())
        return BUSY

    world.nodes.does = late
    run = await world.run(a_plan(retried(a_node("a"), max_retries=3)))
    assert run.failure is not None
    assert run.failure.code is RunErrorCode.RUN_TIMEOUT
    assert world.recoverer.decided == []


async def test_a_loop_with_a_time_of_its_own_ends_by_it(world: RunWorld) -> None:
    """Its nodes may take what is left of the loop's time; behind it the loop has failed."""

    def slow(record: object, call: object) -> dict[str, int]:
        world.clock.pass_by(20)
        return {"n": 1}

    world.nodes.does = slow
    run = await world.run(a_plan(a_loop("l", a_node("x"), items=[1, 2, 3], timeout=30)))
    assert [each.timeout_s for each in world.nodes.ran] == pytest.approx([30, 10], abs=0.5)
    assert world.recoverer.decided == ["l ABORT"]
    assert run.state is RunState.FAILED


def attempts(ran: list[Ran]) -> list[tuple[str, int]]:
    """Return the attempts by path and number."""
    return [(each.path, each.attempt) for each in ran]


async def test_a_recovery_allows_attempts_with_its_own_delay(world: RunWorld) -> None:
    """A RETRY of three attempts is three attempts; then the run is given up."""
    world.nodes.does = lambda _, __: BUSY
    node = replace(a_node("a"), on_failure={"action": "RETRY", "max_attempts": 3, "delay": 2})
    run = await world.run(a_plan(node))
    assert attempts(world.nodes.ran) == [("a", number) for number in (1, 2, 3, 4)]
    assert world.clock.slept == [2, 2, 2]
    assert world.recoverer.decided == ["a RETRY", "a ABORT"]
    assert (await world.progress(run.run_id)).state("a") is NodeState.FAILED
