"""A gRPC server with a token answers nobody else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc import aio
from pydantic import SecretStr

from heartrule.chassis.channels import open_channel
from tests.support.tiny_service import KINDS, SERVICE, tiny_service

TOKEN = SecretStr("right-right-right-right-right-right-")
WRONG = SecretStr("wrong-wrong-wrong-wrong-wrong-wrong-")


async def one_for_one(request: bytes, _: object) -> bytes:
    return b"seen " + request


async def one_for_many(requests: AsyncIterator[bytes], _: object) -> bytes:
    return b"seen " + b"".join([each async for each in requests])


async def many_for_one(request: bytes, _: object) -> AsyncIterator[bytes]:
    yield b"seen " + request


async def many_for_many(requests: AsyncIterator[bytes], _: object) -> AsyncIterator[bytes]:
    async for each in requests:
        yield b"seen " + each


HANDLERS: dict[str, Any] = {
    "unary_unary": one_for_one,
    "stream_unary": one_for_many,
    "unary_stream": many_for_one,
    "stream_stream": many_for_many,
}


@pytest.mark.parametrize("kind", list(KINDS))
async def test_a_channel_with_the_token_is_answered(kind: str) -> None:
    """In every call kind; beside other metadata."""
    async with tiny_service(HANDLERS, token=TOKEN) as tiny:
        assert await tiny.all_answers(kind, b"this") == [b"seen this"]
        assert await tiny.ask(b"x", metadata=(("traceparent", "any"),)) == b"seen x"


@pytest.mark.parametrize("token", [None, WRONG, SecretStr("right")])
@pytest.mark.parametrize("kind", list(KINDS))
async def test_any_other_call_ends_unread(kind: str, token: SecretStr | None) -> None:
    """UNAUTHENTICATED with a reason, though the caller never ended its requests."""

    async def never_ending() -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""

    async with tiny_service(HANDLERS, token=TOKEN) as tiny:
        async with open_channel(f"127.0.0.1:{tiny.port}", token=token) as channel:
            method: Any = getattr(channel, kind)(f"/{SERVICE}/{kind}")
            call = method(never_ending() if kind.startswith("stream") else b"this", timeout=10)
            assert await call.code() is grpc.StatusCode.UNAUTHENTICATED
            details = dict(await call.trailing_metadata())["grpc-status-details-bin"]
    assert b"NOT_AUTHENTICATED" in details


async def test_an_unknown_method_is_not_told_apart(caplog: pytest.LogCaptureFixture) -> None:
    """A stranger learns nothing about what there is, and no token stands in the log."""
    with caplog.at_level(logging.DEBUG):
        async with tiny_service(HANDLERS, token=TOKEN) as tiny:
            async with open_channel(f"127.0.0.1:{tiny.port}", token=WRONG) as channel:
                method: Any = channel.unary_unary("/heartrule.test.None/Nothing")
                with pytest.raises(aio.AioRpcError) as refused:
                    await method(b"", timeout=10)
    assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert "a call without the right token" in caplog.text
    assert "wrong-wrong" not in caplog.text
    assert "right-right" not in caplog.text


async def test_a_flood_of_wrong_tokens_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """Some are logged; all are counted."""
    async with tiny_service(HANDLERS, token=TOKEN) as tiny:
        async with open_channel(f"127.0.0.1:{tiny.port}", token=WRONG) as channel:
            method: Any = channel.unary_unary(f"/{SERVICE}/unary_unary")
            for _ in range(20):
                assert await method(b"", timeout=10).code() is grpc.StatusCode.UNAUTHENTICATED
    assert caplog.text.count("a call without the right token") == 10
