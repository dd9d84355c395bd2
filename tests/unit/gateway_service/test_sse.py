"""Frames, and the response that sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from starlette.types import Message

from gateway_service.sse import EventStream, frame


class Reader:
    """A client of one response: leaves when it is told to."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.heard: list[bytes] = []
        self.told = asyncio.Event()

    async def receive(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.heard.append(message.get("body", b""))
        if b"data: 1" in self.heard[-1]:
            self.told.set()

    async def read(self, response: EventStream) -> None:
        await response({"type": "http"}, self.receive, self.send)


class Source:
    """Frames without end."""

    def __init__(self) -> None:
        self.closed = False

    async def frames(self) -> AsyncGenerator[bytes]:
        try:
            yield frame(1)
            await asyncio.Event().wait()
        finally:
            self.closed = True


def test_a_frame_is_one_line_of_json() -> None:
    """A line break in a text cannot end a frame, nor begin a field."""
    told = frame({"chunk": "a\nid: 9\r\ndata: x"}, event="chunk", event_id="3")
    assert told == b'id: 3\nevent: chunk\ndata: {"chunk":"a\\nid: 9\\r\\ndata: x"}\n\n'


async def test_a_reader_that_leaves_ends_the_source() -> None:
    """The call behind it is given back."""
    reader, source = Reader(), Source()
    reading = asyncio.create_task(reader.read(EventStream(source.frames())))
    await reader.told.wait()
    reader.left.set()
    await reading
    assert source.closed


async def test_a_process_that_leaves_says_so_last() -> None:
    """Readers come again elsewhere; the source is ended too."""
    reader, source = Reader(), Source()
    leaving = asyncio.get_running_loop().create_future()
    response = EventStream(source.frames(), leaving=leaving)
    reading = asyncio.create_task(reader.read(response))
    await reader.told.wait()
    leaving.set_result(None)
    await reading
    assert source.closed
    assert b"event: goingAway" in reader.heard[-1]


async def test_the_end_of_the_frames_ends_the_answer() -> None:
    """The reader is told when to come again first, and the body is closed."""
    reader = Reader()

    async def two() -> AsyncGenerator[bytes]:
        yield frame(1)
        yield frame(2)

    await reader.read(EventStream(two()))
    assert reader.heard == [b"", b"retry: 1000\n\n", frame(1), frame(2), b""]
