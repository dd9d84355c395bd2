"""One trace per turn across client, executor and monitor, read from real OTLP."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.e2e.traces.conftest import CLIENT_WORDS, MODEL_WORDS, PARENTS, SAYINGS, Recorded

# One worker, so that what all these tests look at is made once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("traces")]
WITHOUT_SESSION = {"heartrule.v1.ScriptService/PublishScript"}


@pytest.mark.parametrize("turn", ["m1", "m2"])
def test_a_turn_is_one_trace_across_both_services(recorded: Recorded, turn: str) -> None:
    """The input's own trace holds the turn, its actions and model calls, and its analysis."""
    names = {f"{span.service[10:]}/{span.name}" for span in recorded.trace(turn)}
    assert names == {
        "executor/turn",
        "executor/action",
        "executor/model_call",
        "executor/monitor.analysis",
        "monitor/heartrule.v1.MonitorService/AnalyzeAction",
        "monitor/analysis",
        "monitor/model_call",
    }


def test_every_span_of_a_trace_hangs_together(recorded: Recorded) -> None:
    """From each span the parents lead to the one the client sent."""
    spans = {span.span_id: span.parent_id for turn in PARENTS for span in recorded.trace(turn)}
    sent = {parent.split("-")[2] for parent in PARENTS.values()}
    assert set(spans.values()) - spans.keys() <= sent
    assert recorded.one("m1", "turn").parent_id == PARENTS["m1"].split("-")[2]


def test_the_opening_turn_is_in_the_trace_of_its_call(recorded: Recorded) -> None:
    """No input began it, so its parent is the stream's."""
    (stream,) = [span for span in recorded.spans if span.name.endswith("/Converse")]
    (turn,) = [span for span in recorded.spans if span.parent_id == stream.span_id]
    assert (turn.name, turn.trace_id) == ("turn", stream.trace_id)


def test_every_span_bears_the_conversation(recorded: Recorded) -> None:
    """Whoever looks for one session finds all of it by gen_ai.conversation.id."""
    spans = [span for span in recorded.spans if span.name not in WITHOUT_SESSION]
    told = {span.attributes.get("gen_ai.conversation.id") for span in spans}
    assert told == {recorded.session_id}


def test_the_action_that_uses_an_advice_links_to_its_analysis(recorded: Recorded) -> None:
    """The link leads into the trace of the turn before, to the monitor's own span."""
    action = recorded.one("m2", "action")
    made_by = recorded.one("m1", "analysis", "monitor")
    assert action.linked("advice") == [made_by.place]
    assert recorded.one("m1", "action").linked("advice") == []


@pytest.mark.parametrize("turn", ["m1", "m2"])
def test_an_analysis_links_to_the_turn_it_judged(recorded: Recorded, turn: str) -> None:
    """The monitor's span names the span of the judged turn."""
    judged = recorded.one(turn, "turn").place
    assert recorded.one(turn, "analysis", "monitor").linked("judged_turn") == [judged]


def test_a_merged_input_is_a_link(recorded: Recorded) -> None:
    """Of two inputs in one turn the first is the parent and the second is linked."""
    _, trace_id, span_id, _ = PARENTS["m4"].split("-")
    assert recorded.one("m3", "turn").linked("merged_input") == [(trace_id, span_id)]
    assert recorded.trace("m4") == []


def test_a_turn_has_at_most_ten_spans_in_a_service(recorded: Recorded) -> None:
    """However many actions run; what was left out is counted."""
    counted = Counter((span.trace_id, span.service) for span in recorded.spans)
    assert max(counted.values()) <= 10
    everything = 2 * (1 + SAYINGS)  # an action and its model call each
    kept = [s for s in recorded.trace("m3") if s.name in {"action", "model_call"}]
    told = [s for s in kept if s.service == "heartrule-executor"]
    left_out = recorded.one("m3", "turn").attributes["heartrule.spans_left_out"]
    assert left_out == everything - len(told)


def test_a_model_call_tells_who_answered_and_what_it_cost(recorded: Recorded) -> None:
    """By the standard's names; an attempt that failed is counted, its text withheld."""
    told = recorded.one("m1", "model_call").attributes
    assert {key: value for key, value in told.items() if key.startswith("gen_ai.")} == {
        "gen_ai.conversation.id": recorded.session_id,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "talker",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 7,
    }
    assert (told["heartrule.attempts"], told["heartrule.purpose"]) == (2, "talk")


def test_a_turn_tells_how_it_ended(recorded: Recorded) -> None:
    """Outcome and degradations are data in the span, too (rule 7)."""
    told = recorded.one("m3", "turn").attributes
    assert told["heartrule.outcome"] == "session_completed"
    unreadable = ("parse/UNREADABLE_REPLY",) * SAYINGS
    assert told["heartrule.degradations"] == ("variables/UNSUPPORTED_VALUE", *unreadable)


@pytest.mark.parametrize("words", [CLIENT_WORDS, MODEL_WORDS])
def test_nobodys_words_are_exported_or_logged(recorded: Recorded, words: str) -> None:
    """No attribute, status or event holds what a client or model said, and no log does."""
    assert recorded.session_id.encode() in recorded.raw
    assert recorded.session_id in recorded.logs
    assert words.encode() not in recorded.raw
    assert words not in recorded.logs
