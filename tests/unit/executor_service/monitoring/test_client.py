"""The monitor over gRPC: its answers and its failures in our words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from grpc import StatusCode, aio

from executor_service.monitoring.client import GrpcMonitor, MonitorUnavailable
from heartrule.domain.errors import NotSupported
from heartrule.domain.monitoring import AnalysisAnswer, MonitorAnalysis
from heartrule.v1 import monitor_service_pb2
from heartrule.wire.message_mapping import to_message
from tests.support.reports import ASK_ROUND

ANSWER = AnalysisAnswer(
    analysis=MonitorAnalysis(intervention_needed=True, feedback_for_action="慢一点"),
    feedback_text="【Topic层策略建议】\n慢一点",
)


@dataclass
class Wire:
    """A channel without a network: it keeps what is sent and answers as written."""

    answers: StatusCode | AnalysisAnswer = ANSWER
    sent: list[Any] = field(default_factory=list)
    options: list[dict[str, Any]] = field(default_factory=list)

    def unary_unary(self, path: str, *_: Any, **__: Any) -> Callable[..., Any]:
        """Return the call of a method."""

        async def call(request: Any, **options: Any) -> Any:
            self.sent.append(request)
            self.options.append(options)
            if isinstance(self.answers, StatusCode):
                raise aio.AioRpcError(self.answers, aio.Metadata(), aio.Metadata())
            return to_message(self.answers, monitor_service_pb2.AnalyzeActionResponse)

        return call


async def analyze(wire: Wire) -> AnalysisAnswer:
    """Ask for one analysis."""
    monitor = GrpcMonitor(cast("aio.Channel", wire), deadline_s=7.0)
    return await monitor.analyze(ASK_ROUND, judged_turn="00-aa-bb-01")


async def test_an_answer_comes_back_whole() -> None:
    """Analysis and block are the monitor's own."""
    assert await analyze(Wire()) == ANSWER


async def test_the_report_is_sent_with_a_deadline_and_the_judged_turn() -> None:
    """The monitor's span will link to the turn it judges."""
    wire = Wire()
    await analyze(wire)
    assert wire.sent[0].report.action_id == ASK_ROUND.action_id
    assert wire.options[0]["timeout"] == 7.0
    assert ("judged-traceparent", "00-aa-bb-01") in wire.options[0]["metadata"]


@pytest.mark.parametrize(
    ("code", "kind", "retryable"),
    [
        (StatusCode.UNAVAILABLE, MonitorUnavailable, True),
        (StatusCode.DEADLINE_EXCEEDED, MonitorUnavailable, True),
        (StatusCode.RESOURCE_EXHAUSTED, MonitorUnavailable, True),
        (StatusCode.INVALID_ARGUMENT, NotSupported, False),
        (StatusCode.UNIMPLEMENTED, NotSupported, False),
        (StatusCode.INTERNAL, NotSupported, False),
    ],
)
async def test_a_status_says_whether_a_second_attempt_may_help(
    code: StatusCode, kind: type[Exception], *, retryable: bool
) -> None:
    """Down, slow and full may pass; a refusal stays one."""
    with pytest.raises(kind) as caught:
        await analyze(Wire(code))
    assert getattr(caught.value, "reason", "") == f"MONITOR_{code.name}"
    assert getattr(caught.value, "retryable", None) is retryable
