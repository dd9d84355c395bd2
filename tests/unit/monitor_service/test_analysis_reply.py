"""A model's object read into an analysis."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import (
    DECLINED,
    InterventionLevel,
    MonitorAnalysis,
    StrategySuggestion,
)
from heartrule.model.reply.prose import Skeleton
from monitor_service.analysis_reply import LONGEST_TEXT, read_analysis

DESCRIBED = {"feedback_for_action": "写给提问者的建议"}


def read(
    value: dict[str, JsonValue], required: str = "intervention_needed"
) -> tuple[MonitorAnalysis, tuple[str, ...]]:
    """Read a reply of an ai_ask monitor, or of another kind."""
    return read_analysis(value, own_words=Skeleton(DESCRIBED), required=required)


def test_the_documents_reply() -> None:
    """The reply document 000 prints for ai_ask is read field by field, without a warning."""
    analysis, warnings = read(
        {
            "intervention_needed": True,
            "intervention_reason": "blocked",
            "intervention_level": "action_feedback",
            "strategy_suggestion": "rephrase",
            "feedback_for_action": "降低提问直接性",
            "modified_approach": "先询问家庭氛围",
            "orchestration_needed": False,
        }
    )
    assert warnings == ()
    assert analysis == MonitorAnalysis(
        intervention_needed=True,
        intervention_reason="blocked",
        intervention_level=InterventionLevel.ACTION_FEEDBACK,
        strategy_suggestion=StrategySuggestion.REPHRASE,
        feedback_for_action="降低提问直接性",
        modified_approach="先询问家庭氛围",
    )


def test_orchestration() -> None:
    """A wish for orchestration keeps its reason and its sketch (C30)."""
    sketch: dict[str, JsonValue] = {"action": "insert", "new_action_type": "ai_say"}
    analysis, _ = read(
        {
            "intervention_needed": True,
            "intervention_level": "topic_orchestration",
            "orchestration_needed": True,
            "orchestration_reason": "持续抗拒3轮",
            "suggested_orchestration": sketch,
        }
    )
    assert analysis.orchestration_needed
    assert analysis.orchestration_reason == "持续抗拒3轮"
    assert analysis.suggested_orchestration == sketch


@pytest.mark.parametrize("needed", [False, "false", None, True])
def test_words_that_the_model_holds_unneeded_are_marked(needed: JsonValue) -> None:
    """Only where it wrote so itself: an absent key says nothing."""
    analysis, _ = read({"intervention_needed": needed, "feedback_for_action": "慢一点"})
    declined = str(needed).lower() == "false"
    assert analysis.metadata == ({DECLINED: True} if declined else {})


@pytest.mark.parametrize("issue", [True, "true", False, "False"])
def test_understanding_issue_stands_in(issue: JsonValue) -> None:
    """Where intervention_needed is absent, understanding_issue says whether to intervene (C17)."""
    analysis, _ = read({"understanding_issue": issue}, "understanding_issue")
    held = str(issue).lower() == "true"
    assert (analysis.understanding_issue, analysis.intervention_needed) == (held, held)


def test_intervention_needed_counts_where_given() -> None:
    """An intervention_needed of its own is not overruled."""
    value: dict[str, JsonValue] = {"understanding_issue": True, "intervention_needed": False}
    analysis, _ = read(value, "understanding_issue")
    assert (analysis.understanding_issue, analysis.intervention_needed) == (True, False)


@pytest.mark.parametrize("value", [None, "", "也许", 2, [], "true 或 false"])
def test_no_truth_value(value: JsonValue) -> None:
    """What is no truth value means no intervention."""
    assert not read({"intervention_needed": value})[0].intervention_needed


@pytest.mark.parametrize("required", ["intervention_needed", "understanding_issue"])
def test_required_field_is_missed(required: str) -> None:
    """A reply without the truth value its kind has to give is warned of."""
    analysis, warnings = read({"feedback_for_action": "x"}, required)
    assert not analysis.intervention_needed
    assert warnings == (f"{required} is absent",)


@pytest.mark.parametrize(
    "spelled", ["accept_partial", "Accept Partial", " ACCEPT-PARTIAL ", "ａccept_partial"]
)
def test_words_however_spelled(spelled: str) -> None:
    """A word counts however it is spaced, capitalised or widened."""
    analysis, warnings = read({"intervention_needed": True, "strategy_suggestion": spelled})
    assert analysis.strategy_suggestion is StrategySuggestion.ACCEPT_PARTIAL
    assert warnings == ()


@pytest.mark.parametrize("word", ["rephrase|comfort|skip", "安抚", 3])
def test_unknown_words(word: JsonValue) -> None:
    """Any other word is none, with a warning."""
    analysis, warnings = read({"intervention_needed": True, "strategy_suggestion": word})
    assert analysis.strategy_suggestion is None
    assert warnings == ("strategy_suggestion is none of the known words",)


@pytest.mark.parametrize("value", [None, ""])
def test_empty_fields_are_no_trouble(value: JsonValue) -> None:
    """Fields the template asks to leave empty need no warning."""
    empty = dict.fromkeys(
        (
            "intervention_reason",
            "intervention_level",
            "strategy_suggestion",
            "feedback_for_action",
            "orchestration_needed",
            "suggested_orchestration",
        ),
        value,
    )
    assert read({"intervention_needed": False, **empty}) == (MonitorAnalysis(), ())


@pytest.mark.parametrize("copied", ["写给提问者的建议", "好：写给提问者的建议。"])
def test_copied_skeleton(copied: str) -> None:
    """A text that copies the template's description of its field is absent (C36)."""
    analysis, warnings = read({"intervention_needed": True, "feedback_for_action": copied})
    assert analysis.feedback_for_action == ""
    assert warnings == ("feedback_for_action copies the template",)


@pytest.mark.parametrize("value", [["a"], {"a": 1}, True])
def test_no_text(value: JsonValue) -> None:
    """Lists, objects and truth values are no advice."""
    analysis, warnings = read({"intervention_needed": True, "feedback_for_action": value})
    assert analysis.feedback_for_action == ""
    assert warnings == ("feedback_for_action is no text",)


def test_sketch_of_another_form() -> None:
    """A sketch that is no object is left out, with a warning."""
    analysis, warnings = read({"intervention_needed": True, "suggested_orchestration": "插入"})
    assert analysis.suggested_orchestration == {}
    assert warnings == ("suggested_orchestration is no object",)


def test_endless_text() -> None:
    """A text too long for a prompt is cut, with a warning."""
    analysis, warnings = read(
        {"intervention_needed": True, "feedback_for_action": "好" * (LONGEST_TEXT + 1)}
    )
    assert len(analysis.feedback_for_action) == LONGEST_TEXT
    assert warnings == (f"feedback_for_action was cut after {LONGEST_TEXT} characters",)
