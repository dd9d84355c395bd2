"""Stored values are what they claim (document 001, validateStoreStructure)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from executor_service.variables.lookup import validate_store_structure
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.errors import NotReady
from heartrule.domain.variables import VariableScope, VariableValue, later_of

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
GOOD = VariableValue(
    name="年龄", value=25, type="number", scope=VariableScope.TOPIC, scope_id="t1", last_updated=NOW
)
WRONG = [
    replace(GOOD, type="string"),
    replace(GOOD, value=None),
    replace(GOOD, name=""),
    replace(GOOD, scope_id=""),
    replace(GOOD, scope=VariableScope.SESSION),
]


def test_a_sound_store_passes() -> None:
    """Values of every scope, archived ones too, are accepted as they are."""
    wide = replace(GOOD, scope=VariableScope.SESSION, scope_id="")
    validate_store_structure((GOOD, wide, replace(GOOD, archived=True)))


@pytest.mark.parametrize("wrong", WRONG)
def test_a_row_that_lies_is_refused(wrong: VariableValue) -> None:
    """A type, name or scope that does not fit stops the turn with a named error."""
    with pytest.raises(NotReady) as refused:
        VariableStore((GOOD, wrong))
    assert refused.value.reason == "VARIABLE_STORE_INVALID"


def test_all_wrong_rows_are_named_without_their_values() -> None:
    """The error names every variable, and none of what the client said."""
    secret = replace(GOOD, name="秘密", value="不可说", type="number")
    with pytest.raises(NotReady) as refused:
        validate_store_structure((secret, WRONG[0]))
    assert refused.value.metadata == {"count": "2"}
    assert "秘密" in refused.value.message
    assert "不可说" not in refused.value.message


@pytest.mark.parametrize("gap", [timedelta(0), timedelta(seconds=1)])
def test_the_later_value_answers(gap: timedelta) -> None:
    """Of two archived values the one written last answers; at one time the narrower scope's."""
    wide = replace(GOOD, scope=VariableScope.PHASE, scope_id="p", last_updated=NOW + gap)
    expected = wide if gap else GOOD
    assert (later_of(GOOD, wide), later_of(wide, GOOD)) == (expected, expected)


def test_a_value_without_a_time_is_the_older() -> None:
    """What does not say when it was written gives way."""
    timeless = replace(GOOD, last_updated=None)
    assert later_of(timeless, GOOD) is GOOD
    assert later_of(GOOD, timeless) is GOOD
