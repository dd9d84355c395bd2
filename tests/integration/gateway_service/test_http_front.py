"""What strangers may cost the gateway before any token is looked at."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from gateway_service.bootstrap import Gateway
from tests.support.gateways import gateway_to
from tests.support.open_files import allow_files
from tests.support.require import lacking

NOBODY = "127.0.0.1:9"
BEGUN = b"GET /api/v1/about HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = BEGUN + b"\r\n"
MB = 1_000_000


Connect = Callable[..., Awaitable[tuple[StreamReader, StreamWriter]]]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Return what opens a connection and sends the beginning of it; all are closed afterwards."""
    writers: list[StreamWriter] = []

    async def opened(port: int, sent: bytes = b"") -> tuple[StreamReader, StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(sent)
        return reader, writer

    yield opened
    for writer in writers:
        await hang_up(writer)


async def hang_up(writer: StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def rest(reader: StreamReader) -> bytes:
    """Read until the gateway closes; fails the test where it never does."""
    with suppress(ConnectionError):
        async with asyncio.timeout(15):
            return await reader.read()
    return b""


async def is_answered(port: int) -> bool:
    """Return whether a connection of its own gets an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(WHOLE)
        async with asyncio.timeout(10):
            return b" 200 " in await reader.readline()
    except ConnectionError:
        return False
    finally:
        await hang_up(writer)


@asynccontextmanager
async def gateway(**environ: str) -> AsyncIterator[Gateway]:
    async with gateway_to(NOBODY, **environ) as (running, _):
        yield running


@asynccontextmanager
async def process(**environ: str) -> AsyncIterator[tuple[int, int]]:
    """Run a gateway of its own; yields its port and process id."""
    named = {f"HEARTRULE_GATEWAY_{name.upper()}": value for name, value in environ.items()}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gateway_service", stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "HEARTRULE_GATEWAY_PORT": "0", **named},
    )  # fmt: skip
    try:
        assert child.stdout is not None
        line = await child.stdout.readline()
        yield int(line.rsplit(b":", 1)[1]), child.pid
    finally:
        child.send_signal(signal.SIGTERM)
        await child.wait()


def memory_of(pid: int) -> int:
    """Return the most bytes that the process has held."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    (peak,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1_024


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
async def test_memory_stays_flat_under_a_large_header(connect: Connect) -> None:
    """64 MB of one header are cut off, and leave nothing behind."""
    async with process() as (port, pid):
        assert await is_answered(port)
        before = memory_of(pid)
        _, writer = await connect(port, BEGUN + b"X: ")
        with suppress(ConnectionError):
            for _ in range(1_000):
                writer.write(b"a" * 65_536)
                await writer.drain()
        assert await is_answered(port)
        assert memory_of(pid) - before < 10 * MB


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
async def test_memory_stays_flat_under_a_thousand_slow_connections(connect: Connect) -> None:
    """Others are answered beside them, and each is closed when the time of its header is over."""
    if allow_files(2_048) < 2_048:  # an ordinary user may open 1,024, and ask for more
        lacking("a process may not open 2,048 files here")
    environ = {"header_timeout": "2", "max_connections_per_address": "0"}
    async with process(**environ) as (port, pid):
        assert await is_answered(port)
        before = memory_of(pid)
        slow = [await connect(port, BEGUN) for _ in range(1_000)]
        assert await is_answered(port)
        closed = await asyncio.gather(*(rest(reader) for reader, _ in slow))
        assert set(closed) == {b""}
        assert memory_of(pid) - before < 32 * MB


@pytest.mark.parametrize("sent", [b"", BEGUN, b"G"])
async def test_a_header_has_its_time(connect: Connect, sent: bytes) -> None:
    """From the connection on, whether a byte of it came or none."""
    async with gateway(header_timeout="0.2") as running:
        reader, _ = await connect(running.port, sent)
        assert await rest(reader) == b""


async def test_a_further_request_has_its_time_too(connect: Connect) -> None:
    """A connection that was answered once waits no longer for the rest of a second header."""
    async with gateway(header_timeout="0.2") as running:
        reader, writer = await connect(running.port, WHOLE)
        assert b" 200 " in await reader.readline()
        writer.write(b"GET / HT")
        assert b"HTTP/1.1" not in await rest(reader)


async def test_a_body_has_its_time(connect: Connect) -> None:
    """A byte now and then does not make it longer."""
    begun = b"POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
    async with gateway(body_timeout="0.2") as running:
        reader, writer = await connect(
            running.port, begun + b"Content-Type: application/json\r\n\r\n{"
        )
        closed = asyncio.create_task(rest(reader))
        while not closed.done():
            writer.write(b" ")
            await asyncio.wait({closed}, timeout=0.05)
        assert b" 204 " not in closed.result()


async def test_a_body_behind_another_request_has_its_time(connect: Connect) -> None:
    """Also where its header came while the request before it was being answered."""
    begun = b"POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    async with gateway(body_timeout="0.2") as running:
        reader, _ = await connect(running.port, WHOLE + begun)
        assert (await rest(reader)).count(b"HTTP/1.1") == 1


async def test_an_answer_that_nobody_reads_has_its_time() -> None:
    """Its connection is closed, and another has its place."""
    loop = asyncio.get_running_loop()
    asked = BEGUN.replace(b"/api/v1/about", b"/openapi.json") + b"\r\n"
    async with gateway(answer_timeout="1", max_connections="1") as running:
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            deaf.setblocking(False)
            await loop.sock_connect(deaf, ("127.0.0.1", running.port))
            await loop.sock_sendall(deaf, asked * 100)
            async with asyncio.timeout(15):
                while not await is_answered(running.port):
                    pass


async def test_an_idle_connection_is_closed(connect: Connect) -> None:
    """After its answer, once the time is over."""
    async with gateway(idle_timeout="1") as running:
        reader, _ = await connect(running.port, WHOLE)
        assert b" 200 " in await rest(reader)


async def test_a_stream_is_not_idle(connect: Connect) -> None:
    """A request that is being answered may take longer than its header and body had."""
    async with gateway(header_timeout="0.1", body_timeout="0.1", idle_timeout="1") as running:
        reader, _ = await connect(running.port, WHOLE.replace(b"about", b"sessions"))
        assert b" 503 " in await reader.readline()


@pytest.mark.parametrize("limit", ["max_connections", "max_connections_per_address"])
async def test_there_are_so_many_connections(connect: Connect, limit: str) -> None:
    """One more is closed at once, and has its place when another has left."""
    async with gateway(**{limit: "2"}) as running:
        first, _ = [await connect(running.port, BEGUN) for _ in range(2)]
        reader, _ = await connect(running.port, WHOLE)
        assert await rest(reader) == b""
        await hang_up(first[1])
        while not await is_answered(running.port):
            pass


@pytest.mark.parametrize(
    ("trusted", "refused"),
    [("127.0.0.0/8", False), ("127.0.0.7/24", False), ("10.0.0.1", True)],
)
async def test_a_trusted_proxy_has_many_callers(
    connect: Connect,
    trusted: str,
    refused: bool,  # noqa: FBT001 - a parameter of the case
) -> None:
    """Its connections are not counted as one caller's; any other's are."""
    async with gateway(trusted_proxies=trusted, max_connections_per_address="1") as running:
        await connect(running.port, BEGUN)
        assert await is_answered(running.port) is not refused


@pytest.mark.parametrize("trusted", ["127.0.0.1", "127.0.0.9/8"])
async def test_a_trusted_proxy_names_the_caller(trusted: str) -> None:
    """Wrong tokens of one stop no other's login; what a client writes itself is passed over."""
    async with gateway_to(NOBODY, token="s3cret", trusted_proxies=trusted) as (_, http):

        async def login(token: str, forwarded: str) -> int:
            headers = {"x-forwarded-for": forwarded}
            return (
                await http.post("/api/v1/login", json={"token": token}, headers=headers)
            ).status_code

        wrong = await asyncio.gather(*(login("x", f"{n}.1.1.1, 2.2.2.2") for n in range(10)))
        assert set(wrong) == {401}
        assert await login("s3cret", "9.9.9.9, 2.2.2.2") == 429
        assert await login("s3cret", "2.2.2.2, 3.3.3.3") == 204
