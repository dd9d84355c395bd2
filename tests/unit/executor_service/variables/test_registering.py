"""Outputs nobody declared, registered by their first write (RESOLUTIONS C20)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.script import Phase, Topic
from executor_service.scripts.model.settings import Declaration
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.variables import VariableScope

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
KNOWN = Declaration(
    var="known", scope=VariableScope.TOPIC, place=SourcePlace(file="s.yaml", line=1, column=1)
)


def phase() -> Phase:
    """Return a phase."""
    return Phase(phase_id="p1", topics=())


def topic() -> Topic:
    """Return a topic."""
    return Topic(topic_id="t1", actions=())


def write(store: VariableStore, name: str) -> None:
    """Write a value as an action does."""
    store.write(name, "v", action_id="ask", now=NOW)


def test_the_first_write_registers_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    """An undeclared name becomes a definition of its scope; a declared one is known already."""
    store = VariableStore((), (KNOWN,), phase=phase(), topic=topic())
    with caplog.at_level("INFO"):
        for name in ("known", "x", "x"):
            write(store, name)
    (definition,) = store.take_changes().definitions
    assert (definition.name, definition.scope_id, definition.source) == ("x", "t1", "ask")
    assert [each.message for each in caplog.records] == [
        "Auto-registered variable x in topic scope"
    ]


def test_a_keyword_registers_in_its_scope() -> None:
    """A name with a word of the table is registered where the word says."""
    session = {"累积分": VariableScope.SESSION}.get
    store = VariableStore((), phase=phase(), topic=topic(), keyword_scope=session)
    write(store, "累积分")
    (definition,) = store.take_changes().definitions
    assert (definition.scope, definition.scope_id) == (VariableScope.SESSION, "")
