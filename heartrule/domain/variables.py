"""User variables: what a script's outputs and declarations hold (document 001 section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from heartrule.domain.json_value import JsonValue


class VariableScope(StrEnum):
    """How long a variable lives; look-up goes from topic to global."""

    GLOBAL = "global"
    """The user's, across sessions (RESOLUTIONS C32)."""
    SESSION = "session"
    PHASE = "phase"
    TOPIC = "topic"


class VariableOperationKind(StrEnum):
    """What was done to a variable."""

    EXTRACT = "extract"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableValue:
    """One variable in one scope."""

    name: str
    value: JsonValue
    type: str
    """string, number, boolean, array, object or null."""
    scope: VariableScope
    scope_id: str = ""
    """The phase's or topic's id; empty for session and global."""
    source: str = ""
    """The action that wrote it, or `declared`."""
    last_updated: datetime | None = None
    archived: bool = False
    """True after its scope was left: only the archive answers for it (RESOLUTIONS C19)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableOperation:
    """One write, in order (document 001, variableOperations)."""

    action_id: str
    operation: VariableOperationKind
    variable_name: str
    scope: VariableScope
    scope_id: str = ""
    value: JsonValue = None
    timestamp: datetime | None = None


def json_type(value: JsonValue) -> str:
    """Return the name document 001 gives to the type of `value`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if hasattr(value, "keys") else "array"
