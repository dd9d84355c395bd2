"""Events in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain import events as body
from heartrule.domain.conversation import Completeness, Role
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.skipping import KnownAnswer, StepSkipped
from heartrule.domain.variables import ValueSupport, VariableOperationKind
from heartrule_cli.narration.debug_narration import debug_lines
from heartrule_cli.narration.session_texts import (
    incompleteness,
    position_text,
    problem_text,
    spoken_text,
    value_text,
)
from tests.support.wire_samples import ADVICE, ASKED, BODIES, BUSY, OPERATION, POSITION, RESULT


def test_a_position_is_a_path_and_a_round() -> None:
    """Phase, topic, action, and how far the action has come."""
    assert position_text(POSITION) == "rapport › names › ask_name · round 1 of 3"


def test_past_its_rounds_an_action_has_no_bound() -> None:
    """Where a script's exit_policy leaves max_rounds out, `round 4 of 2` would puzzle."""
    assert position_text(replace(POSITION, current_round=9)).endswith("ask_name · round 9")


def test_an_action_that_has_not_opened_has_no_round() -> None:
    """Round 0 is not told; before the first action nothing is."""
    assert position_text(replace(POSITION, current_round=0)) == "rapport › names › ask_name"
    assert position_text(ExecutionPosition()) == ""


def test_a_judged_round_is_told_whole() -> None:
    """Metrics in the model's words, then who ended the action and why."""
    lines = debug_lines(body.ActionResultRecorded(action_result=RESULT))
    assert lines == (
        "ask_name (ai_ask) round 1, suggests completed",
        "  information_completeness: 完整",
        "  user_engagement: 主动",
        "  exit: ends by exit_flag (exit_criteria_met): 姓名已知",
    )


def test_an_opening_that_went_well_is_not_told() -> None:
    """It judged nothing, so there is nothing to say."""
    opening = replace(RESULT, metrics=None, exit_decision=None, exit_reason=None)
    assert debug_lines(body.ActionResultRecorded(action_result=opening)) == ()


def test_a_reply_that_needed_help_is_told() -> None:
    """Further facts of a round are shown as they are."""
    helped = replace(RESULT, metadata={"parseRetryCount": 3, "analysis": "requested"})
    lines = debug_lines(body.ActionResultRecorded(action_result=helped))
    assert lines[-1] == '  facts: {"parseRetryCount": 3}'


def test_a_variable_is_told_with_its_scope() -> None:
    """What was done, to what, with which value, where."""
    lines = debug_lines(body.VariableChanged(variable_operation=OPERATION))
    assert lines == ('extract 姓名 = "小明" (topic names)',)


def test_a_value_is_told_with_what_it_rests_on() -> None:
    """And with the client's words for it; a masked quote stays masked."""
    said = replace(OPERATION, support=ValueSupport.CLIENT_WORDS, quote="叫我小明")
    guessed = replace(OPERATION, support=ValueSupport.UNQUOTED, quote="")
    told = [
        line
        for each in (said, guessed, replace(said, quote="•••"))
        for line in debug_lines(body.VariableChanged(variable_operation=each))
    ]
    assert told == [
        'extract 姓名 = "小明" (topic names) · supported by “叫我小明”',
        'extract 姓名 = "小明" (topic names) · unquoted',
        'extract 姓名 = "小明" (topic names) · supported by “•••”',
    ]


def test_values_heard_ahead_and_those_not_stored_are_told() -> None:
    """By their names; a value that nobody said stands with its quote, or masked as a whole."""
    told = replace(
        RESULT,
        metadata={
            "gathered_ahead": ["职业", "爱好"],
            "unsupported": {"岁数": {"value": 30, "quote": "三十"}, "电话": "•••"},
        },
    )
    lines = debug_lines(body.ActionResultRecorded(action_result=told))
    assert lines[-3:] == (
        "  gathered ahead: 职业, 爱好",
        "  unsupported: 岁数 = 30 by “三十”",
        '  unsupported: 电话 = "•••"',
    )


def test_a_question_that_was_answered_before_is_told_with_its_answers() -> None:
    """It has no condition; the values and the client's words stand in its place."""
    answers = (KnownAnswer(variable="岁数", value=30, quote="三十岁"),)
    skipped = StepSkipped(
        phase_id="p", topic_id="t", action_id="ask_age", reason="KNOWN_CONFIRMED", answers=answers
    )
    assert debug_lines(skipped) == (
        "skipped p › t › ask_age: 岁数 = 30 by “三十岁” (KNOWN_CONFIRMED)",
    )


def test_a_deletion_has_no_value() -> None:
    """Nothing was written; `= null` would look as if."""
    gone = replace(OPERATION, operation=VariableOperationKind.DELETE, value=None)
    assert debug_lines(body.VariableChanged(variable_operation=gone)) == (
        "delete 姓名 (topic names)",
    )


def test_the_words_of_an_advice_are_told_once() -> None:
    """When it is made; later only what became of it."""
    made = debug_lines(body.AdviceChanged(advice=ADVICE))
    used = debug_lines(body.AdviceChanged(advice=replace(ADVICE, state=AdviceState.CONSUMED)))
    assert made == (
        "advice pending (concern) on ask_name round 1: 【Topic层策略建议】⏎先安抚,再追问",
    )
    assert used == ("advice consumed (concern) on ask_name round 1",)


def test_degradations_are_told_with_the_turns_end() -> None:
    """Nobody mistakes a default for a judgement."""
    (end,) = (said for said in BODIES if isinstance(said, body.TurnEnded))
    assert debug_lines(end) == ("degraded: parse METRICS_DEFAULTED",)


def test_the_debug_trail_names_each_kind_it_promises() -> None:
    """Results, advice, analyses, variables, skips, crisis words and degradations have lines."""
    told = {type(said).__name__ for said in BODIES if debug_lines(said)}
    assert told == {
        "ActionResultRecorded", "AdviceChanged", "AnalysisEnded", "PlanEdited", "SafetyChanged",
        "SafetyRaised", "StepSkipped", "StrategyDecided", "TurnEnded", "VariableChanged",
    }  # fmt: skip


def test_a_recommendation_is_one_line() -> None:
    """Whoever watches sees what the action speaks by; its line breaks are shown."""
    (made,) = (said for said in BODIES if isinstance(said, body.StrategyDecided))
    assert debug_lines(made) == (
        "recommendation for explain_abc round 1: 【沟通策略建议】⏎用日常的例子，语气缓一些",
    )


def test_a_counsellors_words_are_marked() -> None:
    """A client sees when a person speaks."""
    assert spoken_text(replace(ASKED, role=Role.COUNSELLOR)).startswith("[counsellor] ")
    assert spoken_text(ASKED) == ASKED.plain_text()


@pytest.mark.parametrize(
    ("completeness", "words"),
    [
        (Completeness.COMPLETE, ""),
        (Completeness.TRUNCATED, "the model's answer broke off here"),
        (Completeness.INTERRUPTED, "the answer was interrupted here"),
    ],
)
def test_a_message_that_is_not_whole_says_so(completeness: Completeness, words: str) -> None:
    """A reader is never left to wonder about half a sentence."""
    assert incompleteness(replace(ASKED, completeness=completeness)) == words


def test_a_problem_is_told_with_its_stable_reason() -> None:
    """The words are for people, the reason for those who look it up."""
    assert problem_text(BUSY) == "sixteen inputs wait (TOO_MANY_WAITING_INPUTS)"
    assert problem_text(None) == "no reason was given"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("小明\n", '"小明\\n"'),
        (0, "0"),
        (False, "false"),
        (None, "null"),
        (["a", {"b": 1.5}], '["a", {"b": 1.5}]'),
        ("\x1b[2J", '"\\u001b[2J"'),
    ],
)
def test_a_value_is_told_as_json_on_one_line(value: object, text: str) -> None:
    """Text, number and nothing look different, and nothing in a value steers a terminal."""
    assert value_text(value) == text  # type: ignore[arg-type]


def test_a_long_value_is_cut() -> None:
    """A line of the trail stays a line."""
    assert (len(value_text("长" * 500)), value_text("长" * 500)[-1]) == (200, "…")
