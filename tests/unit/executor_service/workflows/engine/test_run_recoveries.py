"""What becomes of a run when a node's own retries are spent, and when another run waits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from executor_service.workflows.engine.driver_ports import DriveEnd, Driven, PlainSteps
from executor_service.workflows.engine.run_driver import drive_through
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from heartrule.domain.workflows import Node, NodeType
from tests.support.driven_runs import RunWorld
from tests.support.workflow_builders import a_loop, a_node, a_plan
from tests.support.written_nodes import DyingStore

BAD = NodeFailure(code=RunErrorCode.CODE_ERROR, message="no", is_retryable=False)


def fails(*paths: str) -> object:
    """Return what nodes do of which some fail."""
    return lambda record, _: BAD if record.path in paths else {"n": 1}


def recovered(node: Node, **plan: JsonValue) -> Node:
    """Return a node with a recovery of its own."""
    return replace(node, on_failure=plan)


async def test_a_node_that_is_skipped_is_null_for_those_behind_it(world: RunWorld) -> None:
    """The run goes on without it."""
    world.nodes.does = fails("a")  # type: ignore[assignment]
    behind = a_node("b", NodeType.PYTHON, inputs={"x": "${a.output.n}"})
    run = await world.run(a_plan(recovered(a_node("a"), action="SKIP"), behind, edges=["a>b"]))
    assert run.state is RunState.COMPLETED
    assert world.nodes.ran[1].inputs == {"x": None}


async def test_a_run_that_is_aborted_cancels_what_runs_beside(world: RunWorld) -> None:
    """The decision ends the run; the other node's end is not written."""
    world.nodes.does = fails("a")  # type: ignore[assignment]
    world.nodes.gates["b"] = asyncio.Event()
    run = await world.run(a_plan(a_node("a"), a_node("b"), a_node("c"), edges=["b>c"]))
    assert run.state is RunState.FAILED
    assert await world.states(run.run_id) == {"a": "failed", "b": "cancelled", "c": "cancelled"}
    assert world.nodes.running == set()


async def test_a_modified_node_has_another_key(world: RunWorld) -> None:
    """What is done another way is another thing for the outside."""
    world.nodes.does = lambda record, _: BAD if record.attempt == 1 else {}
    changed = {"input_mapping.x": 2}
    node = recovered(
        a_node("a", NodeType.PYTHON, inputs={"x": 1}), action="MODIFY", modifications=changed
    )
    run = await world.run(a_plan(node))
    assert run.state is RunState.COMPLETED
    assert [each.inputs for each in world.nodes.ran] == [{"x": 1}, {"x": 2}]
    assert len({each.key for each in world.nodes.ran}) == 2


async def test_a_run_waits_where_nobody_decides(world: RunWorld) -> None:
    """What can run beside runs to its end first; then the slot is given back."""
    world.recoverer.waits = True
    world.nodes.does = fails("a")  # type: ignore[assignment]
    run_id = await world.queue(a_plan(a_node("a"), a_node("b"), a_node("c"), edges=["b>c"]))
    assert await world.drive(run_id) == Driven(end=DriveEnd.PAUSED)
    assert (await world.kept(run_id)).state is RunState.WAITING_DECISION
    assert await world.states(run_id) == {
        "a": "waiting_decision",
        "b": "completed",
        "c": "completed",
    }


async def test_a_node_of_a_loop_is_recovered_where_it_stands(world: RunWorld) -> None:
    """The loop goes on behind the node that was skipped; its result in that turn is null."""
    world.nodes.does = fails("l/0/x")  # type: ignore[assignment]
    body = recovered(a_node("x", NodeType.PYTHON), action="SKIP")
    run = await world.run(a_plan(a_loop("l", body, items=[1, 2])))
    loop = (await world.progress(run.run_id)).nodes["l"]
    assert loop.output == {"items": [None, {"n": 1}], "count": 2}


async def test_two_failures_are_decided_one_after_the_other(world: RunWorld) -> None:
    """Each decision sees what the one before changed of the run's copy."""
    world.nodes.does = lambda record, _: BAD if record.attempt == 1 else {}
    plan = a_plan(
        *(
            recovered(a_node(each), action="MODIFY", modifications={"config.prompt": each})
            for each in "ab"
        )
    )
    run = await world.run(plan)
    nodes = (await world.progress(run.run_id)).workflow.nodes
    assert run.state is RunState.COMPLETED
    assert [each.config["prompt"] for each in nodes] == ["a", "b"]


async def test_other_runs_of_the_session_stop_between_two_nodes(world: RunWorld) -> None:
    """While one waits for a decision no node of another begins; what runs runs to its end (D16)."""
    world.nodes.gates["b"] = asyncio.Event()
    other = await world.queue(a_plan(a_node("b"), a_node("c"), edges=["b>c"]))
    drive = asyncio.ensure_future(world.drive(other))
    await world.nodes.begun.wait()
    world.recoverer.waits = True
    world.nodes.does = fails("a")  # type: ignore[assignment]
    waiting = await world.queue(a_plan(a_node("a")))
    await world.drive(waiting, owner="w2")
    world.nodes.gates["b"].set()
    assert await drive == Driven(end=DriveEnd.PAUSED)
    assert (await world.kept(other)).state is RunState.INTERRUPTED
    await world.store.cancel_run(world.key, waiting)
    assert (await world.drive(other)).end is DriveEnd.ENDED
    assert world.nodes.paths == ["b", "a", "c"]


async def test_an_output_that_is_too_large_is_a_failure_of_its_node(world: RunWorld) -> None:
    """What the store has no room for is LIMIT, and is not tried again."""
    world.nodes.does = lambda _, __: {"n": "x" * 9_000_000}
    run = await world.run(a_plan(a_node("a")))
    failed = (await world.progress(run.run_id)).nodes["a"].failure
    assert failed is not None
    assert failed.code is RunErrorCode.LIMIT


async def test_a_value_that_is_missing_is_a_failure_of_its_node(world: RunWorld) -> None:
    """The node does not run; its attempt is written all the same."""
    node = a_node("b", NodeType.PYTHON, inputs={"x": "${a.output.nowhere}"})
    run = await world.run(a_plan(a_node("a"), node, edges=["a>b"]))
    failed = (await world.progress(run.run_id)).nodes["b"].failure
    assert failed is not None
    assert failed.code is RunErrorCode.MISSING_VALUE
    assert world.nodes.paths == ["a"]


@pytest.mark.parametrize("breaks", ["begin_node", "end_node", "finish_run"])
async def test_a_run_that_breaks_off_is_driven_again(world: RunWorld, breaks: str) -> None:
    """A store that is away for a moment costs a run nothing but the node under way."""
    ports = world.ports(DyingStore(world.store, away=[breaks]))
    run_id = await world.queue(a_plan(a_node("a")))
    driven = await drive_through(
        run_id, ports, owner="w1", steps=PlainSteps(), leaving=world.leaving
    )
    assert driven.end is DriveEnd.ENDED
    assert (await world.kept(run_id)).state is RunState.COMPLETED
    assert world.clock.slept == [1]
