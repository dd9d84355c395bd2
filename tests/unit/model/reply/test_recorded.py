"""The forty recorded replies are parsed, repaired or degraded as their notes say."""

from __future__ import annotations

import random

import pytest

from heartrule.model.reply.contract import ASK_METRICS, talk_contract
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.prose import is_prose
from heartrule.model.reply.scanner import ContentScanner
from tests.support.recorded_replies import RecordedReply, recorded_replies

CONTRACT = talk_contract(metrics=ASK_METRICS)
REPLIES = recorded_replies()
READABLE = [reply for reply in REPLIES if reply.readable]
PROSE = [reply for reply in REPLIES if not reply.readable]


def streamed(raw: str, sizes: list[int]) -> str:
    scanner, shown, start = ContentScanner(CONTRACT), "", 0
    for size in sizes:
        shown += scanner.feed(raw[start : start + size])
        start += size
    return shown + scanner.feed(raw[start:])


def test_all_are_there() -> None:
    """Forty replies, eight of them prose."""
    assert (len(REPLIES), len(PROSE)) == (40, 8)


@pytest.mark.parametrize("reply", READABLE, ids=lambda r: r.id)
def test_readable(reply: RecordedReply) -> None:
    """Strategy and repairs are those of the note; the parse does not count as an error."""
    diagnosis = parse_object(reply.raw, contract=CONTRACT).diagnosis
    direct = reply.strategy == "direct"
    assert diagnosis.strategy == ("direct_parse" if direct else "extract_json_block")
    assert diagnosis.retry_count == (1 if direct else 3)
    assert diagnosis.repairs == reply.repairs
    assert diagnosis.parse_error is None


@pytest.mark.parametrize("reply", PROSE, ids=lambda r: r.id)
def test_prose(reply: RecordedReply) -> None:
    """Plain words are unreadable after three strategies, and may be said as they are."""
    parsed = parse_object(reply.raw, contract=CONTRACT)
    assert parsed.value is None
    assert parsed.diagnosis.parse_error is not None
    assert parsed.diagnosis.parse_error.retry_count == 3
    assert is_prose(reply.raw)


@pytest.mark.parametrize("size", [1, 2, 4, 9, 100_000])
def test_streamed_equals_parsed(size: int) -> None:
    """At every chunk size the streamed text is the parsed content; of prose nothing streams."""
    values = {reply.id: parse_object(reply.raw, contract=CONTRACT).value for reply in REPLIES}
    assert {
        reply.id: streamed(reply.raw, [size] * (len(reply.raw) // size + 1)) for reply in REPLIES
    } == {name: value["content"] if value else "" for name, value in values.items()}


def test_random_chunkings_of_recorded() -> None:
    """So it is at random chunkings."""
    chance = random.Random(20261121)
    for reply in READABLE * 20:
        value = parse_object(reply.raw, contract=CONTRACT).value
        sizes = [chance.randint(1, 13) for _ in range(len(reply.raw))]
        assert value is not None
        assert streamed(reply.raw, sizes) == value["content"], reply.id
