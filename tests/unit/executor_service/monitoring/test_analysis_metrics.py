"""What is counted of the second mind, as docs/operations/monitoring.md says it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.monitoring.analysis_metrics import AnalysisMeter, count_events
from heartrule.domain.events import ActionResultRecorded, AdviceChanged
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from session_store.records import AnalysisRecord
from tests.support.event_builders import durable
from tests.support.meters import counted, counting
from tests.support.store_builders import advice, analysed, judged, ticket

ADVICE, FAILED = AnalysisOutcome.ADVICE, AnalysisOutcome.FAILED


def ended(outcome: AnalysisOutcome, reason: str = "") -> AnalysisRecord:
    """Return how an analysis ended."""
    return analysed(ticket(1), outcome=outcome, reason=reason)


def test_every_state_of_an_advice_is_counted() -> None:
    """Made, used, expired, superseded."""
    told = [AdviceChanged(advice=replace(advice(), state=state)) for state in AdviceState]
    with counting() as reader:
        count_events(replace(durable(1), body=body) for body in told)
    words = {("made",), ("used",), ("expired",), ("superseded",)}
    assert counted(reader, "heartrule.monitor.advice") == dict.fromkeys(words, 1)


def test_advice_that_was_obeyed_is_counted_beside_the_used() -> None:
    """And that which was not; a round of which signals say nothing counts as neither."""
    facts: list[dict[str, JsonValue]] = [{"advice_obeyed": True}, {"advice_obeyed": False}, {}]
    bodies = [ActionResultRecorded(action_result=judged(1, metadata=each)) for each in facts]
    with counting() as reader:
        count_events(replace(durable(1), body=body) for body in bodies)
    words = {("obeyed",), ("not_obeyed",)}
    assert counted(reader, "heartrule.monitor.advice") == dict.fromkeys(words, 1)


def test_a_round_the_cadence_leaves_out_is_counted() -> None:
    """One that asked for an analysis, or had none to ask for, is not."""
    results = [judged(1, metadata={"analysis": "skipped", **why}) for why in
               ({"analysis_reason": "CADENCE"}, {})]  # fmt: skip
    with counting() as reader:
        count_events(
            replace(durable(1), body=ActionResultRecorded(action_result=each)) for each in results
        )
    assert counted(reader, "heartrule.monitor.skips") == {("CADENCE",): 1}


@pytest.mark.parametrize(
    ("outcome", "reason", "instrument"),
    [
        (AnalysisOutcome.SKIPPED, "TOKEN_BUDGET_SPENT", "heartrule.monitor.skips"),
        (AnalysisOutcome.DROPPED, "SESSION_WENT_ON", "heartrule.monitor.drops"),
    ],
)
def test_what_is_skipped_or_dropped_is_counted_by_its_reason(
    outcome: AnalysisOutcome, reason: str, instrument: str
) -> None:
    """Beside the time it took, which has the result."""
    with counting() as reader:
        AnalysisMeter().ended(ended(outcome, reason), seconds=0.1)
    assert counted(reader, instrument) == {(reason,): 1}
    assert counted(reader, "heartrule.monitor.analysis.duration") == {(outcome.value,): 1}


def test_a_reply_nobody_could_read_is_counted() -> None:
    """Other failures are in the durations alone."""
    meter = AnalysisMeter()
    with counting() as reader:
        meter.ended(ended(FAILED, "UNREADABLE_REPLY"), seconds=0.1)
        meter.ended(ended(FAILED, "MONITOR_UNAVAILABLE"), seconds=0.1)
    assert counted(reader, "heartrule.monitor.parse_failures") == {(): 1}


@pytest.mark.parametrize(
    ("outcomes", "silences"),
    [([FAILED] * 2, 0), ([FAILED] * 3, 1), ([FAILED] * 7, 2), ([FAILED, FAILED, ADVICE] * 3, 0)],
)
def test_three_analyses_in_a_row_without_a_verdict_are_a_silence(
    outcomes: list[AnalysisOutcome], silences: int
) -> None:
    """A verdict, with advice or without, ends it."""
    meter = AnalysisMeter()
    with counting() as reader:
        for outcome in outcomes:
            meter.ended(ended(outcome), seconds=0.1)
    assert sum(counted(reader, "heartrule.monitor.silences").values()) == silences


def test_silence_is_counted_for_each_session() -> None:
    """Many sessions with one lost analysis each are no silence, wherever they ended."""
    meter = AnalysisMeter()
    with counting() as reader:
        for number in range(9):
            meter.ended(analysed(ticket(1, f"s{number}"), outcome=FAILED), seconds=0.1)
        assert counted(reader, "heartrule.monitor.silences") == {}
        for _ in range(2):
            meter.ended(analysed(ticket(1, "s4"), outcome=FAILED), seconds=0.1)
    assert counted(reader, "heartrule.monitor.silences") == {(): 1}


def test_of_so_many_sessions_the_silence_is_known() -> None:
    """Where there are more, the one that was heard of the longest ago begins anew."""
    meter = AnalysisMeter(sessions=2)
    with counting() as reader:
        for name in ("s1", "s1", "s2", "s2", "s3", "s1", "s3", "s3"):
            meter.ended(analysed(ticket(1, name), outcome=FAILED), seconds=0.1)
    assert counted(reader, "heartrule.monitor.silences") == {(): 1}
