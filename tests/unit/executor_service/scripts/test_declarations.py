"""Where declarations live, and what types they give."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope

Load = Callable[..., LoadResult]


def tree(session: str = "[]", phase: str = "[]", topic: str = "[]", action: str = "") -> str:
    """Return a script with these declarations; they stand in lines 3, 6 and 9."""
    ask = action or "{action_type: ai_ask, action_id: a, content: x}"
    return dedent(f"""\
        session:
          session_id: s
          declare: {session}
          phases:
          - phase_id: p
            declare: {phase}
            topics:
            - topic_id: t
              declare: {topic}
              actions: [{ask}]
        """)


def loaded(result: LoadResult) -> Script:
    """Return the script of a result without errors."""
    assert result.script is not None, result.findings
    return result.script


def names(declarations: tuple[Declaration, ...]) -> list[tuple[str, str]]:
    """Return names and scopes."""
    return [(made.var, made.scope.value) for made in declarations]


def test_the_scope_is_where_a_declaration_stands(load: Load) -> None:
    """Session, phase and topic, unless it says otherwise."""
    script = loaded(load(tree("[{var: a}]", "[{var: b}]", "[{var: c}]")))
    assert names(script.declarations) == [("a", "session")]
    assert names(script.phases[0].declarations) == [("b", "phase")]
    assert names(script.phases[0].topics[0].declarations) == [("c", "topic")]


def test_a_wider_scope_is_kept_where_it_belongs(load: Load) -> None:
    """A topic may declare for its phase, the session or the user."""
    wide = "[{var: a, scope: global}, {var: b, scope: session}, {var: c, scope: phase}]"
    script = loaded(load(tree(topic=wide)))
    assert names(script.declarations) == [("a", "global"), ("b", "session")]
    assert names(script.phases[0].declarations) == [("c", "phase")]
    assert script.phases[0].topics[0].declarations == ()


def test_a_narrower_scope_stays_where_it_was_made(load: Load) -> None:
    """A session may declare what every topic then has for itself."""
    script = loaded(load(tree("[{var: a, scope: topic}]")))
    assert names(script.declarations) == [("a", "topic")]


def test_one_name_may_live_in_several_scopes(load: Load) -> None:
    """An inner declaration of a name stands beside the outer one."""
    script = loaded(load(tree("[{var: a}]", "[{var: a}]", "[{var: a}]")))
    assert names(script.phases[0].topics[0].declarations) == [("a", "topic")]


def test_one_scope_holds_a_name_once(load: Load) -> None:
    """A topic that declares for the session what the session declares is told so."""
    (error,) = load(tree("[{var: a}]", topic="[{var: a, scope: session}]")).errors
    assert error.where == "s.yaml:9:17"
    assert "in s.yaml, line 3, already" in error.message


def test_the_file_beside_the_script_declares_globals(load: Load) -> None:
    """global.yaml's variables have global scope and bear its name as their place."""
    script = loaded(load(tree("[{var: b}]"), {"global.yaml": "global: [{var: a, value: 0}]"}))
    assert names(script.declarations) == [("a", "global"), ("b", "session")]
    made = script.declarations[0]
    assert (made.value, str(made.place)) == (0, "global.yaml:1:10")


def test_globals_are_declared_once_and_only_as_globals(load: Load) -> None:
    """Both files are checked, each error in its own."""
    others = {"global.yaml": "global:\n- {var: a}\n- {var: a}\n- {var: b, scope: topic}\n"}
    result = load(tree("[{var: a, scope: global}]"), others)
    assert [found.where for found in result.errors] == [
        "s.yaml:3:13",
        "global.yaml:3:3",
        "global.yaml:4:3",
    ]


def test_first_values_are_what_was_written(load: Load) -> None:
    """0, false and "" are values; an empty or absent one is none (RESOLUTIONS C19)."""
    values = "[{var: a, value: 0}, {var: b, value: false}, {var: c, value: ''}, {var: d, value: },"
    values += " {var: e}]"
    script = loaded(load(tree(values)))
    assert [made.value for made in script.declarations] == [0, False, "", None, None]


def test_a_first_value_may_be_any_data(load: Load) -> None:
    """Lists and mappings are kept where no type is named."""
    script = loaded(load(tree("[{var: a, value: [1, {b: c}]}]")))
    assert script.declarations[0].value == [1, {"b": "c"}]


def test_an_output_takes_the_declared_type(load: Load) -> None:
    """The nearest declaration that names a type gives it to outputs that name none."""
    action = "{action_type: ai_ask, action_id: a, content: x, output: [{get: a}, {get: b}]}"
    script = loaded(load(tree("[{var: a, type: number}]", topic="[{var: a}]", action=action)))
    found = script.phases[0].topics[0].actions[0].config.output
    assert [output.type for output in found] == [OutputType.NUMBER, OutputType.TEXT]


def test_an_output_may_not_contradict_the_declared_type(load: Load) -> None:
    """What a declaration calls a number cannot be gathered as text."""
    action = "{action_type: ai_ask, action_id: a, content: x, output: [{get: a, type: text}]}"
    (error,) = load(tree("[{var: a, type: number}]", action=action)).errors
    assert (
        error.line,
        error.message,
    ) == (10, "`a` is declared as number, but is text here; leave one out")


def test_declarations_of_later_topics_count_for_earlier_ones(load: Load) -> None:
    """A session variable declared in a later topic types the outputs before it."""
    text = """\
        session:
          session_id: s
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions: [{action_type: ai_ask, action_id: a, content: x, output: [{get: n}]}]
            - topic_id: u
              declare: [{var: n, scope: session, type: integer}]
              actions: [{action_type: ai_say, action_id: a, content: "{n}"}]
        """
    result = load(text)
    assert not (*result.errors, *result.warnings)
    assert OutputType.INTEGER is loaded(result).phases[0].topics[0].actions[0].config.output[0].type
    assert VariableScope.SESSION is loaded(result).declarations[0].scope


def test_a_value_is_checked_although_its_variable_has_no_name(load: Load) -> None:
    """Both mistakes are reported at once."""
    result = load(tree("[{type: boolean, value: 无}]"))
    assert [found.message for found in result.findings] == [
        "a declaration needs `var`",
        "`value` is the text '无'; write true or false, as its type is boolean",
    ]
