"""Variables of another engine's session (document 001, migration of the flat `variables`)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from executor_service.variables.migration import migrate_state
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
BEFORE_ALL = "0001-01-01T00:00:00+14:00"
EARLIER = datetime(2025, 1, 1, tzinfo=UTC)


def migrated(state: dict[str, JsonValue]) -> dict[tuple[str, str, str], JsonValue]:
    """Return the values by scope, scope id and name."""
    found = migrate_state(state, NOW)
    assert {each.source for each in found} <= {"migrated"}
    return {(each.scope.value, each.scope_id, each.name): each.value for each in found}


def test_flat_variables_become_session_variables() -> None:
    """Every flat variable joins the session, empty values too."""
    flat: dict[str, JsonValue] = {"姓名": "小李", "年龄": 0, "已婚": False, "备注": ""}
    expected = {("session", "", name): value for name, value in flat.items()}
    assert migrated({"variables": flat}) == expected


def test_a_flat_object_is_a_value() -> None:
    """What looks like a record is a plain value among flat variables."""
    looks: dict[str, JsonValue] = {"value": 1, "type": "number"}
    assert migrated({"variables": {"x": looks}}) == {("session", "", "x"): looks}


def test_scopes_of_a_store_stay() -> None:
    """Global and session values keep their scope; a record gives its value."""
    state: dict[str, JsonValue] = {
        "variableStore": {
            "global": {"a": {"value": 1, "type": "number", "source": "x"}},
            "session": {"b": "乙"},
        }
    }
    assert migrated(state) == {("global", "", "a"): 1, ("session", "", "b"): "乙"}


def test_phases_and_topics_join_the_archive() -> None:
    """No new session has entered them: only the archive answers, by the time they were written."""
    state: dict[str, JsonValue] = {
        "variableStore": {
            "phase": {"p1": {"c": 1}},
            "topic": {"t1": {"d": {"value": 2, "lastUpdated": "2025-01-01T00:00:00Z"}}},
        }
    }
    found = {each.name: each for each in migrate_state(state, NOW)}
    assert all(each.archived for each in found.values())
    assert (found["c"].scope, found["c"].scope_id) == (VariableScope.PHASE, "p1")
    assert (found["d"].last_updated, found["c"].last_updated) == (EARLIER, NOW)


def test_a_stored_value_counts_before_a_flat_one() -> None:
    """Where a state holds both forms, the flat one fills what the store lacks."""
    state: dict[str, JsonValue] = {
        "variables": {"x": "flat", "y": "flat"},
        "variableStore": {"session": {"x": "stored"}},
    }
    assert migrated(state) == {("session", "", "x"): "stored", ("session", "", "y"): "flat"}


@pytest.mark.parametrize(
    ("state", "field"),
    [
        ({}, "imported_state"),
        ({"position": {}}, "imported_state"),
        ({"variables": [1]}, "imported_state.variables"),
        ({"variableStore": "x"}, "imported_state.variableStore"),
        ({"variableStore": {"world": {}}}, "imported_state.variableStore.world"),
        ({"variableStore": {"topic": {"t": 1}}}, "imported_state.variableStore.topic.t"),
        ({"variableStore": {"topic": {"": {"x": 1}}}}, "imported_state.variableStore.topic."),
        ({"variables": {"": 1}}, "imported_state.variables."),
        (
            {"variableStore": {"session": {"x": {"value": 1, "type": "string"}}}},
            "imported_state.variableStore.session.x.type",
        ),
        (
            {"variableStore": {"session": {"x": {"value": 1, "scope": "topic"}}}},
            "imported_state.variableStore.session.x.scope",
        ),
        (
            {"variableStore": {"session": {"x": {"value": 1, "lastUpdated": "heute"}}}},
            "imported_state.variableStore.session.x.lastUpdated",
        ),
        (
            {"variableStore": {"session": {"x": {"value": 1, "lastUpdated": BEFORE_ALL}}}},
            "imported_state.variableStore.session.x.lastUpdated",
        ),
    ],
)
def test_another_shape_is_refused(state: dict[str, JsonValue], field: str) -> None:
    """What is not what it claims is named by its path, and nothing is taken over."""
    with pytest.raises(InvalidRequest) as refused:
        migrate_state(state, NOW)
    assert refused.value.reason == "IMPORTED_STATE_INVALID"
    assert [each.field for each in refused.value.violations] == [field]
