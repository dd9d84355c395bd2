"""Look-up of a variable by its name: topic, phase, session, global, then the archive.

0, false and "" are values like any other (RESOLUTIONS C19).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from executor_service.scripts.model.script import Topic
from heartrule.domain.errors import NotReady
from heartrule.domain.json_value import JsonValue
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.variables import VariableScope, VariableValue, json_type, later_of

#: The order in which scopes answer.
NEAREST_FIRST = (
    VariableScope.TOPIC,
    VariableScope.PHASE,
    VariableScope.SESSION,
    VariableScope.GLOBAL,
)
# Farther than every scope, so that a live value always wins over an archived one.
_ARCHIVE = sys.maxsize
_Levels: TypeAlias = Mapping[tuple[VariableScope, str], int]
# A value without a time counts as older than every other.
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariablePlace:
    """Where in the script a variable is looked up; empty ids before the first is entered."""

    phase_id: str = ""
    topic_id: str = ""
    skill_scopes: tuple[str, ...] = ()
    """Ids of the topic scopes of the skills around, the innermost first (RESOLUTIONS C34)."""

    def scope_id(self, scope: VariableScope) -> str:
        """Return the id of that scope here; empty for session and global."""
        if scope is VariableScope.TOPIC:
            return self.skill_scopes[0] if self.skill_scopes else self.topic_id
        return self.phase_id if scope is VariableScope.PHASE else ""

    def levels(self) -> tuple[tuple[VariableScope, str], ...]:
        """Return the scopes that answer here with their ids, the nearest first."""
        skills = ((VariableScope.TOPIC, each) for each in self.skill_scopes)
        return (
            *skills,
            (VariableScope.TOPIC, self.topic_id),
            (VariableScope.PHASE, self.phase_id),
            (VariableScope.SESSION, ""),
            (VariableScope.GLOBAL, ""),
        )


def place_at(position: ExecutionPosition) -> VariablePlace:
    """Return where a session's position looks variables up."""
    inner = reversed(position.skill_instance_ids)
    return VariablePlace(
        phase_id=position.phase_id,
        topic_id=position.topic_id,
        skill_scopes=tuple(skill_scope_id(position.topic_id, skill) for skill in inner),
    )


def skill_scope_id(topic_id: str, skill_instance_id: str) -> str:
    """Return the id of the topic scope that a running skill's variables live in (C34)."""
    return f"{topic_id}/{skill_instance_id}"


def visible_variables(
    values: Iterable[VariableValue], place: VariablePlace
) -> dict[str, JsonValue]:
    """Return every name that has a value at a place, with the value that counts there."""
    return {name: found.value for name, found in counting_values(values, place).items()}


def counting_values(
    values: Iterable[VariableValue], place: VariablePlace
) -> dict[str, VariableValue]:
    """Return the variable that answers for each name at a place."""
    by_name: dict[str, list[VariableValue]] = {}
    for value in values:
        by_name.setdefault(value.name, []).append(value)
    levels = {level: distance for distance, level in enumerate(place.levels())}
    return {
        name: min(found, key=lambda value: _distance(value, levels))
        for name, found in by_name.items()
    }


def _distance(value: VariableValue, levels: _Levels) -> tuple[int, float, int]:
    """Order values: live ones by scope, then archived ones from the last written back."""
    live = None if value.archived else levels.get((value.scope, value.scope_id))
    if live is not None:
        return live, 0.0, 0
    ago = ((value.last_updated or _LONG_AGO) - _LONG_AGO).total_seconds()
    return _ARCHIVE, -ago, NEAREST_FIRST.index(value.scope)


#: Scopes that are one of many and have an id.
NAMED_SCOPES = frozenset({VariableScope.PHASE, VariableScope.TOPIC})


def validate_store_structure(values: Iterable[VariableValue]) -> None:
    """Check that every value is what its row claims; document 001's validateStoreStructure.

    Raises:
        NotReady: One is not; the error names every such variable and holds none of their values.
    """
    wrong = [f"{value.name!r}: {trouble}" for value in values for trouble in _troubles(value)]
    if wrong:
        raise NotReady(
            f"stored variables are not what they claim: {'; '.join(wrong)}",
            reason="VARIABLE_STORE_INVALID",
            metadata={"count": str(len(wrong))},
        )


def into_archive(archive: dict[str, VariableValue], values: Iterable[VariableValue]) -> list[str]:
    """Archive the values that are newer than what the archive has, and return their names."""
    taken = []
    for value in values:
        known = archive.get(value.name)
        if known is None or later_of(known, value) is value:
            archive[value.name] = value
            taken.append(value.name)
    return taken


def _troubles(value: VariableValue) -> Iterator[str]:
    if not value.name:
        yield "has no name"
    if value.type != json_type(value.value):
        yield f"claims to be {value.type} and is {json_type(value.value)}"
    if (value.scope in NAMED_SCOPES) != bool(value.scope_id):
        has = "no id" if value.scope in NAMED_SCOPES else "an id"
        yield f"its {value.scope} has {has}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillScope:
    """A topic scope of its own, inside the topic that uses the skill."""

    scope_id: str
    """See `lookup.skill_scope_id`."""
    topic: Topic
    """The technique's; it alone declares what is written inside."""
