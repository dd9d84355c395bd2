"""Who calls a service of ours sends its token: gateway, command, executor to monitor."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from executor_service.monitoring.client import GrpcMonitor
from gateway_service.executor import ExecutorLink
from gateway_service.problems import HttpProblem
from heartrule.chassis.channels import open_channel
from heartrule.domain.errors import NotSupported
from heartrule.v1 import script_pb2
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import Failure
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.monitors import running_monitor
from tests.support.reports import ask_round

TOKEN = "one-token-of-forty-characters-for-a-test"
GUARDED = {"HEARTRULE_TOKEN": TOKEN}


async def test_the_command_sends_it() -> None:
    """From HEARTRULE_TOKEN; without it the failure names that variable."""
    async with running_executor(Neighbours(environ=GUARDED)) as running:
        address = f"127.0.0.1:{running.server.port}"
        async with executor_at(address, GUARDED) as executor:
            assert await executor.safety_report(None) == ()
        async with executor_at(address) as stranger:
            with pytest.raises(Failure, match="asks for a token") as refused:
                await stranger.safety_report(None)
    assert "HEARTRULE_TOKEN" in refused.value.hint


async def test_the_gateway_sends_it() -> None:
    """On its connection for unary calls; a gateway without it is at fault, not its callers."""
    request, answer = script_pb2.ListScriptsRequest(), script_pb2.ListScriptsResponse
    async with running_executor(Neighbours(environ=GUARDED)) as running:
        address = f"127.0.0.1:{running.server.port}"
        link = ExecutorLink(address, call_timeout_s=10, token=SecretStr(TOKEN))
        stranger = ExecutorLink(address, call_timeout_s=10)
        assert not (await link.ask(request, answer)).scripts
        with pytest.raises(HttpProblem) as refused:
            await stranger.ask(request, answer)
        await link.aclose()
        await stranger.aclose()
    assert (refused.value.status, refused.value.reason) == (503, "EXECUTOR_UNAUTHENTICATED")


async def test_the_executor_sends_the_monitors() -> None:
    """An analysis is asked for with it; without it the analysis is refused for good."""
    told = {"HEARTRULE_MONITOR_TOKEN": TOKEN}
    async with running_monitor(FakeModel(["no json"] * 5), **told) as monitor:
        await GrpcMonitor(monitor.channel, deadline_s=10).analyze(ask_round(), judged_turn="")
        async with open_channel(f"127.0.0.1:{monitor.service.port}") as channel:
            with pytest.raises(NotSupported):
                await GrpcMonitor(channel, deadline_s=10).analyze(ask_round(), judged_turn="")
