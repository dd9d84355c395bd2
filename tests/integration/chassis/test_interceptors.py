"""What a client sees of a handler that fails, over a real connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2 as rpc
from grpc import StatusCode
from grpc_status import rpc_status

from heartrule.chassis import telemetry
from heartrule.chassis.log_context import bound
from heartrule.domain import errors as domain
from tests.support.tiny_service import SERVICE, tiny_service

REMOTE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def fail(request: bytes, context: Any) -> bytes:
    raise RuntimeError("password=hunter2")


async def fail_late(requests: Any, context: Any) -> AsyncIterator[bytes]:
    yield b"first"
    raise RuntimeError("password=hunter2")


async def fail_writing(requests: Any, context: Any) -> None:
    await context.write(b"first")
    raise RuntimeError("password=hunter2")


async def answer_of(kind: str, handler: Any) -> grpc.aio.AioRpcError:
    """Call the one handler and return the error its call ends with."""
    async with tiny_service({kind: handler}) as tiny:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tiny.all_answers(kind)
    return caught.value


@pytest.mark.parametrize(
    ("kind", "handler"),
    [
        ("unary_unary", fail),
        ("stream_unary", fail),
        ("unary_stream", fail_late),
        ("stream_stream", fail_late),
        ("unary_stream", fail_writing),
        ("stream_stream", fail_writing),
    ],
)
async def test_no_exceptions_text_reaches_the_client(kind: str, handler: Any) -> None:
    """In every call kind an unforeseen error is INTERNAL with an id and nothing else."""
    error = await answer_of(kind, handler)
    assert error.code() is StatusCode.INTERNAL
    assert "hunter2" not in repr((error.details(), error.trailing_metadata()))


async def test_an_error_of_ours_arrives_with_its_details() -> None:
    """Twenty violations of a script and their total come through the trailers."""
    long = [
        domain.FieldViolation(field=f"文件.yaml:{n}:1", description="错误" * 400) for n in range(30)
    ]

    async def refuse(request: bytes, context: Any) -> bytes:
        raise domain.InvalidScript("脚本有误" * 400, violations=long)

    error = await answer_of("unary_unary", refuse)
    status = rpc_status.from_call(error)  # type: ignore[arg-type] # an AioRpcError has all it reads
    info, bad = rpc.ErrorInfo(), rpc.BadRequest()
    assert status is not None
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(bad)
    assert info.metadata["violations_total"] == "30"
    assert bad.field_violations[0].field == "文件.yaml:0:1"


async def raise_cancelled(request: bytes, context: Any) -> bytes:
    raise asyncio.CancelledError


async def be_cancelled(request: bytes, context: Any) -> bytes:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.Event().wait()
    return b""


@pytest.mark.parametrize("handler", [raise_cancelled, be_cancelled])
async def test_a_cancelled_handler_answers_aborted(handler: Any) -> None:
    """The client gets ABORTED at once; grpc alone would leave it waiting."""
    assert (await answer_of("unary_unary", handler)).code() is StatusCode.ABORTED


async def test_a_client_that_leaves_cancels_its_handler_and_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The handler sees CancelledError, and the log says CANCELLED at INFO."""
    caplog.set_level(logging.INFO, logger="heartrule")
    started, ended = asyncio.Event(), asyncio.Event()

    async def wait(request: bytes, context: Any) -> bytes:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return b""

    async with tiny_service({"unary_unary": wait}) as tiny:
        call = asyncio.create_task(tiny.ask())
        await started.wait()
        call.cancel()
        await ended.wait()
    (told,) = [each for each in caplog.records if each.name.startswith("heartrule")]
    assert (told.levelname, told.msg, vars(told)["code"]) == (
        "INFO", "call cancelled", "CANCELLED",
    )  # fmt: skip


async def test_an_abort_of_the_handlers_own_passes_unchanged() -> None:
    """Code that aborts by itself keeps its code and text."""

    async def abort(request: bytes, context: Any) -> bytes:
        await context.abort(StatusCode.DATA_LOSS, "told so")
        return b""

    error = await answer_of("unary_unary", abort)
    assert (error.code(), error.details()) == (StatusCode.DATA_LOSS, "told so")


async def test_an_unknown_method_is_unimplemented() -> None:
    """A method nobody serves passes through the interceptor."""
    async with tiny_service({}) as tiny:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tiny.ask()
    assert caught.value.code() is StatusCode.UNIMPLEMENTED


async def test_a_handler_continues_its_callers_trace() -> None:
    """Trace id and method are known inside the handler."""

    async def tell(request: bytes, context: Any) -> bytes:
        return f"{telemetry.trace_id()} {bound()['rpc']}".encode()

    async with tiny_service({"unary_unary": tell}) as tiny:
        answer = await tiny.ask(metadata=(("traceparent", REMOTE),))
    assert answer.decode() == f"{REMOTE[3:35]} {SERVICE}/unary_unary"
