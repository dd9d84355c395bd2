"""HTTP servers that say what a test wants, byte by byte, on this machine's loopback networks."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from aiohttp.abc import AbstractResolver, ResolveResult

OPEN_HOST = "127.0.0.2"
"""A loopback address that tests open by the policy; `CLOSED_HOST` stays closed."""
OTHER_HOST = "127.0.0.3"
CLOSED_HOST = "127.0.0.1"
OK = b"HTTP/1.1 200 OK\r\n"
_PAUSE_S = 0.05
Answer: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class Listener:
    """A server, and what came."""

    host: str
    port: int = 0
    connections: int = 0
    requests: list[bytes] = field(default_factory=list)
    """Each with its headers and as much of its body as they say."""

    def url(self, path: str = "/", host: str = "") -> str:
        return f"http://{host or self.host}:{self.port}{path}"


@asynccontextmanager
async def listening(*answers: bytes | Answer, host: str = OPEN_HOST) -> AsyncIterator[Listener]:
    """Answer requests in order, the last answer again and again; each connection takes one."""
    left = list(answers)
    listener = Listener(host)
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.connections += 1
        if task := asyncio.current_task():
            serving.add(task)
            task.add_done_callback(serving.discard)
        with suppress(OSError, asyncio.IncompleteReadError), closing(writer):
            listener.requests.append(await _request(reader))
            answer = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            else:
                await answer(writer)

    server = await asyncio.start_server(serve, host, 0)
    listener.port = server.sockets[0].getsockname()[1]
    try:
        yield listener
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    body = await reader.readexactly(int(lengths[0].split(b":")[1])) if lengths else b""
    return head + body


def answered(
    body: bytes = b"", *, status: str = "200 OK", headers: Mapping[str, str] | None = None
) -> bytes:
    """Return a whole answer."""
    given = {"Content-Length": str(len(body)), **(headers or {})}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {text}" for name, text in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(location: str, status: int = 302) -> bytes:
    return answered(status=f"{status} Moved", headers={"Location": location})


def bomb(size: int = 200_000_000) -> bytes:
    """Return an answer of some hundred kilobytes that holds so many."""
    headers = {"Content-Encoding": "gzip", "Content-Type": "text/plain"}
    return answered(gzip.compress(bytes(size), 1), headers=headers)


async def slowly(writer: asyncio.StreamWriter) -> None:
    """Send a byte now and then, for ever."""
    writer.write(OK + b"Content-Length: 1000000\r\n\r\n")
    await _repeated(writer, b"x", _PAUSE_S)


async def slow_head(writer: asyncio.StreamWriter) -> None:
    """Send a byte of the first header now and then."""
    writer.write(OK + b"X-A: ")
    await _repeated(writer, b"x", _PAUSE_S)


async def endless_body(writer: asyncio.StreamWriter) -> None:
    """Send a body without an end, as fast as it is read."""
    writer.write(OK + b"Content-Type: text/plain\r\n\r\n")
    await _repeated(writer, b"x" * 65_536)


async def endless_headers(writer: asyncio.StreamWriter) -> None:
    """Send headers without an end."""
    writer.write(OK)
    await _repeated(writer, b"X-A: b\r\n" * 1_000)


async def endless_header(writer: asyncio.StreamWriter) -> None:
    """Send one header without an end."""
    writer.write(OK + b"X-A: ")
    await _repeated(writer, b"x" * 65_536)


async def endless_beginnings(writer: asyncio.StreamWriter) -> None:
    """Say again and again that the answer is coming."""
    await _repeated(writer, b"HTTP/1.1 100 Continue\r\n\r\n" * 10, _PAUSE_S)


async def silent(_: asyncio.StreamWriter) -> None:
    """Say nothing, for ever."""
    await asyncio.Event().wait()


async def half_an_answer(writer: asyncio.StreamWriter) -> None:
    """Promise more than is sent."""
    writer.write(OK + b"Content-Length: 100\r\n\r\nhalf")
    await writer.drain()


async def _repeated(writer: asyncio.StreamWriter, data: bytes, pause_s: float = 0.0) -> None:
    never = asyncio.Event()
    while not writer.is_closing():
        writer.write(data)
        await writer.drain()
        with suppress(TimeoutError):
            await asyncio.wait_for(never.wait(), pause_s)


class Names(AbstractResolver):
    """Knows some names; each look-up of one takes the next of its answers, the last for ever."""

    def __init__(self, **known: Sequence[str]) -> None:
        """`a_example="…"` is the name a.example."""
        self._known = {name.replace("_", "."): list(each) for name, each in known.items()}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        left = self._known.get(host)
        if left is None:
            raise OSError("no such name")
        address = left.pop(0) if len(left) > 1 else left[0]
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [
            ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)
        ]

    async def close(self) -> None:
        """Do nothing."""
