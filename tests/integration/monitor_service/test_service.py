"""The life of the service."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.chassis.channels import open_channel
from heartrule.chassis.settings import SettingsError, read
from heartrule.chassis.system_files import system_dir
from heartrule.domain.errors import NotFound
from monitor_service.bootstrap import RunningMonitor, start_monitor
from monitor_service.settings import MonitorSettings
from tests.support.fake_model import FakeModel, Reply
from tests.support.monitors import FREE_PORTS, running_monitor
from tests.support.reports import ASK_ROUND

REPLY = '{"intervention_needed": true, "feedback_for_action": "慢一点"}'


class ClosableModel(FakeModel):
    """Remembers that it was closed."""

    closed = False

    async def aclose(self) -> None:
        self.closed = True


async def readiness(service: RunningMonitor) -> str:
    """Ask the service whether it is ready."""
    async with open_channel(f"127.0.0.1:{service.health.port}") as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # its type stubs name no methods
        answer = await stub.Check(health_pb2.HealthCheckRequest(service="ready"), timeout=10)
    name: str = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return name


async def test_readiness() -> None:
    """The service is ready once it is started, and no longer once it leaves."""
    async with running_monitor(FakeModel()) as monitor:
        before = await readiness(monitor.service)
        await monitor.service.health.leave()
        assert (before, await readiness(monitor.service)) == ("SERVING", "NOT_SERVING")


async def test_drain() -> None:
    """A service that drains lets a running analysis end."""
    held = Reply((REPLY,), gate=asyncio.Event())
    async with running_monitor(FakeModel([held])) as monitor:
        call = asyncio.ensure_future(monitor.analyze(ASK_ROUND))
        await held.started.wait()
        draining = asyncio.ensure_future(monitor.service.drain())
        assert held.gate is not None
        held.gate.set()
        assert (await call).feedback_text
        await draining


async def test_closing() -> None:
    """Closing frees the ports and the model, and may be repeated."""
    model = ClosableModel()
    service = await start_monitor(read(MonitorSettings, FREE_PORTS), model)
    await service.aclose()
    await service.aclose()
    assert model.closed
    again = read(MonitorSettings, {"HEARTRULE_MONITOR_PORT": str(service.port)})
    await (await start_monitor(again, FakeModel())).aclose()


async def test_a_taken_port() -> None:
    """A port that is taken fails the start; the model is closed."""
    model = ClosableModel()
    async with running_monitor(FakeModel()) as monitor:
        taken = {"HEARTRULE_MONITOR_PORT": str(monitor.service.port)}
        with pytest.raises(SettingsError):
            await start_monitor(read(MonitorSettings, taken), model)
    assert model.closed


async def test_a_missing_template(tmp_path: Path) -> None:
    """A service without its default templates does not start."""
    folder = tmp_path / "config" / "default"
    folder.mkdir(parents=True)
    shutil.copy(system_dir() / "config" / "default" / "prompt_words.yaml", folder)
    settings = read(MonitorSettings, {**FREE_PORTS, "HEARTRULE_SYSTEM_DIR": str(tmp_path)})
    with pytest.raises(NotFound):
        await start_monitor(settings, FakeModel())
