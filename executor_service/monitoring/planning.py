"""Asks for a change of the topic's queue after an analysis that wants one (000, path 2).

The plan is kept and waits: the next turn decides it under its lease (RESOLUTIONS C29).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from executor_service.hub import SessionHub
from executor_service.monitoring.report import build_report
from executor_service.orchestration.definitions import ACTION_TYPES
from executor_service.orchestration.queues import queued, remaining
from executor_service.orchestration.topics import actions_of, topic_named
from executor_service.ports import Monitor
from executor_service.scripts.model import Action, Script, Topic
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.domain.orchestration import (
    OrchestrationReport,
    PlanEdit,
    QueuedAction,
)
from session_store.plan_port import PlanStore
from session_store.records import AnalysisRecord, MonitorWork, PlanView, ProposedEdit

LOG = logging.getLogger(__name__)
_TOLD = ("content", "goal", "max_rounds", "form")
"""What of an action's configuration the orchestrator is told."""
_MOST_TOLD = 50
"""Entries of the remaining queue that it is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningDesk:
    """Asks the orchestrator, and keeps what it proposes."""

    store: PlanStore
    hub: SessionHub
    monitor: Monitor

    async def propose(self, script: Script, work: MonitorWork, record: AnalysisRecord) -> None:
        """Ask for a plan and keep it; a topic that was left or takes no edit costs no call.

        A monitor that fails leaves nothing but a line in the log: the advice path goes on.
        """
        view = await self.store.get_plan(work.ticket.key)
        topic = topic_named(script, work.phase_id, work.topic_id)
        here = (view.position.phase_id, view.position.topic_id)
        if topic is None or here != (work.phase_id, work.topic_id):
            return
        spent = sum(each.plan is not None for each in view.past)
        if spent >= topic.edit_budget:
            return
        report = _report(script, topic, work, record, view)
        try:
            answer = await self.monitor.plan(report, judged_turn=work.traceparent)
        except HeartRuleError as error:
            LOG.warning("no plan was made", extra={"reason": error.reason})
            return
        edit = None
        if answer.plan is not None:
            edit = PlanEdit(
                edit_id=new_id("edit"),
                session_id=work.ticket.key.session_id,
                cause_id=_cause(work, record),
                judged_turn_id=work.turn_id,
                phase_id=work.phase_id,
                topic_id=work.topic_id,
                plan=answer.plan,
            )
        proposed = ProposedEdit(
            key=work.ticket.key, edit=edit, judged_turn_id=work.turn_id, calls=answer.calls
        )
        self.hub.publish(work.ticket.key, await self.store.propose_edit(proposed))


def _report(
    script: Script, topic: Topic, work: MonitorWork, record: AnalysisRecord, view: PlanView
) -> OrchestrationReport:
    actions = actions_of(script, topic)
    left = remaining(view.plan)[:_MOST_TOLD]
    spent = sum(each.plan is not None for each in view.past)
    return OrchestrationReport(
        report=build_report(script, work),
        analysis=record.analysis or MonitorAnalysis(),
        queue=tuple(_summary(queued(each, actions(each)), actions(each)) for each in left),
        topic_goal=topic.topic_goal,
        budget_left=topic.edit_budget - spent,
        action_types=tuple(str(each) for each in ACTION_TYPES),
    )


def _summary(entry: QueuedAction, action: Action) -> QueuedAction:
    """Return an entry of the queue with what its action is about, in place of its edits."""
    written: Mapping[str, JsonValue] = action.written
    told = {name: written[name] for name in _TOLD if name in written}
    return QueuedAction(
        action_instance_id=entry.action_instance_id,
        action_id=entry.action_id,
        action_type=entry.action_type,
        state=entry.state,
        mandatory=entry.mandatory,
        inserted=entry.inserted,
        config=told,
        parent_instance_id=entry.parent_instance_id,
    )


def _cause(work: MonitorWork, record: AnalysisRecord) -> str:
    """Return what caused the edit: the advice, else the analysis."""
    if record.advice is not None:
        return record.advice.advice_id
    return f"{work.ticket.action_instance_id}/{work.ticket.round}"
