"""Chunks joined are the reply, wherever a reader comes in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_service.turn_text import ReadPosition, TurnText, place_of
from heartrule.v1 import message_pb2, turn_pb2

MESSAGES = (("m1", "你好，小明"), ("m2", ""), ("m3", "再见"))
WHOLE = "你好，小明\n\n再见"


def message(message_id: str, text: str) -> message_pb2.Message:
    parts = [message_pb2.Part(text=text)]
    return message_pb2.Message(message_id=message_id, role="ROLE_ASSISTANT", parts=parts)


def draft(message_id: str, offset: int, text: str) -> turn_pb2.DraftDelta:
    at = turn_pb2.DraftPosition(message_id=message_id, offset=offset)
    return turn_pb2.DraftDelta(at=at, text=text)


def told(follower: TurnText, *, lost: int = 0) -> list[tuple[str, ReadPosition]]:
    """Tell the turn letter by letter, but for the first `lost` drafts, and return the chunks."""
    chunks = []
    drafts = 0
    for sequence, (message_id, text) in enumerate(MESSAGES, start=1):
        for offset, letter in enumerate(text):
            drafts += 1
            if drafts > lost and sequence > follower.place.sequence:
                chunks += follower.draft(draft(message_id, offset, letter))
        chunks += follower.commit(message(message_id, text), sequence)
    return [(chunk.text, chunk.place) for chunk in chunks]


def test_letters_and_blank_lines_make_the_reply() -> None:
    """An empty message has neither words nor a blank line before it."""
    follower = TurnText()
    assert "".join(text for text, _ in told(follower)) == WHOLE == follower.reply()


@given(st.integers(0, 10))
def test_what_drafts_left_out_comes_with_the_message(lost: int) -> None:
    """A watcher that joined late, or another replica's, misses nothing but time."""
    assert "".join(text for text, _ in told(TurnText(), lost=lost)) == WHOLE


@given(st.integers(0, 8), st.integers(0, 10))
def test_a_reader_goes_on_from_the_place_of_any_chunk(heard: int, lost: int) -> None:
    """Nothing is lost and nothing doubled, whatever of the drafts is gone meanwhile."""
    first = told(TurnText())[: heard + 1]
    rest = told(TurnText(first[-1][1]), lost=lost)
    assert "".join(text for text, _ in (*first, *rest)) == WHOLE


def test_a_placeholder_gives_way_to_its_result_in_the_reply() -> None:
    """What was streamed stays streamed; the messages are all there."""
    follower, result = TurnText(), message("m2", "查到了")
    result.replaces_message_id = "m1"
    chunks = [*follower.commit(message("m1", "在查…"), 1), *follower.commit(result, 2)]
    assert "".join(chunk.text for chunk in chunks) == "在查…\n\n查到了"
    assert follower.reply() == "查到了"
    assert [each.message_id for each in follower.messages] == ["m1", "m2"]


def test_a_voided_draft_begins_anew() -> None:
    """The next attempt's message is another one, told from its first letter."""
    follower = TurnText()
    follower.draft(draft("m1", 0, "你好"))
    follower.void(1)
    assert [chunk.text for chunk in follower.draft(draft("m9", 0, "您好"))] == ["您好"]


@pytest.mark.parametrize(
    "place",
    [ReadPosition(), ReadPosition(7), ReadPosition(7, "msg_1", 3), ReadPosition(7, "a:b", 0)],
)
def test_a_place_is_read_back(place: ReadPosition) -> None:
    """A frame's id says all that is needed to go on."""
    assert place_of(str(place)) == place


@pytest.mark.parametrize(
    "text", ["", "x", "7:", "7:m", "7:m:", "7::3", "7:m:x", "-1", "１", "9" * 30]
)
def test_what_is_no_place_is_none(text: str) -> None:
    """Whatever a client sends, it is data."""
    assert place_of(text) is None
