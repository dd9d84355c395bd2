"""What is too much is refused over gRPC with what was too much and when to come again."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import error_details_pb2 as rpc
from grpc import StatusCode, aio
from grpc_status import rpc_status

from heartrule.v1 import conversation_pb2
from tests.support.conversing import Client
from tests.support.doors import (
    DOORS,
    Door,
    by_converse,
    by_retry_turn,
    by_send_message,
    by_submit_input,
    typed,
)
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.reached_limits import LIMITS
from tests.support.scripts import ask_script

CRISIS = "我想自杀"
CONCERN = "大学时想过自杀"


def around(**limits: str) -> Neighbours:
    environ = {f"HEARTRULE_{name.upper()}": value for name, value in limits.items()}
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？")] * 9), environ=environ)


async def submit(client: Client, session_id: str, said: conversation_pb2.UserInput) -> None:
    request = conversation_pb2.SubmitInputRequest(session_id=session_id, input=said)
    await client.stubs.conversation.SubmitInput(request)


def details_of(error: Any) -> tuple[rpc.QuotaFailure, rpc.RetryInfo]:
    quota, retry = rpc.QuotaFailure(), rpc.RetryInfo()
    status = rpc_status.from_call(error)
    assert status is not None
    for detail in status.details:
        detail.Unpack(quota)
        detail.Unpack(retry)
    return quota, retry


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("door", DOORS)
async def test_an_input_that_is_too_much_has_its_card(door: Door, name: str) -> None:
    """The limit stands behind the screen at every way in: no card is refused."""
    limit = LIMITS[name]
    async with running_executor(limit.around()) as running:
        session_id = await limit.session(running.client)
        assert "12356" in await door(running.client, session_id, typed(CRISIS))


@pytest.mark.parametrize("name", LIMITS)
async def test_a_concern_that_is_too_much_is_told_where_help_is(name: str) -> None:
    """Its question would belong to a turn; the refusal says the short form."""
    limit = LIMITS[name]
    async with running_executor(limit.around()) as running:
        session_id = await limit.session(running.client)
        assert "12356" in await by_submit_input(running.client, session_id, typed(CONCERN))


async def test_a_retry_that_is_too_much_has_its_card() -> None:
    """RetryTurn is an input as well."""
    async with running_executor(around(inputs_per_minute="1")) as running:
        session_id = await running.client.start(ask_script(9))
        await submit(running.client, session_id, typed("你好", "m0"))
        assert "12356" in await by_retry_turn(running.client, session_id, typed(CRISIS))


async def test_a_refusal_names_the_limit_and_the_pause() -> None:
    """RESOURCE_EXHAUSTED with QuotaFailure and RetryInfo."""
    async with running_executor(around(inputs_per_minute="1")) as running:
        session_id = await running.client.start(ask_script(9))
        await submit(running.client, session_id, typed("你好", "m1"))
        with pytest.raises(aio.AioRpcError) as refused:
            await submit(running.client, session_id, typed("你好", "m2"))
    quota, retry = details_of(refused.value)
    assert refused.value.code() is StatusCode.RESOURCE_EXHAUSTED
    assert quota.violations[0].subject == "TOO_MANY_INPUTS"
    assert retry.retry_delay.seconds > 0


async def test_streams_that_are_too_many_leave_room_for_inputs() -> None:
    """A second watcher is refused; an input and its card pass, also with a stream that may not."""
    async with running_executor(around(max_streams="1")) as running:
        session_id = await running.client.start(ask_script(9))
        stubs = running.client.stubs
        request = conversation_pb2.WatchSessionRequest(session_id=session_id)
        first = stubs.conversation.WatchSession(request)
        await first.read()
        with pytest.raises(aio.AioRpcError) as refused:
            await stubs.conversation.WatchSession(request).read()
        assert refused.value.code() is StatusCode.RESOURCE_EXHAUSTED
        for door in (by_converse, by_send_message):
            assert "12356" in await door(running.client, session_id, typed(CRISIS))
        first.cancel()
