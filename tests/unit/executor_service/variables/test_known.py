"""Which values count as given by the client in this session."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.fields import Output
from executor_service.variables.known import KnownValues
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.variables import ValueSupport, VariableScope, VariableValue
from tests.support.engine_builders import action_of_type, ask, say, script, think

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SCRIPT = script(
    ask("ask", get=("紧张",)),
    ask("ask_again", get=("紧张",)),
    think("think", output=(Output(get="紧张"),)),
    say("say"),
    action_of_type(
        ActionType.AI_AGENT, "agent", AgentConfig(goal="谈", output=(Output(get="紧张"),))
    ),
)
KNOWN = KnownValues(SCRIPT)
VALUE = VariableValue(
    name="紧张", value=7, type="number", scope=VariableScope.SESSION, source="ask", last_updated=NOW
)
VALUE = replace(VALUE, support=ValueSupport.CLIENT_WORDS)
OF_USER = replace(VALUE, scope=VariableScope.GLOBAL)


@pytest.mark.parametrize(
    ("support", "known"),
    [
        (ValueSupport.CLIENT_WORDS, True),
        (ValueSupport.FORM, True),
        (ValueSupport.UNQUOTED, False),
        (ValueSupport.INFERRED, False),
        (None, False),
    ],
)
def test_what_a_value_rests_on_says_whether_the_client_gave_it(
    support: ValueSupport | None,
    known: bool,  # noqa: FBT001 - a table
) -> None:
    """Words and forms are the client's; a thought, a declaration and an import are not."""
    assert KNOWN.known("紧张", VariableStore((replace(VALUE, support=support),))) is known


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


def test_what_an_agent_heard_answers_the_question() -> None:
    """An agent puts no question for its outputs: the client told it in passing."""
    variables = VariableStore((replace(VALUE, source="agent"),))
    assert KNOWN.known("紧张", variables, asking="ask")


def test_a_later_run_of_a_technique_asks_anew() -> None:
    """The archive has what an earlier run of the same question heard."""
    left = replace(VALUE, scope=VariableScope.TOPIC, scope_id="t/act_1", archived=True)
    assert not KNOWN.known("紧张", VariableStore((left,)), asking="ask")
