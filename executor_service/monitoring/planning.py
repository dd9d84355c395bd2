"""Asks for a change of the topic's queue after an analysis that requests one (000, path 2).

The plan is kept and waits: the next turn decides it under its lease (RESOLUTIONS C29).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from executor_service.hub import SessionHub
from executor_service.monitoring.analysis_metrics import count_plan
from executor_service.monitoring.claim_renewal import renewed
from executor_service.monitoring.limits import CLAIM_TTL, MonitorLimits, RunningAnalyses
from executor_service.monitoring.report import build_report
from executor_service.monitoring.signal_words import NO_SIGNAL_WORDS, SignalWords
from executor_service.orchestration.edited_definitions import ACTION_TYPES
from executor_service.orchestration.queues import queue_entry, remaining
from executor_service.orchestration.topics import actions_of, topic_named
from executor_service.ports import Monitor, ScriptLibrary
from executor_service.scripts.model.script import Action, Script, Topic
from heartrule.chassis import telemetry
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.ids import new_id
from heartrule.domain.monitoring import AnalysisReport, PlanningState
from heartrule.domain.orchestration import (
    OrchestrationAnswer,
    OrchestrationReport,
    PlanEdit,
    QueuedAction,
)
from session_store.ports import Store
from session_store.records import MonitorTicket, MonitorWork, PlanningWork, PlanView, ProposedEdit

LOG = logging.getLogger(__name__)
# The configuration keys the orchestrator receives: the content of an action, not its policies.
_CONFIG_KEYS = ("content", "goal", "max_rounds", "form")
# Queue entries the orchestrator receives: a longer queue would leave no room in its prompt.
_MOST_QUEUED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatcherDeps:
    """What requests to the monitor need."""

    store: Store
    hub: SessionHub
    scripts: ScriptLibrary
    monitor: Monitor
    owner: str
    claim_ttl: timedelta = CLAIM_TTL
    limits: MonitorLimits = field(default_factory=MonitorLimits)
    words: SignalWords = NO_SIGNAL_WORDS
    """What a monitor is told of signals in."""
    language_of: Callable[[str], str] = str
    """Returns the language of a tag such as `en-US`."""
    planning: bool = False
    """Whether an analysis may ask for a plan."""

    def report(self, script: Script, work: MonitorWork) -> AnalysisReport:
        """Return what a monitor is asked about a judged round, in the session's language."""
        return build_report(script, work, self.words, language=self.language_of(work.language))


class PlanDispatcher:
    """Asks the orchestrator, and stores what it proposes or why there is no plan.

    The debt of a plan is stored with the analysis, so it outlives the process (ADR 26).
    """

    def __init__(self, deps: DispatcherDeps) -> None:
        """Create it without requests."""
        self._deps = deps

    async def make(self, ticket: MonitorTicket, running: RunningAnalyses) -> None:
        """Make the plan that is owed, within the limits of the monitor.

        Where the monitor fails, the plan stays owed if a later attempt may help, and the advice
        path goes on.
        """
        begun = time.monotonic()
        made = await self._made(ticket, running)
        if made is not None:
            self._deps.hub.publish(ticket.key, await self._deps.store.propose_edit(made))
            if made.retry_after is None:
                count_plan(made, seconds=time.monotonic() - begun)

    async def _made(self, ticket: MonitorTicket, running: RunningAnalyses) -> ProposedEdit | None:
        """Return the result; None where another process has the request."""
        if ticket.exhausted:
            return _without(ticket, PlanningState.DROPPED, "ATTEMPTS_LOST")
        work = await self._deps.store.claim_planning(
            ticket, owner=self._deps.owner, ttl=self._deps.claim_ttl
        )
        if work is None:
            return None
        if work.judged.stale:
            return _without(ticket, PlanningState.DROPPED, "SESSION_WENT_ON")
        refusal = running.refusal(work.judged)
        if refusal:
            return _without(ticket, PlanningState.SKIPPED, refusal)
        kept = renewed(self._deps.store, ticket, owner=self._deps.owner, ttl=self._deps.claim_ttl)
        with running.one(ticket.key):
            async with kept:
                return await self._asked(work, running.pause_after(work.judged.attempt))

    async def _asked(self, work: PlanningWork, pause: timedelta) -> ProposedEdit:
        judged = work.judged
        with telemetry.span(
            "monitor.planning",
            session_id=judged.ticket.key.session_id,
            parent=judged.traceparent,
            links=(telemetry.SpanLink(traceparent=judged.traceparent, relation="judged_turn"),),
            kind="client",
        ) as span:
            try:
                made = await self._answered(work, pause)
            except HeartRuleError as error:
                made = _failed(work, error.reason)
                made = replace(made, retry_after=pause if error.retryable else None)
            if made.state is PlanningState.FAILED:
                span.fail(made.reason)
                LOG.warning("no plan was made", extra={"reason": made.reason})
            return made

    async def _answered(self, work: PlanningWork, pause: timedelta) -> ProposedEdit:
        """Ask for a plan; a topic that was left or takes no edit costs no call."""
        judged = work.judged
        ticket = judged.ticket
        script = await self._deps.scripts.get(
            ticket.key.tenant, judged.script_id, judged.script_version, judged.replacements
        )
        view = await self._deps.store.get_plan(ticket.key)
        topic = topic_named(script, judged.phase_id, judged.topic_id)
        here = (view.position.phase_id, view.position.topic_id)
        if topic is None or here != (judged.phase_id, judged.topic_id):
            return _without(ticket, PlanningState.SKIPPED, "TOPIC_LEFT")
        if _spent(view) >= topic.edit_budget:
            return _without(ticket, PlanningState.SKIPPED, "EDIT_BUDGET")
        report = self._report(script, topic, work, view)
        answer = await self._deps.monitor.plan(report, judged_turn=judged.traceparent)
        if answer.failure:
            failed = _failed(work, answer.failure)
            return replace(failed, calls=answer.calls, retry_after=pause)
        return _proposed(work, answer)

    def _report(
        self, script: Script, topic: Topic, work: PlanningWork, view: PlanView
    ) -> OrchestrationReport:
        actions = actions_of(script, topic)
        left = remaining(view.plan)[:_MOST_QUEUED]
        return OrchestrationReport(
            report=self._deps.report(script, work.judged),
            analysis=work.analysis,
            queue=tuple(_summary(queue_entry(each, actions(each)), actions(each)) for each in left),
            topic_goal=topic.topic_goal,
            budget_left=topic.edit_budget - _spent(view),
            action_types=tuple(str(each) for each in ACTION_TYPES),
        )


def _without(ticket: MonitorTicket, state: PlanningState, reason: str) -> ProposedEdit:
    return ProposedEdit(key=ticket.key, edit=None, ticket=ticket, state=state, reason=reason)


def _failed(work: PlanningWork, reason: str) -> ProposedEdit:
    failed = _without(work.judged.ticket, PlanningState.FAILED, reason)
    return replace(failed, judged_turn_id=work.judged.turn_id)


def _proposed(work: PlanningWork, answer: OrchestrationAnswer) -> ProposedEdit:
    """Return the edit that the answer proposes, or that it proposes none."""
    judged = work.judged
    ticket = judged.ticket
    state, reason, edit = PlanningState.NO_PLAN, "", None
    if answer.parse_failed:
        state, reason = PlanningState.FAILED, "UNREADABLE_REPLY"
    elif answer.plan is not None:
        state = PlanningState.PROPOSED
        edit = PlanEdit(
            edit_id=new_id("edit"),
            session_id=ticket.key.session_id,
            cause_id=work.advice_id or f"{ticket.action_instance_id}/{ticket.round}",
            judged_turn_id=judged.turn_id,
            phase_id=judged.phase_id,
            topic_id=judged.topic_id,
            plan=answer.plan,
        )
    return ProposedEdit(
        key=ticket.key,
        edit=edit,
        judged_turn_id=judged.turn_id,
        calls=answer.calls,
        ticket=ticket,
        state=state,
        reason=reason,
    )


def _spent(view: PlanView) -> int:
    return sum(each.plan is not None for each in view.past)


def _summary(entry: QueuedAction, action: Action) -> QueuedAction:
    """Return an entry of the queue with the main keys of its action, in place of its edits."""
    config = {name: action.written[name] for name in _CONFIG_KEYS if name in action.written}
    return replace(entry, config=config)
