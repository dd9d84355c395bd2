"""A whole monitor service in this process, on a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from grpc import aio

from heartrule.chassis.channels import open_channel
from heartrule.chassis.settings import read
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport
from heartrule.model.ports import ChatModel
from heartrule.v1 import analysis_pb2, monitor_service_pb2, orchestration_pb2
from heartrule.v1.monitor_service_pb2_grpc import MonitorServiceStub
from heartrule.wire.message_mapping import from_message, to_message
from monitor_service.bootstrap import RunningMonitor, start_monitor
from monitor_service.settings import MonitorSettings

FREE_PORTS = {"HEARTRULE_MONITOR_PORT": "0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorClient:
    """A started monitor and a way to ask it."""

    service: RunningMonitor
    channel: aio.Channel

    async def analyze(
        self,
        report: AnalysisReport,
        *,
        timeout_s: float = 10,
        metadata: Mapping[str, str] = MappingProxyType({}),
    ) -> AnalysisAnswer:
        """Ask for one analysis."""
        request = monitor_service_pb2.AnalyzeActionRequest(
            report=to_message(report, analysis_pb2.AnalysisReport)
        )
        sent = tuple(metadata.items())
        stub = MonitorServiceStub(self.channel)
        answer = await stub.AnalyzeAction(request, timeout=timeout_s, metadata=sent)
        return from_message(answer, AnalysisAnswer)

    async def plan(
        self, report: OrchestrationReport, *, timeout_s: float = 10
    ) -> OrchestrationAnswer:
        """Ask for one plan."""
        request = monitor_service_pb2.PlanOrchestrationRequest(
            report=to_message(report, orchestration_pb2.OrchestrationReport)
        )
        stub = MonitorServiceStub(self.channel)
        answer = await stub.PlanOrchestration(request, timeout=timeout_s)
        return from_message(answer, OrchestrationAnswer)


@asynccontextmanager
async def running_monitor(model: ChatModel, **environ: str) -> AsyncIterator[MonitorClient]:
    """Start a monitor over a model; everything is closed afterwards."""
    settings = read(MonitorSettings, {**FREE_PORTS, **environ})
    service = await start_monitor(settings, model)
    address = f"127.0.0.1:{service.port}"
    async with open_channel(address, token=settings.server.token) as channel:
        try:
            yield MonitorClient(service=service, channel=channel)
        finally:
            await service.aclose()
