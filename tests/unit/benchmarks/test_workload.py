"""What is said in the benchmark."""

from __future__ import annotations

import json

import pytest

from benchmarks import workload
from benchmarks.measuring import Plan, block_of

MARK = "0badcafe"


def test_the_tokens_are_the_reply() -> None:
    """Cut into about a hundred tokens, nothing of the reply is lost."""
    pieces = workload.tokens(workload.reply(MARK))
    assert json.loads("".join(pieces))["content"] == workload.spoken(MARK)
    assert 90 <= len(pieces) <= 120


def test_the_first_visible_piece_begins_the_content() -> None:
    """No piece before it holds text that a client may see."""
    pieces = workload.tokens(workload.reply(MARK))
    at = workload.first_visible(pieces)
    assert "".join(pieces[:at]).endswith('"content":"')
    assert workload.spoken(MARK).startswith(pieces[at])


def test_the_latest_mark_is_answered() -> None:
    """A prompt holds the marks of its history too."""
    request = f"{workload.client_text('11111111')} {workload.client_text(MARK)} …".encode()
    assert workload.mark_in(request) == MARK
    assert workload.mark_in(b"{}") == workload.NO_MARK


def answered(mark: str, *, received: float, visible: float) -> dict[str, object]:
    return {"mark": mark, "prompt_bytes": 7, "received": received, "visible": visible}


def test_the_models_own_time_is_taken_off() -> None:
    """Half a second to the first text, of which the model took 0.4: a tenth is ours."""
    turns = [{"mark": MARK, "sent": 1.0, "first": 1.5, "ended": 2.0}]
    report = {"answered": [answered(MARK, received=1.05, visible=1.45)]}
    block = block_of({"seconds": 1.0, "turns": turns}, report, {"server": 0.1})
    assert block.beyond_ms == pytest.approx([100.0])


def test_a_further_model_call_spoils_a_block() -> None:
    """A turn that asked the model twice is not a turn to measure."""
    turns = [{"mark": MARK, "sent": 1.0, "first": 1.5, "ended": 2.0}]
    twice = [answered(MARK, received=1.0, visible=1.1)] * 2
    with pytest.raises(ValueError, match="2 model calls"):
        block_of({"seconds": 1.0, "turns": turns}, {"answered": twice}, {"server": 0.1})


def test_a_plan_cuts_its_turns_into_blocks() -> None:
    """A thousand turns of sixteen sessions in five blocks are twelve a session and block."""
    plan = Plan(sessions=(1, 16), turns=1000, rounds=20, repeats=5)
    assert [turns for _, turns in plan.cells()] == [200, 12, 4, 4]
