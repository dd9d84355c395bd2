"""Whatever bytes a model's server sends, and however they are cut: a body, or `NotHttp`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from heartrule.model.chat_chunk import read_events
from heartrule.model.http_wire import AnswerReader, NotHttp
from heartrule.model.sse import EventSplitter, EventTooLarge

PIECES = st.sampled_from([
    b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.0 200\r\n",
    b"HTTP/1.1 999 \r\n",
    b"content-length: 5\r\n", b"content-length: 5, 5\r\n", b"content-length: 0x5\r\n",
    b"transfer-encoding: chunked\r\n", b"transfer-encoding: chunked, chunked\r\n", b"x: y\r\n",
    b"connection: close\r\n", b" folded: x\r\n", b":\r\n", b"\r\n", b"\n", b"\r", b"hello",
    b"5\r\nhello\r\n", b"5;a=b\r\n", b"0\r\n", b"0\r\n\r\n", b"-1\r\n",
    b"ffffffffffffff\r\n", b"\x00",
    b'data: {"choices":[{"index":0,"delta":{"content":"\xe4\xbd\xa0"}}]}\n\n', b"data: [DONE]\n\n",
])  # fmt: skip
ANSWERS = st.lists(PIECES | st.binary(max_size=12), max_size=24).map(b"".join)
HEADS = st.sampled_from([
    b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"",
])  # fmt: skip


def outcome(parts: Sequence[bytes]) -> tuple[bytes, str]:
    """Read an answer in parts, as a connection does; return its body, and how it stands then."""
    reader, said = AnswerReader(), b""
    try:
        for part in parts:
            said += reader.feed(part)
    except NotHttp:
        return (said, "surplus") if reader.ended else (b"", "NotHttp")
    return said, "ended" if reader.ended else "open"


def same(whole: tuple[bytes, str], cut: tuple[bytes, str]) -> bool:
    """Compare; what follows an end is noticed with it or after it, and changes no answer."""
    surplus = {"surplus", "ended"}
    return whole == cut or (whole[1] in surplus and cut[1] in surplus)


@given(HEADS, ANSWERS, st.lists(st.integers(0, 400), max_size=6))
def test_an_answer_is_the_same_however_it_is_cut(
    head: bytes, text: bytes, cuts: Sequence[int]
) -> None:
    """Only `NotHttp` leaves; what is accepted whole is accepted in parts, with the same body."""
    data = head + text
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    parts = [data[a:b] for a, b in pairwise(places)]
    assert same(outcome([data]), outcome(parts))


@given(HEADS.filter(bool), ANSWERS)
def test_every_byte_may_come_alone(head: bytes, text: bytes) -> None:
    """One byte at a time gives what the whole gave."""
    data = head + text
    assert same(outcome([data]), outcome([data[at : at + 1] for at in range(len(data))]))


EVENTS = st.lists(
    st.sampled_from([
        b"data: ", b"data:", b"event: error\n", b": ping\n", b"\n", b"\r\n", b"\r", b"\n\n",
        b'{"choices":[{"delta":{"content":"a"}}]}', b'{"choices":[{"delta":{"content":7}}]}',
        b'{"choices":[]}', b'{"choices":{}}', b'{"error":{"message":1}}',
        b'{"usage":{"prompt_tokens":1e400}}',
        b'{"choices":[{"finish_reason":["stop"]}]}', b"[DONE]", b"[" * 3000, b'"\\ud83d"', b"\xff",
        b'{"usage":{"prompt_tokens":99999999999999999999,"completion_tokens":-1}}', b"null",
    ]) | st.binary(max_size=10),
    max_size=30,
).map(b"".join)  # fmt: skip


@given(EVENTS, st.integers(1, 40))
def test_no_stream_of_events_breaks_its_reader(data: bytes, size: int) -> None:
    """Whatever a server streams is text, an error, or an event too large; counts fit a column."""
    splitter = EventSplitter()
    try:
        for at in range(0, len(data), size):
            chunk = read_events(splitter.feed(data[at : at + size]))
            assert 0 <= chunk.prompt_tokens < 2**31
            assert 0 <= chunk.completion_tokens < 2**31
        read_events(splitter.finish())
    except EventTooLarge:
        assert len(data) > 1024
