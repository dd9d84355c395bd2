"""The server's limits act; a misspelt option would be ignored in silence."""

from __future__ import annotations

import asyncio
import logging
import struct
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

from heartrule.chassis.channels import open_channel
from heartrule.chassis.health import READY, Health
from heartrule.chassis.server import (
    MAX_RECEIVE_BYTES,
    MAX_STREAMS,
    Keepalive,
    ServerSettings,
    build_server,
)
from heartrule.chassis.settings import SettingsError
from tests.support.tiny_service import KINDS, SERVICE, tiny_service

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
"""What an HTTP/2 client says first: the preface and empty settings."""
SETTINGS_FRAME, MAX_CONCURRENT_STREAMS = 4, 3


async def echo(request: bytes, context: Any) -> bytes:
    return request


def reading_handlers() -> dict[str, Callable[..., Any]]:
    """A handler of every call kind that reads its request, or all of them."""

    async def unary(request: Any, _context: Any) -> bytes:
        return b""

    async def drained(requests: Any, _context: Any) -> bytes:
        return b"".join([b"" async for _ in requests])

    async def stream(request: Any, _context: Any) -> AsyncIterator[bytes]:
        yield b""

    async def both(_requests: Any, context: Any) -> None:
        while await context.read() is not grpc.aio.EOF:
            pass

    named = {"unary_unary": unary, "unary_stream": stream}
    return {**named, "stream_unary": drained, "stream_stream": both}


async def test_a_megabyte_and_a_bit_is_taken_and_more_is_refused() -> None:
    """The receive limit is 1.25 MiB, so that our own check at 1 MiB can answer kindly."""
    async with tiny_service({"unary_unary": echo}) as tiny:
        assert len(await tiny.ask(b"x" * (MAX_RECEIVE_BYTES - 10))) == MAX_RECEIVE_BYTES - 10
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tiny.ask(b"x" * (MAX_RECEIVE_BYTES + 1))
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_compressed_message_is_bounded_by_what_it_unpacks_to() -> None:
    """A few kilobytes that would fill the memory are refused by grpc itself."""
    async with tiny_service({"unary_unary": echo}) as tiny:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tiny.ask(bytes(50 * MAX_RECEIVE_BYTES), compression=grpc.Compression.Gzip)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "Decompressed message larger" in str(caught.value.details())


async def test_the_limit_of_streams_is_announced() -> None:
    """The server's first frame tells how many calls one connection may carry."""
    async with tiny_service({}) as tiny:
        reader, writer = await asyncio.open_connection("127.0.0.1", tiny.port)
        writer.write(PREFACE)
        head = await reader.readexactly(9)
        body = await reader.readexactly(int.from_bytes(head[:3], "big"))
        writer.close()
    assert head[3] == SETTINGS_FRAME
    assert dict(struct.iter_unpack(">HI", body))[MAX_CONCURRENT_STREAMS] == MAX_STREAMS


async def test_a_frozen_client_is_noticed() -> None:
    """A client that answers no ping is hung up on after keepalive and its time-out."""
    quick = Keepalive(after_s=1, answer_within_s=0.5)
    async with tiny_service({}, keepalive=quick) as tiny:
        reader, writer = await asyncio.open_connection("127.0.0.1", tiny.port)
        writer.write(PREFACE)
        async with asyncio.timeout(10):
            while await reader.read(4096):
                pass
        writer.close()


def settings(port: int, **more: Any) -> ServerSettings:
    return ServerSettings(port=port, **more)


async def test_a_port_that_is_taken_is_told() -> None:
    """Two servers never share a port in silence; the error names the variable."""
    async with tiny_service({}) as tiny:
        with pytest.raises(SettingsError, match="HEARTRULE_PORT"):
            build_server(settings(tiny.port), register=lambda _: None)


async def test_a_port_is_shared_where_both_ask_for_it() -> None:
    """Several processes of one machine serve one port, and nobody comes in by accident."""
    first, port = build_server(settings(0, reuse_port=True), register=lambda _: None)
    second, same = build_server(settings(port, reuse_port=True), register=lambda _: None)
    assert same == port
    await first.stop(grace=None)
    await second.stop(grace=None)


@pytest.mark.parametrize(("host", "warnings"), [("127.0.0.1", 0), ("0.0.0.0", 1)])
async def test_listening_for_others_is_warned_about(
    host: str, warnings: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Only this machine by default; without a token another address is served with a warning."""
    server, port = build_server(settings(0, host=host, insecure=True), register=lambda _: None)
    await server.stop(grace=None)
    assert port > 0
    assert warnings == sum(record.levelno == logging.WARNING for record in caplog.records)


@pytest.mark.parametrize("enabled", [True, False])
async def test_reflection_is_a_setting(enabled: bool) -> None:  # noqa: FBT001 - a parameter of the case
    """A server describes itself only when told to."""
    server, port = build_server(
        settings(0, reflection=enabled), register=lambda _: None, service_names=(SERVICE,)
    )
    await server.start()
    try:
        names = await reflected_services(port)
    finally:
        await server.stop(grace=None)
    assert (SERVICE in names) == enabled


def stub_of(kind: Any, channel: grpc.aio.Channel) -> Any:
    """Make a stub whose methods its type stubs do not name."""
    return kind(channel)


async def reflected_services(port: int) -> str:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = stub_of(ServerReflectionStub, channel)
        call = stub.ServerReflectionInfo(iter([ServerReflectionRequest(list_services="")]))
        try:
            return "".join([str(answer) async for answer in call])
        except grpc.aio.AioRpcError as error:
            return str(error.code())


async def ask_health(port: int, check: str) -> str:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = stub_of(HealthStub, channel)
        answer = await stub.Check(HealthCheckRequest(service=check), timeout=10)
    return HealthCheckResponse.ServingStatus.Name(answer.status)


async def test_a_process_is_alive_before_it_is_ready() -> None:
    """Probes see the process at once, readiness when it is said, and the end for good."""
    health = Health("127.0.0.1", 0)
    await health.start()
    seen = [await ask_health(health.port, ""), await ask_health(health.port, READY)]
    await health.set(READY, serving=True)
    seen.append(await ask_health(health.port, READY))
    await health.leave()
    await health.set(READY, serving=True)
    seen += [await ask_health(health.port, READY), await ask_health(health.port, "")]
    await health.close()
    assert seen == ["SERVING", "NOT_SERVING", "SERVING", "NOT_SERVING", "SERVING"]


@pytest.mark.parametrize("kind", list(KINDS))
async def test_bytes_that_are_no_message_are_the_callers_mistake(kind: str) -> None:
    """A request that cannot be decoded is INVALID_ARGUMENT in every call kind."""
    async with tiny_service(reading_handlers(), deserialize=HealthCheckRequest.FromString) as tiny:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tiny.all_answers(kind, b"\x0a\xff")
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "2 bytes" in str(caught.value.details())


async def limited(**limits: float) -> tuple[grpc.aio.Server, int]:
    """Serve one method that never answers."""
    handlers: dict[str, Any] = {"wait": grpc.unary_unary_rpc_method_handler(_never)}
    generic = grpc.method_handlers_generic_handler(SERVICE, handlers)
    server, port = build_server(
        settings(0, **limits), register=lambda made: made.add_generic_rpc_handlers((generic,))
    )
    await server.start()
    return server, port


async def _never(_request: bytes, _context: object) -> bytes:
    await asyncio.Event().wait()
    return b""


async def end_of(channel: grpc.aio.Channel, seconds: float = 10) -> str:
    call: Any = channel.unary_unary(f"/{SERVICE}/wait")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call(b"", timeout=seconds)
    return f"{refused.value.code().name}: {refused.value.details()}"


async def test_a_server_takes_so_many_calls() -> None:
    """One more ends at once, whatever the others do."""
    server, port = await limited(max_calls=2)
    async with open_channel(f"127.0.0.1:{port}") as channel:
        ends = await asyncio.gather(*(end_of(channel, 0.5) for _ in range(6)))
    await server.stop(grace=None)
    codes = Counter(end.partition(":")[0] for end in ends)
    # grpc looks before it takes a call, so one more than the limit may pass.
    assert codes["RESOURCE_EXHAUSTED"] >= 3
    assert codes["DEADLINE_EXCEEDED"] >= 2


async def test_a_server_takes_so_many_connections() -> None:
    """One more is closed before it can call."""
    server, port = await limited(max_connections=1)
    async with (
        open_channel(f"127.0.0.1:{port}", own_connection=True) as first,
        open_channel(f"127.0.0.1:{port}", own_connection=True) as second,
    ):
        assert (await end_of(first, 0.5)).startswith("DEADLINE_EXCEEDED")
        assert (await end_of(second, 2)).startswith("UNAVAILABLE")
    await server.stop(grace=None)


async def test_a_connection_grows_so_old() -> None:
    """Its calls end after the grace, so that their clients connect anew, perhaps elsewhere."""
    server, port = await limited(max_connection_age=0.2, max_connection_age_grace=0.2)
    async with open_channel(f"127.0.0.1:{port}") as channel:
        assert await end_of(channel) == "UNAVAILABLE: max connection age"
    await server.stop(grace=None)
