"""The dispatcher hands committed rounds to the monitor; whatever happens here delays no turn."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from dataclasses import replace

from executor_service.monitoring.advice_rules import why_not_injected
from executor_service.monitoring.analysis_metrics import AnalysisMeter, count_events
from executor_service.monitoring.claim_renewal import renewed
from executor_service.monitoring.limits import RunningAnalyses
from executor_service.monitoring.planning import DispatcherDeps, PlanDispatcher
from executor_service.monitoring.report import known_as
from heartrule.chassis import telemetry
from heartrule.chassis.background import Background
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.ids import new_id
from heartrule.domain.monitoring import Advice, AnalysisAnswer, AnalysisOutcome, severity_of
from session_store.records import AnalysisRecord, MonitorTicket, MonitorWork

LOG = logging.getLogger(__name__)
# Requests, and plans, that one sweep takes up: more would only wait for the dispatcher.
_MOST_DUE = 100
# Requests of all sessions that one process has at once: each holds a call of the monitor.
_MOST_AT_ONCE = 64


class AnalysisDispatcher:
    """Claims requests, asks the monitor, and writes the result."""

    def __init__(self, deps: DispatcherDeps) -> None:
        """Work on some requests at once; the sweep finds what was dropped."""
        self._deps = deps
        self.background = Background("monitoring", limit=_MOST_AT_ONCE)
        self._running = RunningAnalyses(deps.limits)
        self._meter = AnalysisMeter()
        self._planning = PlanDispatcher(deps) if deps.planning else None

    def hand_over(self, asked: MonitorTicket | MonitorWork) -> None:
        """Begin the analysis of a committed round, and return at once.

        Of a ticket it is claimed first; work is claimed already.
        """
        self.background.spawn(self._handle(asked), label="analysis")

    async def sweep(self) -> None:
        """Take up requests and plans that a dead process, a failure or a full dispatcher left."""
        for ticket in await self._deps.store.due_monitor_requests(_MOST_DUE):
            self.hand_over(ticket)
        if self._planning is not None:
            for ticket in await self._deps.store.due_plannings(_MOST_DUE):
                self.background.spawn(self._plan(ticket), label="orchestration")

    async def _handle(self, asked: MonitorTicket | MonitorWork) -> None:
        begun = time.monotonic()
        ticket = asked.ticket if isinstance(asked, MonitorWork) else asked
        record = await self._record(asked)
        if record is None:
            return
        events = await self._deps.store.finish_analysis(record)
        if events:
            self._meter.ended(record, seconds=time.monotonic() - begun)
            count_events(events)
        self._deps.hub.publish(ticket.key, events)
        if events and record.plan_owed:
            await self._plan(ticket)

    async def _plan(self, ticket: MonitorTicket) -> None:
        if self._planning is not None:
            await self._planning.make(ticket, self._running)

    async def _record(self, asked: MonitorTicket | MonitorWork) -> AnalysisRecord | None:
        """Return how the request ended; None when another process has it."""
        if isinstance(asked, MonitorTicket) and asked.exhausted:
            return _dropped(asked, "ATTEMPTS_LOST")
        work = await self._claimed(asked)
        if work is None:
            return None
        if work.stale:
            return _dropped(work.ticket, "SESSION_WENT_ON")
        if not work.usable:
            return _dropped(work.ticket, "ACTION_ENDED")
        refusal = self._running.refusal(work)
        if refusal:
            return _ended(work, AnalysisOutcome.SKIPPED, refusal)
        deps = self._deps
        kept = renewed(deps.store, work.ticket, owner=deps.owner, ttl=deps.claim_ttl)
        with self._running.one(work.ticket.key):
            async with kept:
                return await self._analyze(work)

    async def _claimed(self, asked: MonitorTicket | MonitorWork) -> MonitorWork | None:
        deps = self._deps
        if isinstance(asked, MonitorWork):
            ticket, ttl = asked.ticket, deps.claim_ttl
            lost = asked.late and not await deps.store.renew_claim(
                ticket, owner=deps.owner, ttl=ttl
            )
            return None if lost else asked
        return await deps.store.claim_monitor_request(asked, owner=deps.owner, ttl=deps.claim_ttl)

    async def _analyze(self, work: MonitorWork) -> AnalysisRecord:
        deps, key = self._deps, work.ticket.key
        with telemetry.span(
            "monitor.analysis",
            session_id=key.session_id,
            parent=work.traceparent,
            attributes={"heartrule.about_round": work.ticket.round},
            kind="client",
        ) as span:
            try:
                script = await deps.scripts.get(
                    key.tenant, work.script_id, work.script_version, work.replacements
                )
                report = deps.report(script, work)
                answer = await deps.monitor.analyze(report, judged_turn=work.traceparent)
            except HeartRuleError as error:
                span.fail(error.reason)
                LOG.warning("monitor did not answer", extra={"reason": error.reason})
                failed = _ended(work, AnalysisOutcome.FAILED, error.reason)
                return self._owed(failed, work) if error.retryable else failed
            if answer.failure:
                span.fail(answer.failure)
                failed = _ended(work, AnalysisOutcome.FAILED, answer.failure)
                return self._owed(replace(failed, calls=answer.calls), work)
            answer = replace(answer, traceparent=answer.traceparent or span.traceparent)
            known = known_as(script, work, report.known_outputs)
            record = _answered(work, answer, known=known)
            if deps.planning and answer.should_trigger_orchestration:
                return replace(record, plan_owed=True)
            return record

    def _owed(self, failed: AnalysisRecord, work: MonitorWork) -> AnalysisRecord:
        return replace(failed, retry_after=self._running.pause_after(work.attempt))


def _dropped(ticket: MonitorTicket, reason: str) -> AnalysisRecord:
    return AnalysisRecord(ticket=ticket, outcome=AnalysisOutcome.DROPPED, reason=reason)


def _ended(work: MonitorWork, outcome: AnalysisOutcome, reason: str = "") -> AnalysisRecord:
    return AnalysisRecord(
        ticket=work.ticket,
        judged_turn_id=work.turn_id,
        outcome=outcome,
        reason=reason,
    )


def _answered(
    work: MonitorWork, answer: AnalysisAnswer, *, known: Collection[str]
) -> AnalysisRecord:
    """Return the record: text makes an advice, empty text none (RESOLUTIONS C11).

    Text that its own analysis calls unneeded, or that asks for what is known, is kept with the
    analysis and its reason alone (ADR 64).
    """
    ended = _ended(work, AnalysisOutcome.NO_ADVICE)
    if answer.parse_failed:
        ended = _ended(work, AnalysisOutcome.FAILED, "UNREADABLE_REPLY")
    why_not = why_not_injected(answer.analysis, known) if answer.feedback_text else ""
    if why_not:
        ended = replace(ended, reason=why_not)
    elif answer.feedback_text:
        advice = _advice(work, answer)
        ended = replace(ended, outcome=AnalysisOutcome.ADVICE, advice=advice)
    return replace(ended, analysis=answer.analysis, calls=answer.calls)


def _advice(work: MonitorWork, answer: AnalysisAnswer) -> Advice:
    return Advice(
        advice_id=new_id("adv"),
        session_id=work.ticket.key.session_id,
        action_id=work.result.action_id,
        action_instance_id=work.ticket.action_instance_id,
        about_round=work.ticket.round,
        analysis=answer.analysis,
        feedback_text=answer.feedback_text,
        severity=severity_of(answer.analysis),
        traceparent=answer.traceparent,
    )
