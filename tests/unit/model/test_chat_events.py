"""The events of a completion are split out of bytes and read, also when its server is careless."""

from __future__ import annotations

import json
import random
import tracemalloc

import pytest

from heartrule.model.chat_events import ChatChunk, MalformedChunk, read_chunk, read_events
from heartrule.model.event_splitter import (
    ERROR_EVENT,
    MAX_EVENT_BYTES,
    EventSplitter,
    EventTooLarge,
)
from heartrule.model.piece_filters import SurrogateJoiner

PLAIN_OR_NOT = (
    '{"choices":[{"delta":{"content":"你"}}]}',
    '{"choices":[{"delta":{"content":""},"finish_reason":""}],"usage":{}}',
    '{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}',
    '{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":3}}',
    '{"choices":[{"delta":{"content":"a"}}],"error":{"message":"late"}}',
    '{"choices":[{"delta":{"content":null}}]}',
    '{"choices":[{"delta":{"content":7}}]}',
    '{"choices":[{"message":{"content":"全"}}]}',
    '{"choices":{"0":{"delta":{"content":"a"}}}}',
    '{"choices":["abc"]}',
    '{"choices":[{"delta":{"content":"\\ud83d"}}]}',
    "{}",
)
STREAM = (
    "data: 你好😀\n\nevent: error\ndata: {}\n\n: comment\nid: 1\ndata:a\ndata:  b\n\n\n\n".encode()
)
EVENTS = [
    "你好😀".encode(),
    ERROR_EVENT,
    b"a\n b",
]


def told(*data: str) -> list[bytes]:
    return [each.encode() for each in data]


@pytest.mark.parametrize(
    ("data", "chunk"),
    [
        ('{"choices":[{"delta":{"content":"你"}}]}', ChatChunk(text="你")),
        (
            '{"choices":[{"delta":{"content":null},"finish_reason":"stop"}]}',
            ChatChunk(finish_reason="stop"),
        ),
        (
            '{"choices":[{"message":{"content":"全"},"finish_reason":"stop"}]}',
            ChatChunk(text="全", finish_reason="stop"),
        ),
        (
            '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}',
            ChatChunk(prompt_tokens=3, completion_tokens=2),
        ),
        (
            '{"choices":[{"delta":{"content":"","reasoning_content":"想想"}}]}',
            ChatChunk(reasoning_chars=2),
        ),
        ('{"choices":[{"delta":{"reasoning":"想"}}]}', ChatChunk(reasoning_chars=1)),
        ('{"choices":[{"delta":{"reasoning":{"a":1}}}]}', ChatChunk()),
        (
            '{"usage":{"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}}',
            ChatChunk(completion_tokens=9, reasoning_tokens=7),
        ),
        ('{"error":{"message":"overloaded"}}', ChatChunk(error="overloaded")),
        ('{"error":"bad"}', ChatChunk(error="bad")),
        ('{"error":{"code":1}}', ChatChunk(error="error")),
        ("{}", ChatChunk()),
        ('{"choices":"x","usage":[1]}', ChatChunk()),
        ('{"choices":[{"delta":"x","finish_reason":1}]}', ChatChunk()),
        ('{"choices":[{"delta":{"content":"\\ud83d"}}]}', ChatChunk(text="\ud83d")),
    ],
)
def test_read(data: str, chunk: ChatChunk) -> None:
    """Known fields are read, anything of the wrong type counts as absent."""
    assert read_chunk(data.encode()) == chunk


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b"<html>", b"[" * 5000])
def test_malformed(data: bytes) -> None:
    """What is no JSON object is refused."""
    with pytest.raises(MalformedChunk):
        read_chunk(data)


@pytest.mark.parametrize(
    ("deltas", "joined"),
    [
        (["a", "\ud83d", "\ude00b"], ["a", "", "😀b"]),
        (["\ud83d\ude00"], ["😀"]),
        (["\ud83d", "x"], ["", "\ufffdx"]),
        (["\ude00"], ["\ufffd"]),
        (["你", "好"], ["你", "好"]),
    ],
)
def test_halves_of_a_character(deltas: list[str], joined: list[str]) -> None:
    """A character sent as two halves is joined; a lone half becomes U+FFFD."""
    joiner = SurrogateJoiner()
    assert [joiner.join(delta) for delta in deltas] == joined


def test_events_of_one_read_are_one() -> None:
    """All text, in order, and of the rest what was said last: an empty field says nothing."""
    chunk = read_events(
        told(
            '{"choices":[{"delta":{"content":"你"},"finish_reason":null}],"usage":null}',
            '{"choices":[{"delta":{"content":"好"},"finish_reason":"stop"}]}',
            '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}',
        )
    )
    assert chunk == ChatChunk(
        text="你好", finish_reason="stop", prompt_tokens=3, completion_tokens=2
    )


@pytest.mark.parametrize("data", PLAIN_OR_NOT)
def test_every_event_is_read_as_alone(data: str) -> None:
    """Reading many at once finds in each what reading it alone finds."""
    assert read_events(told(data)) == read_chunk(data.encode())


ODD_TEXTS = [
    "",
    '"',
    "\\",
    "\x01",
    "\n",
    "👋🏽",
    '","finish_reason":null}]}',
    '"},"finish_reason":"stop"}]}',
]


@pytest.mark.parametrize("odd", ODD_TEXTS)
@pytest.mark.parametrize("at", [0, 5, 9])
def test_many_alike_are_read_as_each_alone(odd: str, at: int) -> None:
    """Events that differ in their text alone, a long run of them, give every text as it is."""
    texts = ["你", "a", "{", "。", odd, "b", "c", "d", "e", "f"]
    texts.insert(at, texts.pop(4))
    events = [
        json.dumps({"id": "x", "choices": [{"delta": {"content": t}, "finish_reason": None}]})
        for t in texts
    ]
    chunk = read_events(told(*(each.replace('": ', '":') for each in events), "[DONE]"))
    assert chunk == ChatChunk(text="".join(texts), last=True)


@pytest.mark.parametrize("wrong", ['"', "\\", '\\"', '","role":"', "\\ud83d", "\t", "\\u0001"])
@pytest.mark.parametrize("at", [0, 5, 11])
def test_a_text_that_is_no_json_is_found_among_many(wrong: str, at: int) -> None:
    """What would end the text, or run into the next event, is what it is when read alone."""
    raw = ["a"] * 12
    raw[at] = wrong
    events = [f'{{"choices":[{{"delta":{{"content":"{text}"}}}}]}}' for text in raw]
    alone = [read_events(told(each)) for each in events]
    until = next((n for n, each in enumerate(alone, start=1) if each.error), len(alone))
    chunk = read_events(told(*events))
    assert chunk.text == "".join(each.text for each in alone[:until])
    assert chunk.error == alone[until - 1].error


def test_done_ends_the_reading() -> None:
    """What follows [DONE] is not looked at."""
    chunk = read_events(told('{"choices":[{"delta":{"content":"你"}}]}', "[DONE]", "?"))
    assert chunk == ChatChunk(text="你", last=True)


@pytest.mark.parametrize("wrong", ["?", "[]", '{"error":"bad","choices":[]}'])
def test_an_error_stands_beside_what_came_before(wrong: str) -> None:
    """The text before the first error is kept, nothing behind it is."""
    said = '{"choices":[{"delta":{"content":"你"}}]}'
    chunk = read_events(told(said, wrong, said))
    assert (chunk.text, bool(chunk.error)) == ("你", True)


def test_a_huge_event_is_no_sample() -> None:
    """Looking for its text took eight seconds and a gigabyte for seven megabytes of it."""
    said = "a" * 100_000
    events = [b'{"choices":[{"index":0,"delta":{"content":"%b"}}]}' % said.encode()] * 9
    tracemalloc.start()
    assert read_events(events).text == said * 9
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(said) * 9


@pytest.mark.parametrize("count", ["99999999999999999999", "18446744073709551615", "-1", "1e3"])
def test_a_count_that_fits_no_column_counts_nothing(count: str) -> None:
    """A store that refused such a number failed the whole turn."""
    chunk = read_chunk(f'{{"choices":[],"usage":{{"prompt_tokens":{count}}}}}'.encode())
    assert chunk.prompt_tokens == 0


def test_a_finish_reason_is_a_word() -> None:
    """It stands in errors and in the ledger: a megabyte of it would go with them."""
    event = b'{"choices":[{"finish_reason":"%b"}]}' % (b"x" * 100_000)
    assert len(read_chunk(event).finish_reason) == 64


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
