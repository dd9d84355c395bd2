"""Server-sent events are split out of bytes that are cut anywhere."""

from __future__ import annotations

import random

import pytest

from heartrule.model.event_splitter import (
    ERROR_EVENT,
    MAX_EVENT_BYTES,
    EventSplitter,
    EventTooLarge,
)

STREAM = (
    "data: 你好😀\n\nevent: error\ndata: {}\n\n: comment\nid: 1\ndata:a\ndata:  b\n\n\n\n".encode()
)
EVENTS = [
    "你好😀".encode(),
    ERROR_EVENT,
    b"a\n b",
]


def split(data: bytes, sizes: list[int]) -> list[bytes]:
    splitter, events, start = EventSplitter(), [], 0
    for size in sizes:
        events += splitter.feed(data[start : start + size])
        start += size
    return events + splitter.feed(data[start:]) + splitter.finish()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_any_line_end_any_cut(line_end: bytes, size: int) -> None:
    """Lines may end in three ways and bytes may be cut inside a character or a CRLF."""
    data = STREAM.replace(b"\n", line_end)
    assert split(data, [size] * (len(data) // size)) == EVENTS


def test_random_cuts() -> None:
    """So it is at random cuts of mixed line ends."""
    chance = random.Random(4)
    for _ in range(300):
        ends = [b"\n", b"\r\n"]
        data = b"".join(line + chance.choice(ends) for line in STREAM.split(b"\n")[:-1])
        sizes = [chance.randint(1, 9) for _ in range(20)]
        assert split(data, sizes) == EVENTS


def test_events_come_at_once() -> None:
    """An event is returned by the call that brings its empty line."""
    splitter = EventSplitter()
    assert splitter.feed(b"data: a\n") == []
    assert splitter.feed(b"\ndata: b") == [b"a"]


@pytest.mark.parametrize("open_event", [b"", b"data: a\n", b"event: error\n", b"dat"])
@pytest.mark.parametrize(
    "tail", [b"", b"\n", b"data: z", b"data: z\n", b"data: z\r\n\r\n", b"id: 1"]
)
def test_plain_events_are_split_as_any(open_event: bytes, tail: bytes) -> None:
    """Many at once are the events that they are byte by byte, whatever stands around them."""
    data = open_event + b"data: b\n\ndata: \ndata: c\n\n" * 3 + tail
    bytewise, whole = EventSplitter(), EventSplitter()
    single = [event for byte in data for event in bytewise.feed(bytes([byte]))]
    assert whole.feed(open_event) + whole.feed(data[len(open_event) :]) == single
    assert whole.finish() == bytewise.finish()


def test_last_event_without_its_empty_line() -> None:
    """A server that forgets the last empty line is understood."""
    splitter = EventSplitter()
    assert splitter.feed(b"data: [DONE]") == []
    assert splitter.finish() == [b"[DONE]"]


@pytest.mark.parametrize("chunk", [b"x" * 65536, b"data: x\n" * 8192])
def test_size_is_bounded(chunk: bytes) -> None:
    """An event without end is refused, as one line and as many."""
    splitter = EventSplitter()
    for _ in range(MAX_EVENT_BYTES // len(chunk)):
        splitter.feed(chunk)
    with pytest.raises(EventTooLarge):
        splitter.feed(chunk)


def test_size_is_that_of_one_event() -> None:
    """A long stream of short events is no large event."""
    splitter = EventSplitter()
    short = b"data: " + b"x" * 1000 + b"\n\n"
    counts = [len(splitter.feed(short * 1000)) for _ in range(12)]
    assert sum(counts) == 12_000
