"""Who may write a run: cancelled, fenced, handed over, cut off."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from executor_service.failpoints import Failpoint
from executor_service.workflows.engine.driver_ports import DriveEnd, Driven
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from heartrule.domain.workflows import Node, NodeType, Workflow
from tests.support.driven_runs import RunWorld, SeenFailpoints
from tests.support.workflow_builders import a_loop, a_node, a_plan

BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late", is_retryable=True)
TWO = a_plan(a_node("a"), a_node("b"), edges=["a>b"])


async def held_at(world: RunWorld, path: str, plan: Workflow) -> tuple[str, asyncio.Task[Driven]]:
    """Drive a run until a node of it runs, which is held there."""
    world.nodes.gates[path] = asyncio.Event()
    run_id = await world.queue(plan)
    drive = asyncio.ensure_future(world.drive(run_id))
    while path not in world.nodes.running:
        world.nodes.begun.clear()
        await world.nodes.begun.wait()
    return run_id, drive


async def test_a_queued_run_that_is_cancelled_is_not_taken(world: RunWorld) -> None:
    """Nothing of it runs."""
    run_id = await world.queue(TWO)
    await world.store.cancel_run(world.key, run_id)
    assert (await world.drive(run_id)).end is DriveEnd.ENDED
    assert world.nodes.ran == []


async def test_a_run_that_is_cancelled_while_a_node_runs_goes_no_further(world: RunWorld) -> None:
    """What the node gave is not written, and no other node begins."""
    run_id, drive = await held_at(world, "a", TWO)
    await world.store.cancel_run(world.key, run_id)
    world.nodes.gates["a"].set()
    assert (await drive).end is DriveEnd.FENCED
    assert await world.states(run_id) == {"a": "cancelled"}
    assert (await world.kept(run_id)).state is RunState.CANCELLED


async def test_a_run_that_is_cancelled_while_it_rests_stays_so(world: RunWorld) -> None:
    """Its time comes, and nobody can take it."""
    world.nodes.does = lambda _, __: BUSY
    node = replace(a_node("a"), retry_config={"max_retries": 1, "retry_delay": 30})
    run_id = await world.queue(a_plan(node))
    await world.drive(run_id)
    await world.store.cancel_run(world.key, run_id)
    world.database_clock.move(timedelta(seconds=31))
    assert (await world.drive(run_id)).end is DriveEnd.ENDED
    assert len(world.nodes.ran) == 1


async def test_a_run_that_is_cancelled_while_it_waits_for_a_decision_stays_so(
    world: RunWorld,
) -> None:
    """It is over, whatever would have been decided."""
    world.recoverer.waits = True
    world.nodes.does = lambda _, __: BUSY
    run_id = await world.queue(TWO)
    await world.drive(run_id)
    await world.store.cancel_run(world.key, run_id)
    assert (await world.drive(run_id)).end is DriveEnd.ENDED


async def test_a_run_that_is_cancelled_while_it_is_interrupted_stays_so(world: RunWorld) -> None:
    """What it stopped for is decided, and nobody takes it any more."""
    run_id, drive = await held_at(world, "a", TWO)
    world.recoverer.waits = True
    world.nodes.does = lambda record, _: BUSY if record.path == "bad" else {}
    waiting = await world.queue(a_plan(a_node("bad")))
    await world.drive(waiting, owner="w2")
    world.nodes.gates["a"].set()
    await drive
    assert (await world.kept(run_id)).state is RunState.INTERRUPTED
    await world.store.cancel_run(world.key, run_id)
    await world.store.cancel_run(world.key, waiting)
    assert (await world.drive(run_id)).end is DriveEnd.ENDED
    assert world.nodes.paths == ["a", "bad"]
    assert await world.states(run_id) == {"a": "completed"}


async def test_an_ended_run_is_not_cancelled(world: RunWorld) -> None:
    """What has ended stays as it is."""
    run = await world.run(TWO)
    await world.store.cancel_run(world.key, run.run_id)
    assert (await world.kept(run.run_id)).state is RunState.COMPLETED


async def test_a_fenced_owner_writes_nothing(world: RunWorld) -> None:
    """The one who took the run over runs the node again, under the same number and key."""
    run_id, drive = await held_at(world, "a", TWO)
    world.nodes.gates = {}
    assert (await world.drive(run_id, owner="w2")).end is DriveEnd.ENDED
    drive.cancel()
    await asyncio.wait({drive})
    assert [(each.path, each.attempt) for each in world.nodes.ran] == [("a", 1), ("a", 1), ("b", 1)]
    assert world.nodes.ran[0].key == world.nodes.ran[1].key


async def test_an_owner_that_comes_back_finds_out_at_its_next_write(world: RunWorld) -> None:
    """Its node has ended meanwhile; it lets go without a word."""
    run_id, drive = await held_at(world, "a", TWO)
    gate = world.nodes.gates.pop("a")
    await world.drive(run_id, owner="w2")
    before = await world.progress(run_id)
    gate.set()
    assert (await drive).end is DriveEnd.FENCED
    assert await world.progress(run_id) == before


async def test_a_driver_that_is_cancelled_writes_nothing_more(world: RunWorld) -> None:
    """Its node is cancelled with it; the rows say that it runs."""
    run_id, drive = await held_at(world, "a", TWO)
    drive.cancel()
    await asyncio.wait({drive})
    assert drive.cancelled()
    assert world.nodes.running == set()
    assert await world.states(run_id) == {"a": "running"}


async def test_a_run_is_handed_over(world: RunWorld) -> None:
    """Whoever leaves gives the run back at once, and another goes on with it."""
    run_id, drive = await held_at(world, "b", TWO)
    world.leaving.set()
    assert await drive == Driven(end=DriveEnd.PAUSED, wake_after=0.0)
    world.leaving.clear()
    world.nodes.gates.clear()
    assert (await world.drive(run_id, owner="w2")).end is DriveEnd.ENDED
    assert world.nodes.paths == ["a", "b", "b"]


async def test_a_loop_goes_on_where_it_was(world: RunWorld) -> None:
    """Turns that ended are not run again by the next owner."""
    loop = a_loop("l", a_node("x", inputs={"i": "${item}"}), items=[1, 2, 3])
    run_id, drive = await held_at(world, "l/1/x", a_plan(loop))
    drive.cancel()
    await asyncio.wait({drive})
    world.nodes.gates.clear()
    await world.drive(run_id, owner="w2")
    assert world.nodes.paths == ["l/0/x", "l/1/x", "l/1/x", "l/2/x"]
    assert (await world.kept(run_id)).state is RunState.COMPLETED


async def test_a_run_that_kills_its_workers_is_given_up(world: RunWorld) -> None:
    """After five takings over the store fails it."""
    run_id = await world.queue(TWO)
    for number in range(7):
        world.nodes.gates["a"] = asyncio.Event()
        world.nodes.begun.clear()
        drive = asyncio.ensure_future(world.drive(run_id, owner=f"w{number}"))
        begun = asyncio.ensure_future(world.nodes.begun.wait())
        await asyncio.wait({drive, begun}, return_when=asyncio.FIRST_COMPLETED)
        drive.cancel()
        begun.cancel()
        await asyncio.wait({drive, begun})
    run = await world.kept(run_id)
    assert run.failure is not None
    assert run.failure.code is RunErrorCode.WORKER_LOST
    assert len(world.nodes.ran) == 6


async def test_each_place_is_a_failpoint(world: RunWorld) -> None:
    """A run whose node is recovered passes every place where a test may kill it."""
    world.nodes.does = lambda record, _: BUSY if record.attempt == 1 else {}
    node: Node = replace(
        a_node("a", NodeType.PYTHON), on_failure={"action": "RETRY", "max_attempts": 1}
    )
    await world.run(a_plan(node))
    assert isinstance(world.failpoints, SeenFailpoints)
    assert world.failpoints.seen == [
        Failpoint.RUN_OWNED,
        Failpoint.NODE_BEGAN,
        Failpoint.BEFORE_DECISION,
        Failpoint.AFTER_DECISION,
        Failpoint.NODE_BEGAN,
        Failpoint.IN_NODE,
        Failpoint.NODE_ENDED,
        Failpoint.BEFORE_FINISH,
        Failpoint.AFTER_FINISH,
    ]
