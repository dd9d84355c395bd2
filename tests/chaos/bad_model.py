"""A model's server that misbehaves on demand: raw bytes over TCP, a reply of its own otherwise."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.chaos.fuzz.target import GOOD

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]

_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_SPOKEN = '{"EXIT":"NO","content":"好的。我听'
_PIECE = "一二三四五六七八九十" * 200
_FOREVER_S = 3600.0


def chunk(data: bytes) -> bytes:
    """Return bytes as a chunk of a body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def _event(text: str, **more: object) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, **more}
    return chunk(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


async def good(writer: asyncio.StreamWriter) -> None:
    """Answer as a model should."""
    end = chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"
    await _send(writer, _HEAD + _event(GOOD) + _event("", finish_reason="stop") + end)


def status(code: int, *headers: str) -> Behaviour:
    """Return what answers with a status."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        lines = (f"HTTP/1.1 {code} No", *headers, "content-length: 2", "", "{}")
        await _send(writer, "\r\n".join(lines).encode())

    return answer


async def stall(_: asyncio.StreamWriter) -> None:
    """Never answer."""
    await asyncio.sleep(_FOREVER_S)


async def slow(writer: asyncio.StreamWriter) -> None:
    """Think for two seconds first."""
    await asyncio.sleep(2.0)
    await good(writer)


def raw(data: bytes, *, times: int = 1, pause_s: float = 0.0, then: str = "close") -> Behaviour:
    """Return what writes bytes so often, then closes the connection or stalls."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        for _ in range(times):
            await _send(writer, data)
            if pause_s:
                await asyncio.sleep(pause_s)
        if then == "stall":
            await stall(writer)
        writer.close()

    return answer


async def byte_by_byte(writer: asyncio.StreamWriter) -> None:
    """Send one byte a second."""
    for byte in _HEAD:
        await _send(writer, bytes([byte]))
        await asyncio.sleep(1.0)


def begun(then: Behaviour) -> Behaviour:
    """Return what says a sentence and a half, then does something else."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        await _send(writer, _HEAD + _event(_SPOKEN))
        await asyncio.sleep(0.2)
        await then(writer)

    return answer


async def crawl(writer: asyncio.StreamWriter) -> None:
    """Go on with one letter a second."""
    while True:
        await _send(writer, _event("着"))
        await asyncio.sleep(1.0)


async def ten_megabytes(writer: asyncio.StreamWriter) -> None:
    """Say ten megabytes."""
    await _send(writer, _HEAD + _event('{"EXIT":"NO","content":"'))
    for _ in range(10_000_000 // len(_PIECE.encode())):
        await _send(writer, _event(_PIECE))
    await _send(writer, _event('"}', finish_reason="stop") + chunk(b"data: [DONE]\n\n"))


async def endless(writer: asyncio.StreamWriter) -> None:
    """Never stop speaking."""
    await _send(writer, _HEAD + _event('{"EXIT":"NO","content":"'))
    while True:
        await _send(writer, _event(_PIECE))


async def endless_silence(writer: asyncio.StreamWriter) -> None:
    """Send events that say nothing, without end."""
    await _send(writer, _HEAD)
    while True:
        await _send(writer, _event("") * 50)
        await asyncio.sleep(0.01)


@dataclass(slots=True)
class BadModel:
    """The server; each request takes the next behaviour, or a good one."""

    port: int = 0
    asked: int = 0
    plan: list[Behaviour] = field(default_factory=list)
    always: Behaviour | None = None
    """Instead of a good one."""

    @property
    def base_url(self) -> str:
        """Where requests go."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().rpartition(b"content-length: ")[2].split(b"\r")[0])
                await reader.readexactly(length)
                self.asked += 1
                act = self.plan.pop(0) if self.plan else self.always or good
                leaves = asyncio.ensure_future(reader.read(1))
                acts = asyncio.ensure_future(act(writer))
                await asyncio.wait((leaves, acts), return_when=asyncio.FIRST_COMPLETED)
                if leaves.done() or writer.is_closing():
                    acts.cancel()
                    await asyncio.gather(acts, leaves, return_exceptions=True)
                    break
                leaves.cancel()
                await asyncio.gather(leaves, return_exceptions=True)
        writer.transport.abort()


@asynccontextmanager
async def bad_model() -> AsyncIterator[BadModel]:
    """Serve on a free port for the length of a block."""
    model = BadModel()
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    model.port = server.sockets[0].getsockname()[1]
    try:
        yield model
    finally:
        server.close()
