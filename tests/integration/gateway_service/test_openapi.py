"""Whatever is sent by the OpenAPI document, nothing breaks."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.core.result import Ok

from gateway_service.app import make_api
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import running_gateway
from tests.support.scripts import ask_script

pytestmark = pytest.mark.slow
SCHEMA = schemathesis.openapi.from_dict(make_api().openapi())
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "6"))
"""Requests of each route."""
ENDLESS = "/events"
"""Such a stream ends only when its reader leaves."""


async def test_nothing_that_is_sent_breaks_the_gateway() -> None:
    """No answer is a 5xx, and every refusal is a problem, whatever a client sends."""
    replies = [ask_reply("怎么称呼你？")] * 2_000
    async with running_gateway(Neighbours(model=FakeModel(replies))) as running:
        session_id = await running.start(ask_script(9))
        base = f"http://127.0.0.1:{running.gateway.port}"
        told = await asyncio.to_thread(_try_everything, base, session_id)
    routes = {path for path in make_api().openapi()["paths"] if not path.endswith(ENDLESS)}
    assert {path for path, _, _ in told} == routes
    assert [one for one in told if one[1] >= 500] == []
    assert [one for one in told if one[1] >= 400 and "json" not in one[2]] == []
    assert any(status < 400 for _, status, _ in told)


def _try_everything(base: str, session_id: str) -> list[tuple[str, int, str]]:
    """Return route, status and media type of every answer."""
    told: list[tuple[str, int, str]] = []
    for result in SCHEMA.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path.endswith(ENDLESS):
            continue

        @settings(
            max_examples=EXAMPLES, database=None, derandomize=True,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def once(case: Case[Any]) -> None:
            if len(told) % 2 and "sessionId" in (case.path_parameters or {}):
                case.path_parameters["sessionId"] = session_id
            answer = case.call(base_url=base, timeout=20)
            media_type = answer.headers.get("content-type", [""])[0]
            told.append((case.operation.path, answer.status_code, media_type))

        once()
    return told
