"""Which variable of a name is meant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from executor_service.variables.lookup import (
    NEAREST_FIRST,
    VariablePlace,
    visible_variables,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope, VariableValue

HERE = VariablePlace(phase_id="p1", topic_id="t1")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def variable(
    scope: VariableScope,
    value: JsonValue,
    *,
    scope_id: str | None = None,
    archived: bool = False,
    minute: int = 0,
) -> VariableValue:
    """Return the variable `x` in a scope, by default the one entered."""
    return VariableValue(
        name="x",
        value=value,
        type="string",
        scope=scope,
        scope_id=HERE.scope_id(scope) if scope_id is None else scope_id,
        archived=archived,
        last_updated=NOON + timedelta(minutes=minute),
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_nearest_scope_answers(count: int) -> None:
    """Of any scopes that hold a name, the narrowest answers: topic, phase, session, global."""
    for scopes in combinations(NEAREST_FIRST, count):
        held = [variable(scope, str(scope)) for scope in reversed(scopes)]
        assert visible_variables(held, HERE) == {"x": str(scopes[0])}


@pytest.mark.parametrize("value", [0, False, "", None])
def test_falsy_values_are_values(value: JsonValue) -> None:
    """0, false, empty text and null in a near scope hide a value further out."""
    held = (variable(VariableScope.SESSION, "wide"), variable(VariableScope.TOPIC, value))
    assert visible_variables(held, HERE) == {"x": value}


def test_unset() -> None:
    """A name nothing has set means nothing."""
    assert "y" not in visible_variables((variable(VariableScope.TOPIC, 1),), HERE)


def test_archive_answers_last() -> None:
    """A left topic's value answers only where no scope entered holds the name."""
    left = variable(VariableScope.TOPIC, "old", scope_id="t0", archived=True, minute=9)
    assert visible_variables((left,), HERE) == {"x": "old"}
    wide = variable(VariableScope.GLOBAL, "wide")
    assert visible_variables((left, wide), HERE) == {"x": "wide"}


def test_last_written_of_the_archive() -> None:
    """Of several archived values the last written answers, whatever its scope was."""
    held = [
        variable(VariableScope.TOPIC, "early", scope_id="t0", archived=True, minute=1),
        variable(VariableScope.PHASE, "late", scope_id="p0", archived=True, minute=2),
        variable(VariableScope.TOPIC, "earliest", scope_id="t9", archived=True),
    ]
    assert visible_variables(held, HERE) == visible_variables(held[::-1], HERE) == {"x": "late"}


def test_a_name_entered_again() -> None:
    """An archived value of a topic of the same id is not the entered topic's."""
    held = (
        variable(VariableScope.TOPIC, "old", archived=True),
        variable(VariableScope.SESSION, "session"),
    )
    assert visible_variables(held, HERE) == {"x": "session"}


def test_another_topic_counts_as_left() -> None:
    """A topic's value answers from the archive once another topic is entered."""
    held = (
        variable(VariableScope.TOPIC, "other", scope_id="t0"),
        variable(VariableScope.GLOBAL, "wide"),
    )
    assert visible_variables(held, HERE) == {"x": "wide"}
