"""Which advice is injected, and whether a round did what its advice said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.monitoring.advice_rules import (
    ASKS_FOR_KNOWN,
    NOT_NEEDED,
    asking_part,
    obeyed,
    why_not_injected,
)
from heartrule.domain.monitoring import (
    DECLINED,
    Advice,
    AnalysisOutcome,
    MonitorAnalysis,
    Severity,
    StrategySuggestion,
)
from tests.support.fake_monitor import advises
from tests.support.store_builders import given, judged
from tests.unit.executor_service.monitoring.test_dispatcher import WORK, ended

WORDS = "先说一句理解的话"


def analysis(text: str = WORDS, **changes: Any) -> MonitorAnalysis:
    """Return an analysis with words for the action."""
    return MonitorAnalysis(feedback_for_action=text, **changes)


def test_words_that_their_own_analysis_declines_are_a_record() -> None:
    """`intervention_needed: false` was written, and nothing else asks for urgency."""
    declined = analysis(metadata={DECLINED: True})
    assert why_not_injected(declined, ()) == NOT_NEEDED
    assert not why_not_injected(replace(declined, orchestration_needed=True), ())


def test_words_without_a_verdict_are_injected() -> None:
    """Document 000, path 1: feedback alone makes advice where the key is absent."""
    assert not why_not_injected(analysis(), ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("可以再问一次年龄", ASKS_FOR_KNOWN),
        ("Ask for the 年龄 again", ASKS_FOR_KNOWN),
        ("不要再问年龄了", ""),
        ("年龄已经知道，可以问职业", ""),
        ("先用年龄相近的例子", ""),
        ("可以再问一次职业", ""),
        ("可以问：没有兴趣，有多少天？", ASKS_FOR_KNOWN),
        ("没有兴趣，有多少天？", ASKS_FOR_KNOWN),
        ("听起来没有兴趣。最近睡得怎么样？", ""),
        ("你和年龄相近的人处得怎样？", ""),
    ],
)
def test_advice_that_asks_for_what_is_known_is_dropped(text: str, reason: str) -> None:
    """A clause that names a known output and asks, and denies neither; a form's label as well."""
    known = {"年龄", "没有兴趣"}
    assert why_not_injected(analysis(text, intervention_needed=True), known) == reason


def test_a_question_is_called_by_the_clause_that_says_most() -> None:
    """Digits say nothing; nor does a text without words."""
    assert asking_part("再打一次分，从 0 到 10，做完以后紧张是几？") == "做完以后紧张是几"
    assert asking_part("它有多强，从 0 到 10") == "它有多强"
    assert asking_part("？") == ""


async def test_words_that_are_not_injected_are_recorded_with_their_reason() -> None:
    """The analysis is kept whole, and the request ends as one without advice."""
    known = replace(WORK, gathered=(given("称呼", "小明", quote="叫我小明"),))
    record = await ended(advises("可以再问一次称呼"), work=known)
    assert (record.outcome, record.advice) == (AnalysisOutcome.NO_ADVICE, None)
    assert record.reason == ASKS_FOR_KNOWN
    assert record.analysis == advises("可以再问一次称呼").analysis


@pytest.mark.parametrize(
    ("suggestion", "signals", "completed", "found"),
    [
        (StrategySuggestion.REPHRASE, (), False, True),
        (StrategySuggestion.REPHRASE, ("same_question",), False, False),
        (StrategySuggestion.COMFORT, ("feeling_passed_over",), False, False),
        (StrategySuggestion.COMFORT, (), False, None),
        (StrategySuggestion.ACCEPT_PARTIAL, (), True, True),
        (StrategySuggestion.SKIP, ("same_question",), False, False),
        (StrategySuggestion.SKIP, (), False, None),
        (None, ("echo",), False, None),
    ],
)
def test_signals_tell_whether_advice_was_obeyed(
    suggestion: StrategySuggestion | None,
    signals: tuple[str, ...],
    *,
    completed: bool,
    found: bool | None,
) -> None:
    """Only where they can: comfort without a strong feeling shows in no signal."""
    advice = Advice(
        advice_id="adv_1",
        session_id="ses_1",
        action_id="ask",
        action_instance_id="act_1",
        about_round=1,
        analysis=analysis(strategy_suggestion=suggestion),
        feedback_text=WORDS,
        severity=Severity.CONCERN,
    )
    facts = {"signals": dict.fromkeys(signals, 1)} if signals else {}
    result = replace(judged(2), completed=completed, metadata=facts)
    assert obeyed(advice, result) is found
