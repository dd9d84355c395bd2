"""WatchSession tells what the second mind did: advice in all its states, and edits of the plan."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from heartrule.domain.events import AnalysisEnded, PlanEdited
from heartrule.domain.monitoring import AdviceState, AnalysisAnswer
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationAnswer,
    OrchestrationPlan,
    PlanEditState,
    RelativePosition,
)
from heartrule.v1 import history_pb2, plan_edit_pb2
from session_store.open import open_store
from tests.support.conversing import WAIT_S
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises, asks_for_a_plan
from tests.support.scripts import ask_script
from tests.support.watching import watching

MORE = ask_reply("慢慢说。")
ENDS = ask_reply("谢谢你。", exit_="YES")
INSERT = OrchestrationPlan(
    action=OrchestrationAction.INSERT,
    relative=RelativePosition.BEFORE_NEXT,
    new_action=ActionDefinition(action_type="ai_say", config={"content": "不着急"}),
    reason="先安抚",
)
LOST = OrchestrationPlan(action=OrchestrationAction.SKIP, target_instance="nobody", reason="x")


async def test_advice_is_told_in_all_its_states() -> None:
    """Made and superseded, made and used, and one that came when its action had ended."""
    monitor = FakeMonitor([advises("慢"), advises("再慢"), advises("晚了")], gate=asyncio.Event())
    around = Neighbours(model=FakeModel([MORE] * 4 + [ENDS, MORE]), monitor=monitor)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        async with watching(running, session_id) as watched:
            for number in (1, 2):  # neither is analysed yet when the other is judged
                await running.client.send(session_id, f"m{number}", "嗯")
            await released(monitor)
            await watched.until(2, AnalysisEnded)
            assert sorted(watched.advice()) == [
                (1, AdviceState.PENDING),
                (1, AdviceState.SUPERSEDED),
                (2, AdviceState.PENDING),
            ]
            del watched.told[:]
            held(monitor)
            await running.client.send(session_id, "m3", "嗯")
            await running.client.send(session_id, "m4", "说完了")
            await released(monitor)
            await watched.until(1, AnalysisEnded)
    assert watched.advice() == [(2, AdviceState.CONSUMED), (3, AdviceState.EXPIRED)]


async def released(monitor: FakeMonitor) -> None:
    """Let the monitor answer."""
    assert monitor.gate is not None
    monitor.gate.set()


def held(monitor: FakeMonitor) -> None:
    """Hold the monitor's answers back."""
    assert monitor.gate is not None
    monitor.gate.clear()


async def test_edits_of_the_plan_are_told() -> None:
    """Proposed, applied, undone, and one that a rule rejects."""
    plans = [OrchestrationAnswer(plan=each) for each in (INSERT, LOST)]
    monitor = FakeMonitor([asks_for_a_plan(), AnalysisAnswer(analysis=asks_for_a_plan().analysis)])
    monitor.answers.append(asks_for_a_plan())
    monitor.plans.extend(plans)
    around = Neighbours(model=FakeModel([MORE] * 6), monitor=monitor)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        async with watching(running, session_id) as watched:
            await running.client.send(session_id, "m1", "不想说")
            await watched.until(1, PlanEdited)
            await running.client.send(session_id, "m2", "嗯")
            await watched.until(2, PlanEdited)
            (made,) = {
                each.body.edit.edit_id for each in watched.told if isinstance(each.body, PlanEdited)
            }
            undo = plan_edit_pb2.UndoPlanEditRequest(session_id=session_id, edit_id=made)
            await running.client.stubs.session.UndoPlanEdit(undo)
            await running.client.send(session_id, "m3", "不想说")
            await watched.until(6, PlanEdited)
            await running.client.send(session_id, "m4", "嗯")
            await watched.until(7, PlanEdited)
    pending, applied = PlanEditState.PENDING, PlanEditState.APPLIED
    told = watched.edits()
    assert (told[:3], told[5:]) == (
        [pending, applied, pending],
        [pending, PlanEditState.REJECTED],
    )
    assert sorted(told[3:5]) == [applied, PlanEditState.UNDONE]


class Busy(FakeMonitor):
    """A monitor that is asked for a plan and never answers."""

    asked: Callable[[], None] = staticmethod(lambda: None)

    async def plan(self, *_: object, **__: object) -> OrchestrationAnswer:
        """Tell that it was asked, and wait for ever."""
        self.asked()
        await asyncio.Event().wait()
        return OrchestrationAnswer()


async def test_a_plan_outlives_the_process_that_was_to_make_it(tmp_path: Path) -> None:
    """It stops between the analysis and the proposal; the next one, on the same file, makes it."""
    asked = asyncio.Event()
    lost = Busy([asks_for_a_plan()])
    lost.asked = asked.set
    async with running_executor(on_file(tmp_path, lost)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "不想说")
        async with asyncio.timeout(WAIT_S):
            await asked.wait()
    monitor = FakeMonitor(plans=[OrchestrationAnswer(plan=INSERT)])
    async with (
        running_executor(on_file(tmp_path, monitor)) as running,
        watching(running, session_id) as watched,
    ):
        await watched.until(1, PlanEdited)
        request = history_pb2.ListMonitorFeedbackRequest(session_id=session_id)
        (entry,) = (await running.client.stubs.history.ListMonitorFeedback(request)).entries
    assert watched.edits() == [PlanEditState.PENDING]
    assert entry.planning == history_pb2.PLANNING_STATE_PROPOSED
    assert monitor.reports == []


def on_file(folder: Path, monitor: FakeMonitor) -> Neighbours:
    """Return the neighbours of an executor on a database file."""
    return Neighbours(
        model=FakeModel([MORE] * 3),
        monitor=monitor,
        store=open_store(str(folder / "heartrule.db")),
        environ={"HEARTRULE_STOP_GRACE": "0.1"},
    )
