"""Path 2 over real services: an analysis changes the queue, an operator takes it back."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc import aio

from heartrule.domain.events import Outcome, PlanEdited, TurnEnded
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationAnswer,
    OrchestrationPlan,
    PlanEditState,
    RelativePosition,
)
from heartrule.v1 import orchestration_pb2
from heartrule.v1 import plan_edit_pb2 as pb
from session_store.open import open_in_memory
from session_store.sql.database.tables_beside import action_instances
from tests.support.conversing import ALL
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, asks_for_a_plan

SCRIPT = """
session:
  session_id: resisting
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: father
              config: {content: 说说父亲, max_rounds: 9, output: [{get: 父亲}]}
            - action_type: ai_ask
              action_id: mother
              mandatory: true
              config: {content: 说说母亲, output: [{get: 母亲}]}
"""
PLAN = OrchestrationPlan(
    action=OrchestrationAction.INSERT,
    relative=RelativePosition.BEFORE_NEXT,
    new_action=ActionDefinition(action_type="ai_say", config={"content": "不着急"}),
    reason="先安抚",
)

UNREADABLE = (
    action_instances.update()
    .where(action_instances.c.action_id == "mother")
    .values(action_type="ai_say", definition='{"config": {"unknown": 1}, "inserted": true}')
)
"""Makes the next action one that another release stored and this one cannot read."""


def around(**changes: Any) -> Neighbours:
    """Return a monitor that asks for a plan after the first round, and gives one."""
    monitor = FakeMonitor([asks_for_a_plan()], plans=[OrchestrationAnswer(plan=PLAN)])
    model = FakeModel([ask_reply("说说父亲？")] + [ask_reply("慢慢说。")] * 9)
    return Neighbours(model=model, monitor=monitor, **changes)


def stubs(running: Running) -> Any:
    """Return the bare rpcs."""
    return running.client.stubs


async def queue(running: Running, session_id: str) -> list[str]:
    """Return the topic's queue as GetPlan tells it."""
    found = await stubs(running).session.GetPlan(pb.GetPlanRequest(session_id=session_id))
    return [
        f"{each.action_id} {orchestration_pb2.QueueState.Name(each.state)[12:]}"
        for each in found.actions
    ]


async def edits(running: Running, session_id: str) -> list[pb.PlanEdit]:
    """Return every edit."""
    found = await stubs(running).session.ListPlanEdits(
        pb.ListPlanEditsRequest(session_id=session_id)
    )
    return list(found.edits)


async def test_an_edit_is_made_applied_and_undone() -> None:
    """It is told to operators, read by page with its cause and both queues, and taken back."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "不想说")
        await running.executor.dispatcher.background.idle()
        (made,) = await edits(running, session_id)
        assert (made.state, bool(made.cause_id)) == (pb.PLAN_EDIT_STATE_PENDING, True)
        told = await running.client.send(session_id, "m2", "嗯")
        assert [each.edit.state for each in told.of(PlanEdited)] == [PlanEditState.APPLIED]
        assert await queue(running, session_id) == [
            "father RUNNING",
            "inserted_1 PENDING",
            "mother PENDING",
        ]
        (applied,) = await edits(running, session_id)
        assert [each.action_id for each in applied.before] == ["mother"]
        assert [each.action_id for each in applied.after] == ["inserted_1", "mother"]
        request = pb.UndoPlanEditRequest(session_id=session_id, edit_id=applied.edit_id)
        await stubs(running).session.UndoPlanEdit(request)
        await running.client.send(session_id, "m3", "嗯")
        assert await queue(running, session_id) == [
            "father RUNNING",
            "mother PENDING",
            "inserted_1 SKIPPED",
        ]
        states = [
            pb.PlanEditState.Name(each.state)[16:] for each in await edits(running, session_id)
        ]
        assert states == ["UNDONE", "APPLIED"]


async def test_the_orchestrator_is_told_the_queue_and_the_budget() -> None:
    """It learns what has not started, what must stay, and how many edits are left."""
    neighbours = around()
    async with running_executor(neighbours) as running:
        session_id = await running.client.start(SCRIPT)
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "不想说")
        await running.executor.dispatcher.background.idle()
        (report,) = neighbours.monitor.asked_plans
        assert [(each.action_id, each.mandatory) for each in report.queue] == [("mother", True)]
        assert (report.budget_left, "ai_say" in report.action_types) == (3, True)


async def test_a_topic_without_budget_is_not_asked_about() -> None:
    """`edit_budget: 0` turns path 2 off: no call is made."""
    neighbours = around()
    script = SCRIPT.replace("topic_id: t1", "topic_id: t1\n          edit_budget: 0")
    async with running_executor(neighbours) as running:
        session_id = await running.client.start(script)
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "不想说")
        await running.executor.dispatcher.background.idle()
        assert neighbours.monitor.asked_plans == []


async def test_clients_hear_nothing_of_it() -> None:
    """A stream for clients ends its turns as ever, without the edit."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        async with running.client.converse(session_id, audiences=ALL[:1]) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "不想说")
            await running.executor.dispatcher.background.idle()
            await stream.turn("m2", "嗯")
        (made,) = await edits(running, session_id)
        assert made.state == pb.PLAN_EDIT_STATE_APPLIED
        assert not stream.told.of(PlanEdited)


async def test_a_waiting_edit_whose_rule_raises_is_rejected() -> None:
    """The turn goes on behind it, and so does the conversation."""
    store = open_in_memory()
    async with running_executor(around(store=store)) as running:
        session_id = await running.client.start(SCRIPT)
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "不想说")
        await running.executor.dispatcher.background.idle()
        await store._engine.write(lambda db: db.execute(UNREADABLE))
        received = await running.client.send(session_id, "m2", "嗯")
        (rejected,) = [each.edit for each in received.of(PlanEdited)]
        assert (rejected.state, rejected.rule) == (PlanEditState.REJECTED, "VALIDATOR_ERROR")
        assert "NotReady" in rejected.problem
        assert received.of(TurnEnded)[-1].outcome is Outcome.WAITING
        received = await running.client.send(session_id, "m3", "嗯")
        assert not received.of(PlanEdited)
        assert received.of(TurnEnded)[-1].outcome is Outcome.WAITING


async def test_an_unknown_edit_is_not_found() -> None:
    """Undoing what nobody made is NOT_FOUND."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        request = pb.UndoPlanEditRequest(session_id=session_id, edit_id="edit_x")
        with pytest.raises(aio.AioRpcError) as caught:
            await stubs(running).session.UndoPlanEdit(request)
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
