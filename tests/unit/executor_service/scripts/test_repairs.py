"""What a finding can put right in the file itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.repairs import Edit, FindingRepair, repaired

Load = Callable[..., LoadResult]

FRAME = """\
session:
  session_id: s
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
"""


def mended(load: Load, action: str) -> str:
    """Return an action of a script with the repairs of all its findings made."""
    text = FRAME + "".join(f"      {line}\n" for line in action.splitlines())
    found = load(text).findings
    text, _ = repaired(text, [each.repair for each in found if each.repair])
    lines = text.removeprefix(FRAME).splitlines()
    return "\n".join(line.removeprefix("      ") for line in lines)


ACTIONS = [
    (
        "- action_type: ai_ask\n  action_id: a\n  question_template: 几岁？ # 轻轻\n  maxRounds: 2",
        "- action_type: ai_ask\n  action_id: a\n  content: 几岁？ # 轻轻\n  max_rounds: 2",
    ),
    (
        "- {action_type: ai_say, id: a, 'say_goal': x}",
        "- {action_type: ai_say, action_id: a, goal: x}",
    ),
    (
        (
            "- action_type: ai_ask\n  action_id: a\n  content: x\n  target_variable: 年龄\n"
            "  extraction_prompt: |\n    来访者: 几岁\n    照原话\n  max_rounds: 2"
        ),
        (
            "- action_type: ai_ask\n  action_id: a\n  content: x\n"
            '  output: [{get: 年龄, define: "来访者: 几岁\\n照原话"}]\n  max_rounds: 2'
        ),
    ),
    (
        "- action_type: ai_think\n  action_id: a\n  goal: x\n  output_variables:\n  - 甲\n  - 乙",
        (
            "- action_type: ai_think\n  action_id: a\n  goal: x\n"
            "  output:\n  - {get: 甲}\n  - {get: 乙}"
        ),
    ),
    (
        "- action_type: ai_ask\n  action_id: a\n  prompt_template: x\n  question_template: x",
        "- action_type: ai_ask\n  action_id: a\n  content: x",
    ),
    (
        (
            "- action_type: ai_ask\n  action_id: a\n  content: x\n  extract_to: b\n"
            "  extraction_prompt: y  # 照原话"
        ),
        (
            "- action_type: ai_ask\n  action_id: a\n  content: x\n"
            '  output: [{get: b, define: "y"}]\n  # 照原话'
        ),
    ),
]


@pytest.mark.parametrize(("written", "wanted"), ACTIONS)
def test_names_are_put_right_and_nothing_else(load: Load, written: str, wanted: str) -> None:
    """Comments, order and quotes of the rest stay; the repaired file has no older name."""
    assert mended(load, written) == wanted
    assert mended(load, wanted) == wanted


NOT_SIMPLE = [
    "- action_type: ai_ask\n  action_id: a\n  content: x\n  target_variable: b\n  extract_to: c",
    "- action_type: ai_ask\n  action_id: a\n  content: x\n  contentTemplate: y",
    "- {action_type: ai_ask, action_id: a, content: x, extract_to: b, extraction_prompt: y}",
]


@pytest.mark.parametrize("written", NOT_SIMPLE)
def test_what_is_not_simple_is_left_to_its_author(load: Load, written: str) -> None:
    """Half a repair would be another mistake."""
    assert mended(load, written) == written


def test_repairs_that_meet_are_not_both_made() -> None:
    """The first one is; the next check offers the other again."""
    one, other = (
        FindingRepair("ab", "x", (Edit(0, 2, "x"),)),
        FindingRepair("bc", "y", (Edit(1, 3, "y"),)),
    )
    assert repaired("abc", [one, other]) == ("xc", (one,))


def test_two_older_names_with_one_text_are_a_warning_that_names_both(load: Load) -> None:
    """No text is lost; with different texts it is an error, as nobody can tell which counts."""
    ask = "- {action_type: ai_ask, action_id: a, prompt_template: x, question_template: %s}"
    same = load(FRAME + f"      {ask % 'x'}\n")
    assert same.script is not None
    assert any("`question_template` and `prompt_template`" in w.message for w in same.warnings)
    (error,) = load(FRAME + f"      {ask % 'y'}\n").errors
    assert (error.rule, "with different texts" in error.message) == ("conflicting-names", True)
