"""The monitor over gRPC: one deadline, and the codes of its answers as our errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.protobuf.message import Message
from grpc import StatusCode, aio
from pydantic import SecretStr

from heartrule.chassis import telemetry
from heartrule.chassis.channels import open_channel
from heartrule.domain.errors import HeartRuleError, NotSupported
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport
from heartrule.v1 import monitor_service_pb2, monitor_service_pb2_grpc
from heartrule.wire.message_mapping import fill_message, from_message

# A monitor that is down, slow or full may answer later; any other code would come again.
_RETRYABLE = frozenset(
    {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.RESOURCE_EXHAUSTED}
)


# A monitor that vanished is noticed after this time, not only at the deadline of an analysis.
_GONE_S = 4.5
M = TypeVar("M", bound=Message)


class MonitorUnavailable(HeartRuleError):
    """The monitor service did not answer; a second attempt may be made later."""

    retryable = True


def open_monitor_channel(address: str, token: SecretStr | None) -> aio.Channel:
    """Return a channel to the monitor that sends its token; call it inside the running loop."""
    return open_channel(address, token=token, noticed_s=_GONE_S)


class GrpcMonitor:
    """Calls AnalyzeAction and PlanOrchestration."""

    def __init__(self, channel: aio.Channel, *, deadline_s: float) -> None:
        """Use a channel opened in the running loop; an answer later than the deadline is lost."""
        self._stub = monitor_service_pb2_grpc.MonitorServiceStub(channel)
        self._deadline_s = deadline_s

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Judge one round.

        Raises:
            MonitorUnavailable: It is down or slow.
            NotSupported: It refuses; a second attempt would be refused too.
        """
        request = monitor_service_pb2.AnalyzeActionRequest()
        fill_message(report, request.report)
        response = await self._call(self._stub.AnalyzeAction, request, judged_turn)
        return from_message(response, AnalysisAnswer, lenient=True)

    async def plan(self, report: OrchestrationReport, *, judged_turn: str) -> OrchestrationAnswer:
        """Propose a change of the topic's queue, or none; raises as `analyze` does."""
        request = monitor_service_pb2.PlanOrchestrationRequest()
        fill_message(report, request.report)
        response = await self._call(self._stub.PlanOrchestration, request, judged_turn)
        return from_message(response, OrchestrationAnswer, lenient=True)

    async def _call(
        self, method: Callable[..., Awaitable[M]], request: Message, judged_turn: str
    ) -> M:
        metadata = (*telemetry.outgoing_metadata(), (telemetry.JUDGED_TRACEPARENT, judged_turn))
        try:
            return await method(request, timeout=self._deadline_s, metadata=metadata)
        except aio.AioRpcError as error:
            raise _error_of(error.code()) from error


def _error_of(code: StatusCode) -> HeartRuleError:
    reason = f"MONITOR_{code.name}"
    if code in _RETRYABLE:
        return MonitorUnavailable("the monitor did not answer", reason=reason)
    return NotSupported("the monitor refused", reason=reason)
