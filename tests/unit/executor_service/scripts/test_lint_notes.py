"""Notes and warnings about outputs, choices, templates and scopes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult
from heartrule.domain.variables import VariableScope
from tests.support.two_topics import ASK, say, two_topics

Load = Callable[..., LoadResult]


def test_an_output_nothing_reads_is_noted_at_its_name(load_actions: Load) -> None:
    """Only a note, for people read outputs too; it is no warning."""
    result = load_actions(f"- {ASK}\n")
    (note,) = result.notes
    assert note.where == "s.yaml:8:74"
    assert "nothing reads `甲`" in note.message
    assert not result.warnings


CONDITION = "{variable: 甲, operator: '==', value: 1}"
READERS = [
    say("{甲}"),
    "{action_type: ai_think, action_id: a, goal: x, input_variables: [甲]}",
    "{action_type: ai_say, action_id: a, goal: x, condition: 'has({甲})'}",
    say("x").replace("}", f", exit_criteria: {{custom_conditions: [{CONDITION}]}}}}"),
    "{action_type: ai_say, action_id: a, goal: x, tone: '${甲}'}",
]


@pytest.mark.parametrize("reader", READERS)
def test_an_output_something_reads_is_not_noted(load_actions: Load, reader: str) -> None:
    """Texts, inputs of a thought, conditions and criteria are readers."""
    assert load_actions(f"- {ASK}\n- {reader}\n").findings == ()


def test_a_declared_output_is_meant_to_be_kept(load: Load) -> None:
    """Its author gave it a home."""
    assert load(two_topics(say("好"), declare="[{var: 甲}]")).notes == ()


def test_the_fields_of_a_form_are_its_result(load_config: Load) -> None:
    """Nobody has to read them in the script."""
    assert load_config("fill_form", "form: {title: x, fields: [{name: 甲}]}").findings == ()


SCHEME = """\
        session:
          session_id: s
          template_scheme: cbt_anxiety
          phases:
          - phase_id: p
            topics:
            - {topic_id: t, actions: [{action_type: ai_say, action_id: a, content: x}]}
        """


def test_templates_that_fall_back_are_noted_at_the_scheme(load: Load) -> None:
    """Only those that the script's actions talk with."""
    own = LintEnvironment(
        schemes=frozenset({"cbt_anxiety"}),
        layer=lambda _scheme, name: "custom/cbt_anxiety" if name == "ai_say" else "default",
    )
    (note,) = load(SCHEME, environment=own).findings
    assert (note.where, note.severity.value) == ("s.yaml:3:20", "note")
    assert "`cbt_anxiety` has no ai_say_monitor of its own" in note.message


def test_a_template_that_is_nowhere_is_a_warning(load: Load) -> None:
    """Its actions would fail."""
    own = LintEnvironment(
        schemes=frozenset({"cbt_anxiety"}),
        layer=lambda scheme, name: "" if name == "ai_say" else scheme,
    )
    (warning,) = load(SCHEME, environment=own).warnings
    assert "`ai_say` is not installed" in warning.message


def test_a_name_that_implies_a_wide_scope_outlives_its_topic(load: Load) -> None:
    """An undeclared output whose words mean the session is read everywhere (RESOLUTIONS C19)."""
    own = LintEnvironment(scope_of={"甲": VariableScope.SESSION}.get)
    assert load(two_topics(say("{甲}"), apart=True), environment=own).warnings == ()


CHOICE = (
    "- {action_type: ai_ask, action_id: ask, content: x,\n"
    "   output: [{get: 甲, type: choice, options: [平静, 愉快]}]}\n"
)
NEVER = [
    ("condition: \"{甲} == '高兴'\"", "10:78", "its options: 平静, 愉快"),
    ("condition: \"{甲} in ['平静', '愉怏']\"", "10:85", "did you mean '愉快'?"),
    (
        "exit_criteria: {custom_conditions: [{variable: 甲, operator: '!=', value: 高兴}]}",
        "10:132",
        "its options",
    ),
]


@pytest.mark.parametrize(("asked", "place", "said"), NEVER)
def test_a_choice_is_never_what_is_none_of_its_options(
    load_actions: Load, asked: str, place: str, said: str
) -> None:
    """A misspelt option would decide nothing for ever."""
    reader = f"- {{action_type: ai_say, action_id: say, content: x, {asked}}}\n"
    (warning,) = load_actions(CHOICE + reader).warnings
    assert (warning.where, said in warning.message) == (f"s.yaml:{place}", True)


def test_a_choice_that_something_else_sets_too_may_be_anything(load_actions: Load) -> None:
    """Its options are not all it can be; neither is a first value forgotten."""
    text = "- {action_type: ai_ask, action_id: b, content: x, output: [{get: 甲}]}\n"
    reader = "- {action_type: ai_say, action_id: say, content: x, condition: \"{甲} == '高兴'\"}\n"
    assert load_actions(CHOICE + text + reader).warnings == ()


@pytest.mark.parametrize("switch", ["strategy_engine: on", "strategy_engine: off"])
def test_the_strategy_engine_needs_its_template_where_it_is_on(load: Load, switch: str) -> None:
    """Switched on for the session, or for an action alone."""
    own = LintEnvironment(
        schemes=frozenset({"cbt_anxiety"}),
        layer=lambda scheme, name: "default" if name == "strategy_generation" else scheme,
    )
    text = SCHEME.replace("session_id: s", f"session_id: s\n          {switch}")
    noted = [found.message for found in load(text, environment=own).findings]
    assert ["strategy_generation" in message for message in noted] == [True] * switch.endswith("on")


def test_a_strategy_for_a_step_that_says_nothing_is_told(load_actions: Load) -> None:
    """An inner step talks with nobody."""
    action = "- {action_type: ai_think, action_id: a, goal: x, strategy_engine: on}"
    (warning,) = load_actions(action).warnings
    assert "decides nothing here; it advises ai_ask, ai_say" in warning.message


def test_a_broken_template_and_an_older_one_are_told(load: Load) -> None:
    """A scheme's file that is passed over is a warning, one of the older contract a note."""
    environment = LintEnvironment(
        schemes=frozenset({"cbt"}),
        broken=lambda _scheme, name: "ai_ask_v1.md:1: bad" if name == "ai_ask" else "",
        older=lambda _scheme, name: "turn" if name == "ai_ask_monitor" else "",
    )
    script = two_topics(say("{甲}")).replace(
        "session_id: s", "session_id: s\n  template_scheme: cbt"
    )
    told = load(script, environment=environment).findings
    messages = [each.message for each in told if "template" in each.rule]
    assert [one for one in messages if "ai_ask_v1.md:1: bad" in one]
    assert [one for one in messages if "older contract" in one and "{%shape%}" in one]
