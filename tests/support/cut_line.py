"""A line to a server that can be cut at a chosen word: what the client then cannot know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum


class Cut(Enum):
    """When the line is cut, seen from the server."""

    BEFORE = "before"
    """The server never hears the word."""
    AFTER = "after"
    """The server has done what it was told; the client never hears it."""


class CutLine:
    """Passes bytes on until `arm` was called and the word goes by; later lines are whole."""

    def __init__(self, socket: str) -> None:
        """Take the path of the server's socket."""
        self._socket = socket
        self._armed: tuple[bytes, Cut] | None = None
        self.port = 0
        self.cuts = 0
        self.lines: set[asyncio.Task[None]] = set()

    def arm(self, word: bytes, cut: Cut) -> None:
        """Cut the first line on which the client says the word."""
        self._armed = (word, cut)

    def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Join a client with the server until either goes or the line is cut."""
        self.lines.add(asyncio.create_task(self._join(reader, writer)))

    async def _join(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_unix_connection(self._socket)
        answers = asyncio.create_task(pass_on(server, to_client))
        try:
            while data := await client.read(65536):
                cut = self._cut_at(data)
                if cut is not None:
                    answers.cancel()
                    await asyncio.wait([answers])
                if cut is not Cut.BEFORE:
                    to_server.write(data)
                if cut is Cut.AFTER:
                    rest = asyncio.create_task(pass_on(client, to_server))
                    await server.read(65536)
                    rest.cancel()
                if cut is not None:
                    break
        finally:
            answers.cancel()
            for writer in (to_client, to_server):
                await close(writer)

    def _cut_at(self, data: bytes) -> Cut | None:
        if self._armed is None or self._armed[0] not in data:
            return None
        self.cuts += 1
        cut, self._armed = self._armed[1], None
        return cut


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what one end sends."""
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


async def close(writer: asyncio.StreamWriter) -> None:
    """Close one end, gone or not."""
    writer.close()
    try:
        await writer.wait_closed()
    except OSError:
        pass


@asynccontextmanager
async def cut_line(socket: str) -> AsyncIterator[CutLine]:
    """Give a line that listens on a free port."""
    line = CutLine(socket)
    server = await asyncio.start_server(line.connect, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        server.close()
        await asyncio.gather(*line.lines, return_exceptions=True)
