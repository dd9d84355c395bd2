"""A driven run, its failed nodes and the real coordinator (document 002, section 6.2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.recovering import CoordinatorRecoveries
from executor_service.decisions.stored_session import StoredSessions
from executor_service.workflows.engine.driver_ports import DriveEnd, Driven, PlainSteps
from executor_service.workflows.engine.run_driver import drive
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure, RunErrorCode, RunState
from heartrule.domain.workflows import Node
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.records import SafetyClosing
from tests.support.driven_runs import RunWorld
from tests.support.store_builders import last_step, opening
from tests.support.store_safety import raised
from tests.support.workflow_builders import a_node, a_plan

DOWN = NodeFailure(code=RunErrorCode.CONNECTION, message="nobody answers", is_retryable=True)


def recovered(**plan: JsonValue) -> Node:
    """Return a node with a recovery of its own."""
    return replace(a_node("a"), on_failure=plan)


async def driven(world: RunWorld, run_id: str) -> Driven:
    """Drive a run whose failures the coordinator decides about."""
    coordinator = CoordinatorRecoveries(
        world.store,
        StoredSessions(store=world.store),
        new_id,
        judging=JudgingBeside(InlinePool()),
    )
    ports = replace(world.ports(), recoverer=coordinator)
    return await drive(run_id, ports, owner="w1", steps=PlainSteps(), leaving=asyncio.Event())


@pytest.mark.parametrize(
    ("plan", "attempts", "state"),
    [
        ({"action": "RETRY", "max_attempts": 2, "delay": 0}, 3, RunState.FAILED),
        ({"action": "SKIP"}, 1, RunState.COMPLETED),
        ({"action": "SKIP", "alternative_node": "nowhere"}, 1, RunState.FAILED),
    ],
    ids=["retried", "skipped", "invalid"],
)
async def test_a_node_that_never_works_ends_as_its_strategy_says(
    world: RunWorld, plan: dict[str, JsonValue], attempts: int, state: RunState
) -> None:
    """Retries are those after the first run, an invalid recovery fails the run: no loop."""
    world.nodes.does = lambda _record, _call: DOWN
    run_id = await world.queue(a_plan(recovered(**plan)))
    assert (await driven(world, run_id)).end is DriveEnd.ENDED
    assert len(world.nodes.ran) == attempts
    assert (await world.kept(run_id)).state is state


async def test_a_frozen_session_holds_the_decision_until_it_is_let_go(world: RunWorld) -> None:
    """The run waits without a worker; the next one that takes it asks again, and goes on."""
    world.nodes.does = lambda record, _call: DOWN if record.attempt == 1 else {}
    run_id = await world.queue(a_plan(recovered(action="RETRY", max_attempts=1, delay=0)))
    snapshot = await opening(world.store, world.key)
    await world.store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    assert (await driven(world, run_id)).end is DriveEnd.PAUSED
    assert (await world.kept(run_id)).state is RunState.WAITING_DECISION
    assert (await driven(world, run_id)).end is DriveEnd.NOT_TAKEN
    await world.store.close_safety(world.key, SafetyClosing(operator="ann"))
    assert (await driven(world, run_id)).end is DriveEnd.ENDED
    assert (await world.kept(run_id)).state is RunState.COMPLETED
