"""A script that turns the crisis path off, where that is forbidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from grpc.aio import AioRpcError

from heartrule.v1 import session_pb2
from session_store.open import open_store
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

OFF = "  safety: {mode: 'off', reason: role play}"
WITHOUT = ask_script(9).replace("session_id: asking", f"session_id: asking\n{OFF}")
FORBIDDEN = {"HEARTRULE_SAFETY_OPT_OUT": "forbidden"}


def around(**environ: str) -> Neighbours:
    """Return a model that asks on."""
    model = FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")])
    return Neighbours(model=model, environ=environ)


async def test_it_is_not_published() -> None:
    """The finding names the rule; the same script may be published where it is allowed."""
    async with running_executor(around(**FORBIDDEN)) as running:
        with pytest.raises(AioRpcError) as refused:
            await running.client.publish(WITHOUT)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "crisis path may not be turned off" in str(refused.value.details())


async def test_a_stricter_policy_counts_for_what_was_published_and_begun(tmp_path: Path) -> None:
    """No session begins on it; one that runs is answered by the card."""
    address = str(tmp_path / "kept.db")
    async with running_executor(replace(around(), store=open_store(address))) as running:
        session_id = await running.client.start(WITHOUT)
        await running.client.initialize(session_id)
    strict = replace(around(**FORBIDDEN), store=open_store(address))
    async with running_executor(strict) as running:
        told = await running.client.send(session_id, "m1", "我想自杀")
        request = session_pb2.StartSessionRequest(script_id="asking")
        with pytest.raises(AioRpcError) as refused:
            await running.client.stubs.session.StartSession(request)
    assert "12356" in told.texts()[0]
    assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
