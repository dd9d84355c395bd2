"""What each service's process reports, wherever its environment asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from pydantic import SecretStr

from heartrule.chassis.channels import open_channel
from tests.support.processes import Service, service

TOKEN = "right-right-right-right-right-right-"
WRONG = SecretStr("wrong-wrong-wrong-wrong-wrong-wrong-")
ENVIRON = {
    "HEARTRULE_PORT": "0", "HEARTRULE_MONITOR_PORT": "0", "HEARTRULE_GATEWAY_PORT": "0",
    "HEARTRULE_TOKEN": TOKEN, "HEARTRULE_MONITOR_TOKEN": TOKEN, "HEARTRULE_GATEWAY_TOKEN": TOKEN,
    "HEARTRULE_MONITOR_ADDRESS": "off", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "OPENAI_API_KEY": "none", "HEARTRULE_MODEL": "none", "OTEL_METRICS_EXPORTER": "console",
}  # fmt: skip


async def knock(running: Service) -> None:
    """Call a service with a wrong token."""
    if "gateway" in running.log.name:
        async with httpx.AsyncClient(trust_env=False) as http:
            await http.post(f"http://{running.address}/api/v1/login", json={"token": "wrong"})
        return
    async with open_channel(running.address, token=WRONG) as channel:
        method: Any = channel.unary_unary("/heartrule.v1.AnyService/AnyMethod")
        assert await method(b"", timeout=10).code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("module", ["executor_service", "gateway_service", "monitor_service"])
async def test_a_wrong_token_is_counted_by_every_service(module: str, tmp_path: Path) -> None:
    """The last counts are sent when the process leaves."""
    async with service(module, tmp_path, ENVIRON) as running:
        await knock(running)
        assert await running.stop() == 0
        told = running.log.read_text("utf-8")
    assert "heartrule.failed_logins" in told
    assert TOKEN not in told
