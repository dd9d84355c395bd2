"""A TCP line that can be cut and healed, where network namespaces are not allowed."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from enum import StrEnum


class Mode(StrEnum):
    """What the line does with bytes."""

    WHOLE = "whole"
    REFUSED = "refused"
    """Every connection is reset, new ones at once: the host is there, the service is not."""
    SILENT = "silent"
    """Nothing passes and neither end is notified, as when a cable is pulled."""


class Line:
    """Passes connections on to a target."""

    def __init__(self, host: str, port: int) -> None:
        """Name the target; `open` listens."""
        self._target = (host, port)
        self._listening: socket.socket | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._whole = asyncio.Event()
        self._whole.set()
        self.mode = Mode.WHOLE
        self.port = 0

    async def open(self) -> None:
        """Listen on a free port."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.port = self._listening.getsockname()[1]
        # Not `start_server`: asyncio loses a connection that it takes while its server closes.
        asyncio.get_running_loop().add_reader(self._listening, self._accept, self._listening)

    def cut(self, mode: Mode) -> None:
        """Cut every connection in this way, and those to come."""
        self.mode = mode
        self._whole.clear()
        if mode is Mode.REFUSED:
            self._reset()

    def heal(self) -> None:
        """Let new connections pass; those that were silent are reset, as a router would."""
        self._reset()
        self.mode = Mode.WHOLE
        self._whole.set()

    async def aclose(self) -> None:
        """Close everything; no connection is left when this returns."""
        if self._listening is not None:
            asyncio.get_running_loop().remove_reader(self._listening)
            self._listening.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        self._reset()
        await asyncio.sleep(0)  # the loop closes the sockets

    def _reset(self) -> None:
        for writer in tuple(self._writers):
            writer.transport.abort()
        self._writers.clear()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(BlockingIOError, ConnectionError):  # he has left already
            near, _ = listening.accept()
            task = asyncio.create_task(self._connected(near))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
            task.add_done_callback(lambda _: near.close())  # also where it never began

    async def _connected(self, taken: socket.socket) -> None:
        if self.mode is Mode.REFUSED:
            return
        near, back = await asyncio.open_connection(sock=taken)
        self._writers.add(back)
        try:
            await self._whole.wait()
            await self._join(near, back)
        finally:
            back.transport.abort()
            self._writers.discard(back)

    async def _join(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            far, onward = await asyncio.open_connection(*self._target)
        except OSError:
            return
        self._writers.add(onward)
        try:
            await asyncio.gather(self._pass(near, onward), self._pass(far, back))
            for writer in (back, onward):
                with suppress(OSError):
                    await writer.wait_closed()
        finally:
            onward.transport.abort()
            self._writers.discard(onward)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                await self._whole.wait()
                sink.write(data)
                await sink.drain()
        with suppress(OSError):
            sink.close()
