"""Which of several variables of one name is meant: topic, phase, session, global, then the archive.

0, false and "" are values like any other (RESOLUTIONS C19).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope, VariableValue

NEAREST_FIRST = (
    VariableScope.TOPIC,
    VariableScope.PHASE,
    VariableScope.SESSION,
    VariableScope.GLOBAL,
)
"""The order in which scopes answer."""
_ARCHIVE = len(NEAREST_FIRST)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariablePlace:
    """Where in the script a variable is looked up; empty ids before the first is entered."""

    phase_id: str = ""
    topic_id: str = ""

    def scope_id(self, scope: VariableScope) -> str:
        """Return the id variables of that scope bear here; empty for session and global."""
        if scope is VariableScope.TOPIC:
            return self.topic_id
        return self.phase_id if scope is VariableScope.PHASE else ""


def find_variable(
    values: Iterable[VariableValue], name: str, place: VariablePlace
) -> VariableValue | None:
    """Return the variable a name means at a place; None while nothing has set it."""
    return _nearest((value for value in values if value.name == name), place)


def visible_variables(
    values: Iterable[VariableValue], place: VariablePlace
) -> dict[str, JsonValue]:
    """Return every name that has a value at a place, with the value that counts there."""
    by_name: dict[str, list[VariableValue]] = {}
    for value in values:
        by_name.setdefault(value.name, []).append(value)
    nearest = ((name, _nearest(found, place)) for name, found in by_name.items())
    return {name: found.value for name, found in nearest if found is not None}


def is_live(value: VariableValue, place: VariablePlace) -> bool:
    """Say whether the value's scope is still entered; otherwise only the archive answers for it."""
    return not value.archived and value.scope_id == place.scope_id(value.scope)


def _nearest(values: Iterable[VariableValue], place: VariablePlace) -> VariableValue | None:
    return min(values, key=lambda value: _distance(value, place), default=None)


def _distance(value: VariableValue, place: VariablePlace) -> tuple[int, float, int]:
    """Order values: live ones by scope, then archived ones from the last written back."""
    breadth = NEAREST_FIRST.index(value.scope)
    if is_live(value, place):
        return breadth, 0.0, 0
    return _ARCHIVE, -((value.last_updated or _LONG_AGO) - _LONG_AGO).total_seconds(), breadth
