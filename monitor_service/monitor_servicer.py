"""MonitorService over gRPC: reads the report, judges it inside a span, answers."""

from __future__ import annotations

from dataclasses import replace

from heartrule.chassis import telemetry
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.monitoring import AnalysisReport
from heartrule.domain.orchestration import OrchestrationReport
from heartrule.v1 import (
    analysis_pb2,
    monitor_service_pb2,
    monitor_service_pb2_grpc,
    orchestration_pb2,
)
from heartrule.wire.inbound import Reading, check_name
from heartrule.wire.message_mapping import read_message, refuse, to_message
from monitor_service.cache import CACHED, AnalysisCache
from monitor_service.handlers.handler_registry import HandlerRegistry
from monitor_service.judge import judge_round
from monitor_service.orchestrator import TopicActionOrchestrator, plan_round

# Seconds of the caller's deadline left for the answer's way back: a late answer is lost with its
# records of the model calls.
_ANSWER_S = 0.2


class MonitorServicer(monitor_service_pb2_grpc.MonitorServiceServicer):
    """Judges one round per call, or proposes one plan; a cache is all it keeps between calls."""

    def __init__(
        self,
        handlers: HandlerRegistry,
        orchestrator: TopicActionOrchestrator,
        *,
        deadline_s: float,
        cache: AnalysisCache | None = None,
    ) -> None:
        """`deadline_s` is what one analysis, or one plan, may take in all.

        Without a cache every round is judged anew.
        """
        self._handlers = handlers
        self._orchestrator = orchestrator
        self._deadline_s = deadline_s
        self._cache = cache

    async def AnalyzeAction(  # noqa: N802 - the contract's spelling
        self,
        request: monitor_service_pb2.AnalyzeActionRequest,
        context: monitor_service_pb2_grpc._ServicerContext,
    ) -> monitor_service_pb2.AnalyzeActionResponse:
        """Answer with the analysis of one round, its span linked to the turn it judges."""
        report = parse_report(request.report)
        telemetry.identify(report.session_id, turn_id=report.turn_id)
        judged = _judged_traceparent(context)
        seconds = self._seconds(context.time_remaining())
        with telemetry.span(
            "analysis",
            session_id=report.session_id,
            attributes={
                "heartrule.action_type": report.action_type,
                "heartrule.round": report.round,
            },
            links=[telemetry.SpanLink(traceparent=judged, relation="judged_turn")],
        ) as span:
            handler = self._handlers.judging(report)
            judged_round = await judge_round(handler, report, seconds=seconds, cache=self._cache)
            answer = replace(judged_round, traceparent=span.traceparent)
            if answer.failure:
                span.fail(answer.failure)
            span.set(
                parse_failed=answer.parse_failed,
                intervention_needed=answer.analysis.intervention_needed,
                advice=bool(answer.feedback_text),
                cached=answer.analysis.metadata.get(CACHED) is True,
            )
        return to_message(answer, monitor_service_pb2.AnalyzeActionResponse)

    async def PlanOrchestration(  # noqa: N802
        self,
        request: monitor_service_pb2.PlanOrchestrationRequest,
        context: monitor_service_pb2_grpc._ServicerContext,
    ) -> monitor_service_pb2.PlanOrchestrationResponse:
        """Answer with a proposed change of the topic's queue, or with none."""
        report = parse_orchestration(request.report)
        judged = report.report
        telemetry.identify(judged.session_id, turn_id=judged.turn_id)
        links = [telemetry.SpanLink(traceparent=_judged_traceparent(context), relation="judged")]
        with telemetry.span("orchestration", session_id=judged.session_id, links=links) as span:
            seconds = self._seconds(context.time_remaining())
            planned = await plan_round(self._orchestrator, report, seconds=seconds)
            answer = replace(planned, traceparent=span.traceparent)
            if answer.failure:
                span.fail(answer.failure)
            span.set(parse_failed=answer.parse_failed, plan=answer.plan is not None)
        return to_message(answer, monitor_service_pb2.PlanOrchestrationResponse)

    def _seconds(self, caller_waits: float | None) -> float:
        """Return what is left for the analysis, so that a caller learns how it ended."""
        if caller_waits is None:
            return self._deadline_s
        return max(0.0, min(self._deadline_s, caller_waits - _ANSWER_S))


def parse_report(message: analysis_pb2.AnalysisReport) -> AnalysisReport:
    """Return the report a caller sent.

    Raises:
        InvalidRequest: An id is empty, an enum value unknown, a round below 1; all are named.
    """
    reading = Reading()
    report = read_message(message, AnalysisReport, "report.", reading)
    for name in ("session_id", "action_id", "action_instance_id", "action_type", "turn_id"):
        check_name(getattr(message, name), f"report.{name}", reading)
    if message.tenant:
        check_name(message.tenant, "report.tenant", reading)
    for name in ("round", "max_rounds"):
        if getattr(message, name) < 1:
            reading.wrong(f"report.{name}", "must be 1 or more")
    refuse(reading)
    return report if report.tenant else replace(report, tenant=DEFAULT_TENANT)


def parse_orchestration(message: orchestration_pb2.OrchestrationReport) -> OrchestrationReport:
    """Return what a plan is to be made from.

    Raises:
        InvalidRequest: The judged round is invalid (see `parse_report`), or an entry of the queue.
    """
    judged = parse_report(message.report)
    reading = Reading()
    report = read_message(message, OrchestrationReport, "report.", reading)
    refuse(reading)
    return replace(report, report=judged)


def _judged_traceparent(context: monitor_service_pb2_grpc._ServicerContext) -> str:
    sent = dict(context.invocation_metadata() or ())
    value = sent.get(telemetry.JUDGED_TRACEPARENT, "")
    return value if isinstance(value, str) else ""
