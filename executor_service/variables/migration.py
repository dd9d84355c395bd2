"""Variables of another engine, as the first ones of a session (document 001, 2.2.1 and 5.2).

Its flat `variables` become session variables; of its `variableStore`, global and session values
stay what they are, and those of phases and topics, which no new session has entered, are archived.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from executor_service.variables.lookup import NAMED_SCOPES
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope, VariableValue, json_type

#: Source of every value that came from elsewhere.
MIGRATED = "migrated"
#: Bytes of UTF-8 in a name.
LONGEST_NAME = 256
#: Keys of a stored value; an object with others is a value itself.
_STORED = frozenset({"value", "type", "lastUpdated", "source", "scope", "history"})


def migrate_state(state: Mapping[str, JsonValue], now: datetime) -> tuple[VariableValue, ...]:
    """Return the variables of an imported state; a stored value counts before a flat one.

    Args:
        state: `{variables: {name: value}}`, `{variableStore: {global, session, phase, topic}}` or
            both; further keys are not about variables.
        now: When values that name no time of their own were written.

    Raises:
        InvalidRequest: It holds neither, or something in it has another shape; all is named.
    """
    reading = _StateReading(now)
    flat = reading.scope(state.get("variables"), "variables", VariableScope.SESSION, raw=True)
    found = {(v.scope, v.scope_id, v.name): v for v in flat}
    found |= {(v.scope, v.scope_id, v.name): v for v in reading.store(state.get("variableStore"))}
    if "variables" not in state and "variableStore" not in state:
        reading.wrong("", "holds neither `variables` nor `variableStore`")
    reading.refuse()
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Entry:
    """One name of a state, and its place there."""

    name: str
    value: JsonValue
    path: str


class _StateReading:
    """A state being read, and the violations found in it."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._violations: list[FieldViolation] = []

    def wrong(self, path: str, description: str) -> None:
        """Add a violation at a path."""
        at = f"imported_state.{path}" if path else "imported_state"
        self._violations.append(FieldViolation(field=at, description=description))

    def refuse(self) -> None:
        """Raise InvalidRequest where there are violations."""
        if self._violations:
            first = self._violations[0]
            raise InvalidRequest(
                f"{first.field}: {first.description}",
                reason="IMPORTED_STATE_INVALID",
                violations=self._violations,
            )

    def store(self, stored: JsonValue) -> Iterator[VariableValue]:
        """Yield the values of a `variableStore`."""
        scopes = self._object(stored, "variableStore")
        for unknown in scopes.keys() - set(VariableScope):
            self.wrong(
                f"variableStore.{unknown}",
                "is no scope; those are global, session, phase and topic",
            )
        for scope in VariableScope:
            path = f"variableStore.{scope}"
            if scope not in NAMED_SCOPES:
                yield from self.scope(scopes.get(scope), path, scope)
                continue
            for scope_id, inside in self._object(scopes.get(scope), path).items():
                yield from self.scope(inside, f"{path}.{scope_id}", scope, scope_id=scope_id)

    def scope(
        self,
        values: JsonValue,
        path: str,
        scope: VariableScope,
        *,
        scope_id: str = "",
        raw: bool = False,
    ) -> Iterator[VariableValue]:
        """Yield the values of one scope; `raw`: as they are, never a value with its record."""
        if scope in NAMED_SCOPES and not scope_id:
            self.wrong(path, "a phase or topic needs an id")
        for name, value in self._object(values, path).items():
            entry = _Entry(name, value, f"{path}.{name}")
            if not name or len(name.encode()) > LONGEST_NAME or "\0" in name:
                self.wrong(entry.path, f"a name has 1 to {LONGEST_NAME} bytes and no U+0000")
                continue
            plain = raw or not _is_record(value)
            content = value if plain else self._object(value, entry.path)["value"]
            yield VariableValue(
                name=name,
                value=content,
                type=json_type(content),
                scope=scope,
                scope_id=scope_id,
                source=MIGRATED,
                last_updated=self._now if plain else self._checked(entry, scope, content),
                archived=scope in NAMED_SCOPES,
            )

    def _checked(self, entry: _Entry, scope: VariableScope, content: JsonValue) -> datetime:
        """Return when a record was written; note where it is not what it claims."""
        record = self._object(entry.value, entry.path)
        if record.get("type", json_type(content)) != json_type(content):
            claims = f"claims to be {record['type']} and is {json_type(content)}"
            self.wrong(f"{entry.path}.type", claims)
        if record.get("scope", scope) != scope:
            self.wrong(f"{entry.path}.scope", f"says {record['scope']} and stands in {scope}")
        written = record.get("lastUpdated")
        if written is None:
            return self._now
        try:
            at = datetime.fromisoformat(str(written))
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):  # the latter: no year from 1 to 9999 in UTC
            self.wrong(f"{entry.path}.lastUpdated", "is no ISO 8601 time")
            return self._now

    def _object(self, value: JsonValue, path: str) -> Mapping[str, JsonValue]:
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return value
        self.wrong(path, "must be an object")
        return {}


def _is_record(value: JsonValue) -> bool:
    return isinstance(value, Mapping) and "value" in value and value.keys() <= _STORED
