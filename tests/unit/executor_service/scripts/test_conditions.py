"""`condition` and `entry_condition`: compiled when a script is loaded, mistakes at their place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.script import Action
from executor_service.scripts.model.settings import OnError

Load = Callable[..., LoadResult]

ASK = "- {action_type: ai_ask, action_id: ask, content: x, output: [{get: 年龄, type: %s}]}\n"


def say(condition: str, rest: str = "") -> str:
    """Return an action in line 9 whose condition begins behind column 20."""
    return f"- condition: {condition}\n  action_type: ai_say\n  action_id: a\n  content: x\n{rest}"


def last(result: LoadResult) -> Action:
    """Return the last action of a script that loaded."""
    assert result.script is not None, result.findings
    return result.script.phases[-1].topics[-1].actions[-1]


def test_a_condition_is_compiled_for_the_types_of_the_outputs(load_actions: Load) -> None:
    """An integer output can be compared with a number, and the expression decides."""
    condition = last(load_actions(ASK % "integer" + say('"{年龄} >= 12"'))).condition
    assert condition is not None
    assert (condition.source, condition.on_error) == ("{年龄} >= 12", OnError.RUN)
    assert condition.expression.evaluate({"年龄": 11}).value is False


MISTAKES = [
    ('"{年龄} >= 12"', "9:26", "`type: number`"),
    ("\"{年龄} == 'a' && {年龄} >= 12\"", "9:41", "`type: number`"),
    ("'{年龄} >= 12'", "9:26", "`type: number`"),
    ("has({年龄}) && {年龄} >= 12", "9:38", "`type: number`"),
    ("|\n    has({年龄})\n    && {年龄} >= 12", "11:19", "`type: number`"),
    (">-\n    has({年龄})\n    && {年龄} >= 12", "11:19", "`type: number`"),
    ('"{年龄} == \\"a\\" && {年龄} >= 12"', "9:43", "`type: number`"),
    ("\"{年龄} = 'a'\"", "9:26", "write == instead of ="),
    ("\"年龄 == 'a'\"", "9:21", "written {年龄}"),
    ("\"{年龄} == 'a' and {年龄} == 'b'\"", "9:33", "write && instead of and"),
    ("\"{年龄} == 'a' && {年龄}\"", "9:33", "write has({年龄})"),
    ('"!{年龄}"', "9:21", "write has({年龄})"),
    ('"{年龄}"', "9:21", "true or false"),
    ("{年龄}", "9:20", "must stand in quotes"),
    ("true", "9:20", "is the truth value true"),
    ("12", "9:20", "is the number 12"),
]


@pytest.mark.parametrize(("condition", "place", "said"), MISTAKES)
def test_a_mistake_in_a_condition_is_told_at_its_line_and_column(
    load_actions: Load, condition: str, place: str, said: str
) -> None:
    """Also in quotes and in blocks of text, however YAML writes it."""
    errors = load_actions(ASK % "text" + say(condition)).errors
    assert [found.where for found in errors] == [f"s.yaml:{place}"]
    assert said in errors[0].message


def test_an_undeclared_variable_is_text(load_actions: Load) -> None:
    """Comparing it with a number names the type to declare."""
    (error,) = load_actions(say('"{得分} > 3"')).errors
    assert "declare it `type: number`" in error.message


def test_a_first_value_names_the_type_of_a_declaration_without_one(load: Load) -> None:
    """0 is a number and false a truth value; a condition that takes them for text is told."""
    declared = "  declare: [{var: 数, value: 0}, {var: 真, value: false}, {var: 文, value: 无}]\n"

    def script(condition: str) -> str:
        action = f'{{action_type: ai_say, action_id: a, condition: "{condition}", content: x}}'
        topics = f"[{{topic_id: t, actions: [{action}]}}]"
        return (
            f"session:\n  session_id: s\n{declared}  phases: [{{phase_id: p, topics: {topics}}}]\n"
        )

    assert not load(script("{数} == 0 && !{真} && {文} == '无'")).errors
    assert len(load(script("{数} == '0'")).errors) == 1
    assert len(load(script("{真} == 'false'")).errors) == 1


def test_a_type_that_was_misspelt_is_told_once(load_actions: Load) -> None:
    """The condition that relies on it is not blamed as well."""
    (error,) = load_actions(ASK % "int" + say('"{年龄} > 3"')).errors
    assert error.line == 8


def test_a_declared_type_counts_before_an_output(load: Load) -> None:
    """Declared on the session, it counts everywhere, also before it is set."""
    result = load("""\
        session:
          session_id: s
          declare: [{var: 得分, type: integer, value: 0}]
          phases:
          - phase_id: p
            entry_condition: "{得分} >= 10"
            on_error: skip
            topics:
            - {topic_id: t, actions: [{action_type: ai_say, action_id: a, content: x}]}
        """)
    assert result.script is not None
    assert not result.findings
    condition = result.script.phases[0].entry_condition
    assert condition is not None
    assert condition.on_error is OnError.SKIP


def test_what_a_condition_reads_is_linted_like_any_read(load_actions: Load) -> None:
    """A name nothing yields is told where it stands; one in quotes is text."""
    (warning,) = load_actions(ASK % "text" + say("\"{年龄} == '{甲}' || {年岭} == 'a'\"")).warnings
    assert (warning.where, "did you mean `年龄`?" in warning.message) == ("s.yaml:9:38", True)


def test_a_condition_does_not_see_what_its_own_action_gathers(load_actions: Load) -> None:
    """It is asked before the action begins."""
    action = (
        "- {action_type: ai_ask, action_id: b, content: x, condition: \"{甲} == 'a'\",\n"
        "   output: [{get: 甲}]}\n"
    )
    (warning,) = load_actions(action).warnings
    assert "comes later, in line 8" in warning.message


def test_an_entry_condition_does_not_see_its_own_phase(load: Load) -> None:
    """What a phase declares begins when it is entered."""
    result = load("""\
        session:
          session_id: s
          phases:
          - phase_id: p
            declare: [{var: 甲, value: a}]
            entry_condition: "{甲} == 'a'"
            topics:
            - {topic_id: t, actions: [{action_type: ai_say, action_id: a, content: x}]}
        """)
    (warning,) = result.warnings
    assert (warning.line, "comes later, in line 5" in warning.message) == (6, True)


CONSTANTS = [
    ("1 > 2", "unreachable: the condition is always false"),
    ("\"'a' == 'a'\"", "always true"),
    ("1 / 0 > 1", "can never be answered"),
]


@pytest.mark.parametrize(("condition", "said"), CONSTANTS)
def test_a_condition_that_decides_nothing_is_told(
    load_actions: Load, condition: str, said: str
) -> None:
    """It reads no variable, so its answer is known."""
    (warning,) = load_actions(say(condition)).warnings
    assert (warning.where, said in warning.message) == ("s.yaml:8:20", True)
