"""Which values count as given by the client in this session."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from executor_service.scripts.model.actions import SkillInput, SkillOutput
from executor_service.scripts.model.fields import Output
from executor_service.variables.known import KnownValues
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.variables import VariableScope, VariableValue
from tests.support.engine_builders import ask, say, script, think
from tests.support.plan_builders import technique, use

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SCRIPT = script(
    ask("ask", get=("紧张",)),
    ask("ask_again", get=("紧张",)),
    think("think", output=(Output(get="紧张"),)),
    say("say"),
    use(
        "rate",
        "skill",
        input=(SkillInput(name="紧张", value="7"),),
        outputs=(SkillOutput(get="分数", source="紧张"), SkillOutput(get="结论", source="看法")),
    ),
    techniques={
        "rate": technique(
            "rate",
            ask("rate", get=("紧张",)),
            think("conclude", output=(Output(get="看法"),)),
            outputs=("紧张", "看法"),
        )
    },
)
KNOWN = KnownValues(SCRIPT)
VALUE = VariableValue(
    name="紧张", value=7, type="number", scope=VariableScope.SESSION, source="ask", last_updated=NOW
)
OF_USER = replace(VALUE, scope=VariableScope.GLOBAL)


@pytest.mark.parametrize(
    ("source", "known"),
    [("ask", True), ("say", True), ("think", False), ("declared", False), ("migrated", False)],
)
def test_who_wrote_a_value_says_whether_the_client_gave_it(
    source: str,
    known: bool,  # noqa: FBT001 - a table
) -> None:
    """Talk hears the client; a thought, a declaration and an import do not."""
    variables = VariableStore((replace(VALUE, source=source),))
    assert KNOWN.known("紧张", variables) is known


def test_a_name_without_a_value_is_not_known() -> None:
    """Nothing was ever written, or null was."""
    empty = replace(VALUE, value=None, type="null")
    assert not KNOWN.known("紧张", VariableStore(()))
    assert not KNOWN.known("紧张", VariableStore((empty,)))


def test_an_ask_has_its_own_answer() -> None:
    """The answer to another question for one output is known, and not to the question asked now."""
    variables = VariableStore((VALUE,))
    assert KNOWN.known("紧张", variables)
    assert KNOWN.known("紧张", variables, asking="ask")
    assert not KNOWN.known("紧张", variables, asking="ask_again")


def test_what_was_said_aside_answers_the_question() -> None:
    """An action that does not ask for an output may have heard its value."""
    variables = VariableStore((replace(VALUE, source="say"),))
    assert KNOWN.known("紧张", variables, asking="ask")


def test_a_later_run_of_a_technique_asks_anew() -> None:
    """The archive has what an earlier run of the same question heard."""
    left = replace(VALUE, scope=VariableScope.TOPIC, scope_id="t/act_1", archived=True)
    assert not KNOWN.known("紧张", VariableStore((left,)), asking="ask")


def test_another_sessions_global_is_not_known() -> None:
    """A global counts once this session has written it."""
    known = KnownValues(globals_of_others=frozenset({("紧张", NOW)}))
    now = replace(OF_USER, last_updated=NOW + timedelta(seconds=1))
    assert not known.known("紧张", VariableStore((OF_USER,)))
    assert known.known("紧张", VariableStore((now,)))


@pytest.mark.parametrize(
    ("name", "scope_id", "known"),
    [("分数", "t1", True), ("结论", "t1", False), ("紧张", "t1/act_1", False)],
)
def test_a_skill_gives_what_its_questions_heard(
    name: str,
    scope_id: str,
    known: bool,  # noqa: FBT001 - a table
) -> None:
    """What goes into a skill and what it only concludes are not known; what it asked for is."""
    made = replace(VALUE, name=name, source="skill", scope=VariableScope.TOPIC, scope_id=scope_id)
    assert KNOWN.known(name, VariableStore((replace(made, archived=True),))) is known
