"""Rows and the domain's values hold the same fields."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from sqlalchemy import Table

from heartrule.domain.conversation import Completeness, Message, Part, Role
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.variables import ValueSupport, VariableScope, VariableValue
from session_store.records import ActionInstance, InstanceState, NewSession, SessionRecord
from session_store.sql.database.tables import messages, sessions
from session_store.sql.database.tables_beside import action_instances, model_calls, variables
from session_store.sql.sessions.rows import (
    global_of,
    instance_of,
    instance_row,
    local_row,
    message_of,
    message_row,
    variable_of,
    variable_row,
)

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ELSEWHERE = {
    Message: {"replaces_message_id"},
    VariableValue: {"archived", "history"},
    SessionRecord: {
        "key",
        "last_sequence",
        "last_ai_message",
        "pending_client_message_ids",
        "replacements",
        "running_turn_id",
        "safety",
    },
    NewSession: {"key", "variables", "definitions", "workflows"},
}
"""Fields that are columns of the key or of another name, counted, or read from other rows."""


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (Message, messages),
        (ActionInstance, action_instances),
        (VariableValue, variables),
        (LLMDebugInfo, model_calls),
        (SessionRecord, sessions),
        (NewSession, sessions),
    ],
)
def test_each_field_has_a_column(kind: type, table: Table) -> None:
    """A field added to a record is a column, or it is said where else it comes from."""
    named = {each.name for each in fields(kind)} - ELSEWHERE.get(kind, set())
    assert named - set(table.columns.keys()) == set()


def test_a_message_comes_back() -> None:
    """No field of a message is lost on the way to its row and back."""
    message = Message(
        message_id="m",
        role=Role.ASSISTANT,
        parts=(Part(text="hello"),),
        action_instance_id="i",
        completeness=Completeness.TRUNCATED,
        action_id="a",
        turn_id="t",
        sequence=7,
        create_time=NOW,
        client_message_id="c",
    )
    assert message_of(SimpleNamespace(**message_row(message))) == message


def test_an_instance_comes_back() -> None:
    """No field of an action instance is lost."""
    instance = ActionInstance(
        action_instance_id="i",
        phase_id="p",
        topic_id="t",
        action_id="a",
        action_type="ai_ask",
        ordinal=3,
        state=InstanceState.SKIPPED,
        round=2,
        memory={"note": [1]},
    )
    assert instance_of(SimpleNamespace(**instance_row(instance))) == instance


@pytest.mark.parametrize("scope", list(VariableScope))
def test_a_variable_comes_back(scope: VariableScope) -> None:
    """No field of a variable is lost, be it the session's or the user's."""
    value = VariableValue(
        name="n", value=[0], type="array", scope=scope, source="a", last_updated=NOW
    )
    value = replace(value, support=ValueSupport.CLIENT_WORDS, quote="零")
    stored = variable_row(value, NOW)
    if scope is VariableScope.GLOBAL:
        row = SimpleNamespace(**stored, writer="ses_1")
        assert global_of(row, "ses_1") == value
        assert not global_of(row, "ses_2").known
    assert variable_of(SimpleNamespace(**stored, **local_row(value))) == value
    left = replace(value, archived=True, scope_id="t/1")
    assert variable_of(SimpleNamespace(**stored, **local_row(left))) == left
