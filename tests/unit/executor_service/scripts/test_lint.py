"""Warnings about scripts that run: variables that stay empty, actions out of reach."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from tests.support.two_topics import ASK, say, two_topics

Load = Callable[..., LoadResult]


@pytest.mark.parametrize("form", ["{%s}", "{{%s}}", "${%s}"])
def test_a_placeholder_nothing_fills_is_told_at_its_place(load_config: Load, form: str) -> None:
    """Each form is found, at the column where it begins, with the name that was meant."""
    config = f'content: "你好{form % "称互"}"\noutput: [{{get: 称呼}}]'
    result = load_config("ai_ask", config)
    assert result.script is not None
    (warning,) = result.warnings
    assert warning.where == "s.yaml:11:23"
    assert "`称互` stays empty" in warning.message
    assert "did you mean `称呼`?" in warning.message


def test_every_text_of_an_action_is_scanned(load_config: Load) -> None:
    """content, goal, tone and exit are templates of their own."""
    config = 'content: "{a}"\ngoal: "{b}"\ntone: "{c}"\nexit: "{d}"\n'
    warnings = load_config("ai_say", config).warnings
    assert [warning.line for warning in warnings] == [11, 12, 13, 14]


def test_a_placeholder_is_located_inside_a_block_of_text(load_config: Load) -> None:
    """Lines of block text count on; the second placeholder of a line has its own column."""
    config = "content: |\n  你好。\n  {甲} 和 {乙}\n"
    places = [found.where for found in load_config("ai_say", config).warnings]
    assert places == ["s.yaml:13:13", "s.yaml:13:19"]


def test_an_escaped_placeholder_is_located_at_its_text(load_config: Load) -> None:
    """Where the file spells a name by its code, the text's own place is told."""
    (warning,) = load_config("ai_say", 'content: "{\\u7532}"').warnings
    assert (warning.where, "`甲`" in warning.message) == ("s.yaml:11:20", True)


@pytest.mark.parametrize("content", ["{time}", "{%time%}", "${who}", "{user}"])
def test_system_variables_of_a_script_are_known(load_config: Load, content: str) -> None:
    """time, who and user are filled in a script's own texts."""
    assert load_config("ai_say", f"content: '{content}'").warnings == ()


def test_the_system_form_never_reads_a_script_variable(load: Load) -> None:
    """`{%x%}` of a script's own name is told how to be written."""
    (warning,) = load(two_topics(say("{%甲%}"), declare="[{var: 甲}]")).warnings
    assert "is always a system variable; write `{甲}`" in warning.message


def test_a_system_variable_of_templates_stays_empty_in_a_script(load_config: Load) -> None:
    """task, chat and the like are the templates' own."""
    (warning,) = load_config("ai_say", "content: '{%chat%}'").warnings
    assert "no system variable of that name is filled here" in warning.message


def test_an_output_read_in_its_own_topic_is_fine(load_actions: Load) -> None:
    """An undeclared output belongs to its topic, where later actions read it."""
    assert load_actions(f"- {ASK}\n- {say('{甲}')}").warnings == ()


def test_an_action_may_read_what_it_gathers(load_config: Load) -> None:
    """In a second round the exit text may name what the first one gave."""
    config = 'content: x\nexit: "说出{甲}"\noutput: [{get: 甲}]'
    assert load_config("ai_ask", config).warnings == ()


@pytest.mark.parametrize("apart", [False, True])
def test_an_output_read_in_another_topic_comes_from_the_archive(load: Load, *, apart: bool) -> None:
    """The look-up still answers, but the author is told to declare it (RESOLUTIONS C19)."""
    (warning,) = load(two_topics(say("{甲}"), apart=apart)).warnings
    assert "`甲` belongs to another topic (line 8)" in warning.message
    assert "declare it on the session" in warning.message


def test_a_declared_output_is_read_everywhere(load: Load) -> None:
    """Declared on the session, it outlives its topic."""
    assert load(two_topics(say("{甲}"), declare="[{var: 甲}]", apart=True)).warnings == ()


def test_a_phase_variable_read_in_another_phase_comes_from_the_archive(load: Load) -> None:
    """The scope named is the one that held it."""
    text = two_topics(say("{甲}"), apart=True).replace(
        "    topics:\n    - topic_id: t",
        "    declare: [{var: 甲}]\n    topics:\n    - topic_id: t",
        1,
    )
    (warning,) = load(text).warnings
    assert "belongs to another phase" in warning.message


def test_a_variable_read_before_it_is_gathered_is_told(load_actions: Load) -> None:
    """Its first value comes later, and the warning says where."""
    (warning,) = load_actions(f"- {say('{甲}')}\n- {ASK}").warnings
    assert (warning.line, "comes later, in line 9" in warning.message) == (8, True)


def test_a_declared_variable_nobody_sets_is_told(load: Load) -> None:
    """Without a value and without an action it stays empty."""
    (warning,) = load(two_topics(say("{乙}"), declare="[{var: 乙}]")).warnings
    assert "declared without a value, and no action yields it" in warning.message


@pytest.mark.parametrize("value", ["0", "false", "''", "无"])
def test_a_declared_value_fills_a_placeholder(load: Load, value: str) -> None:
    """0, false and "" are values."""
    declare = f"[{{var: 乙, value: {value}}}]"
    assert load(two_topics(say("{乙}"), declare=declare)).warnings == ()


def test_a_global_variable_may_have_its_value_from_an_earlier_session(load: Load) -> None:
    """What the user keeps is not known when a script is checked."""
    others = {"global.yaml": "global: [{var: 乙}]"}
    assert load(two_topics(say("{乙}")), others).warnings == ()


def test_inputs_of_a_thought_and_variables_of_conditions_are_reads(load_actions: Load) -> None:
    """They are located at the name itself."""
    result = load_actions(
        "- {action_type: ai_think, action_id: a, goal: x, input_variables: [甲, 乙],\n"
        "   output: [{get: 甲}]}\n"
        "- {action_type: ai_ask, action_id: b, content: x, exit_criteria:\n"
        "   {custom_conditions: [{variable: 丙, operator: '==', value: 1}]}}\n"
    )
    assert [found.where for found in result.warnings] == ["s.yaml:8:77", "s.yaml:11:42"]


def test_a_topics_own_texts_are_read_in_each_of_its_actions(load_actions: Load, load: Load) -> None:
    """topic_goal and strategy may name what an action of the topic gathers."""
    text = two_topics(ASK).replace(
        "- topic_id: t", '- topic_id: t\n      topic_goal: "{甲}{乙}"', 1
    )
    (warning,) = load(text).warnings
    assert "`乙` stays empty" in warning.message


def test_a_hundred_silent_actions_reach_their_limit(load_actions: Load) -> None:
    """The action after the hundredth that waits for nobody is out of its turn's reach."""
    silent = "- {action_type: ai_think, action_id: a%d, goal: x}\n"
    actions = "".join(silent % index for index in range(103))
    (warning,) = load_actions(actions).warnings
    assert (warning.line, "unreachable" in warning.message) == (8 + 100, True)


def test_an_action_that_waits_lets_a_turn_begin_anew(load_actions: Load) -> None:
    """Ninety silent actions, a question and ninety more are within reach."""
    silent = "- {action_type: ai_say, action_id: %s%d, goal: x, require_acknowledgment: false}\n"
    first = "".join(silent % ("a", index) for index in range(90))
    second = "".join(silent % ("b", index) for index in range(90))
    assert load_actions(f"{first}- {ASK}\n{second}").warnings == ()


def test_rounds_that_are_never_reached_are_told(load_config: Load) -> None:
    """min_rounds above max_rounds holds criteria back for ever."""
    (warning,) = load_config("ai_ask", "content: x\nexit_criteria: {min_rounds: 4}").warnings
    assert (warning.where, "never reached" in warning.message) == ("s.yaml:12:26", True)


def test_a_script_with_errors_gets_no_guesses_about_variables(load_config: Load) -> None:
    """What an error left out would look like a variable nobody sets."""
    result = load_config(
        "ai_ask", 'content: "{甲}"\noutput: [{get: 甲, type: nonsense}]\nmax_rounds: 0'
    )
    assert result.warnings == ()
