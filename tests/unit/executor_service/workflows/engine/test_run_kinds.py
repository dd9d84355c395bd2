"""Workers drive runs of any kind: each has a body of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from executor_service.workflows.engine.driver_ports import (
    DriveEnd,
    Driven,
    PlainSteps,
    RunSteps,
)
from executor_service.workflows.engine.run_driver import drive
from heartrule.domain.runs import RunKind
from session_store.records.runs import TakenRun
from tests.support.driven_runs import RunWorld
from tests.support.workflow_builders import a_node, a_plan


@dataclass
class WrittenBody:
    """Notes the runs that it is handed."""

    handed: list[TakenRun] = field(default_factory=list)

    async def drive(self, taken: TakenRun, *, steps: RunSteps, leaving: asyncio.Event) -> Driven:
        """Let go of the run at once."""
        self.handed.append(taken)
        return Driven(end=DriveEnd.PAUSED, wake_after=1.0)


async def test_a_run_is_driven_by_the_body_of_its_kind(world: RunWorld) -> None:
    """What another body does is no matter of the driver, which takes the run and hands it on."""
    body = WrittenBody()
    ports = replace(world.ports(), bodies={RunKind.WORKFLOW: body})
    run_id = await world.queue(a_plan(a_node("a")))
    driven = await drive(run_id, ports, owner="w1", steps=PlainSteps(), leaving=world.leaving)
    assert (driven, driven.key) == (Driven(end=DriveEnd.PAUSED, wake_after=1.0), world.key)
    assert [each.lease.run_id for each in body.handed] == [run_id]
    assert world.nodes.ran == []
