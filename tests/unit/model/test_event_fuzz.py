"""Whatever bytes a model's server streams, reading its events gives text or a known error."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heartrule.model.chat_events import read_events
from heartrule.model.event_splitter import EventSplitter, EventTooLarge

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
