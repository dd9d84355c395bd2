"""ListVariables with the values a variable had before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from executor_service.rpc.history_rpcs import HistoryRpcs, history_of
from heartrule.domain.variables import (
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)
from heartrule.v1 import session_pb2
from session_store.open import open_in_memory
from tests.support.store_builders import accept, begun, last_step, new_session, opening, said
from tests.support.turn_builders import OneScript

NOWHERE = cast("Any", None)
NOW = datetime(2026, 11, 21, tzinfo=UTC)
DONE = VariableOperation(
    action_id="ask",
    operation=VariableOperationKind.UPDATE,
    variable_name="x",
    scope=VariableScope.SESSION,
    value=3,
    timestamp=NOW,
)
VALUE = VariableValue(
    name="x",
    value=3,
    type="number",
    scope=VariableScope.SESSION,
    source="ask",
    last_updated=NOW,
)


def before(minutes: int, value: int, **changes: Any) -> VariableOperation:
    """Return an earlier operation."""
    return replace(DONE, value=value, timestamp=NOW - timedelta(minutes=minutes), **changes)


def test_the_value_itself_is_no_history() -> None:
    """Entries are what was before, newest first, at most as many as are wanted."""
    found = history_of(VALUE, [DONE, before(1, 2), before(2, 1), before(3, 0)], 2)
    assert [each.value for each in found] == [2, 1]


def test_other_scopes_and_deletions_are_passed_over() -> None:
    """A topic's variable of the same name has a history of its own."""
    other = before(1, 9, scope=VariableScope.TOPIC, scope_id="t")
    gone = before(2, 8, operation=VariableOperationKind.DELETE)
    found = history_of(VALUE, [DONE, other, gone, before(3, 1)], 5)
    assert [each.value for each in found] == [1]


def test_a_declared_value_precedes_its_first_write() -> None:
    """A value no operation of which is the newest keeps them all as its history."""
    assert [each.value for each in history_of(VALUE, [before(1, 2)], 5)] == [2]


async def test_history_comes_where_it_is_asked_for() -> None:
    """Without history_size none is read; with it, what the operations tell."""
    store = open_in_memory()
    key = (await store.create_session(new_session(tenant="default"))).key
    await store.commit_step((s := await opening(store, key)).lease, last_step(s, said("hi")))
    await accept(store, key)
    turn = await begun(store, key)
    step = replace(last_step(turn), variables=(VALUE,), operations=(before(1, 2), DONE))
    await store.commit_step(turn.lease, step)
    rpcs = HistoryRpcs(store, OneScript())
    for size, expected in ((0, []), (5, [2])):
        request = session_pb2.ListVariablesRequest(session_id=key.session_id, history_size=size)
        (value,) = (await rpcs.ListVariables(request, NOWHERE)).variables
        assert [entry.value.number_value for entry in value.history] == expected
