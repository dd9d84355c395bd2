"""A client's channel spreads its calls, and notices a peer that is gone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import grpc
import pytest

from heartrule.chassis.channels import open_channel
from heartrule.chassis.server import Keepalive
from tests.chaos.line import Line, Mode
from tests.support.tiny_service import SERVICE, tiny_service


async def test_calls_go_to_every_replica() -> None:
    """With two addresses, ten calls reach both servers; without round_robin only one."""
    reached = list[str]()

    async def first(request: bytes, context: Any) -> bytes:
        reached.append("first")
        return request

    async def second(request: bytes, context: Any) -> bytes:
        reached.append("second")
        return request

    async with (
        tiny_service({"unary_unary": first}) as one,
        tiny_service({"unary_unary": second}) as two,
        open_channel(f"ipv4:127.0.0.1:{one.port},127.0.0.1:{two.port}") as channel,
    ):
        ask: Any = channel.unary_unary(f"/{SERVICE}/unary_unary")
        while len(set(reached)) < 2 and len(reached) < 1000:
            await ask(b"x", timeout=10)
    assert set(reached) == {"first", "second"}


async def hold(request: bytes, context: Any) -> bytes:
    """Answer never: the caller leaves first."""
    await asyncio.Event().wait()
    return request


async def test_a_peer_behind_a_dead_line_is_noticed() -> None:
    """A call that waits fails as unavailable when no ping comes back, well before its deadline."""
    async with tiny_service({"unary_unary": hold}) as tiny:
        line = Line("127.0.0.1", tiny.port)
        await line.open()
        async with open_channel(f"127.0.0.1:{line.port}", noticed_s=1.0) as channel:
            call: Any = channel.unary_unary(f"/{SERVICE}/unary_unary")
            asked = asyncio.ensure_future(call(b"hi", timeout=30, wait_for_ready=True))
            await channel.channel_ready()
            line.cut(Mode.SILENT)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await asked
        await line.aclose()
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_server_that_is_told_of_it_bears_frequent_pings() -> None:
    """A long call outlives many pings where the server accepts them as often."""

    async def linger(request: bytes, context: Any) -> bytes:
        with suppress(TimeoutError):
            async with asyncio.timeout(4.8):
                await asyncio.Event().wait()
        return request

    async with tiny_service(
        {"unary_unary": linger}, keepalive=Keepalive(accept_every_s=0.1)
    ) as tiny:
        async with open_channel(f"127.0.0.1:{tiny.port}", noticed_s=0.4) as channel:
            call: Any = channel.unary_unary(f"/{SERVICE}/unary_unary")
            assert await call(b"hi", timeout=10) == b"hi"
