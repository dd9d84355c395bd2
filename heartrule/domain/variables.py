"""User variables: what a script's outputs and declarations hold (document 001 section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from heartrule.domain.json_value import JsonValue


class VariableScope(StrEnum):
    """The lifetime of a variable; look-up goes from topic to global."""

    GLOBAL = "global"
    """The user's, across sessions (RESOLUTIONS C32)."""
    SESSION = "session"
    PHASE = "phase"
    TOPIC = "topic"


# The enum's order, from the widest to the narrowest, decides which of two equal values counts.
_SCOPES = tuple(VariableScope)


class ValueSupport(StrEnum):
    """What the value of a variable rests on."""

    CLIENT_WORDS = "client_words"
    """Its quote stands in words of the client that the prompt held."""
    FORM = "form"
    """The client submitted it in a form."""
    UNQUOTED = "unquoted"
    """A template that asks for no quotes; the client's words do not hold the value itself."""
    INFERRED = "inferred"
    """A model concluded it: an output of ai_think, or one that the script says is inferred."""
    RUN = "run"
    """A run of a workflow gave it; what wrote it is the run, and the node where it was one."""


#: Support by the client's own words or form answers: such a value is known in its session.
GIVEN_BY_CLIENT = frozenset({ValueSupport.CLIENT_WORDS, ValueSupport.FORM})


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What a value rests on, and the client's words for it."""

    support: ValueSupport | None = None
    """None for a declaration, an import, a skill's input."""
    quote: str = ""
    """Empty where nothing was quoted."""

    @property
    def known(self) -> bool:
        """Return whether the client gave the value in this session, in words or in a form."""
        return self.support in GIVEN_BY_CLIENT


#: Of a value that nobody gave in this session.
NO_PROVENANCE = Provenance()


class VariableOperationKind(StrEnum):
    """The kind of an operation on a variable."""

    EXTRACT = "extract"
    UPDATE = "update"
    DELETE = "delete"


class DefinitionOrigin(StrEnum):
    """The origin of a variable in a session."""

    DECLARED = "declared"
    """By `declare` in the script."""
    GLOBAL_FILE = "global_file"
    """By the global.yaml beside the script."""
    REGISTERED = "registered"
    """By the first write of an undeclared output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableHistoryEntry:
    """An earlier value of a variable (document 001, VariableHistoryEntry)."""

    value: JsonValue
    source: str = ""
    """The action that wrote it; empty for a declaration."""
    last_updated: datetime | None = None
    support: ValueSupport | None = None
    """What it rested on; None for a declaration, an import, a skill's input."""
    quote: str = ""
    """The client's words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableValue:
    """One variable in one scope."""

    name: str
    value: JsonValue
    type: str
    """string, number, boolean, array, object or null."""
    scope: VariableScope
    scope_id: str = ""
    """The phase's or topic's id, a skill's `<topic>/<instance>`; empty for session and global."""
    source: str = ""
    """The action that wrote it, the run (and its node, as `run_1/node_2`), or `declared`."""
    last_updated: datetime | None = None
    archived: bool = False
    """True after its scope was left: only the archive answers for it (RESOLUTIONS C19)."""
    history: tuple[VariableHistoryEntry, ...] = ()
    """Its values before this one, newest first, a few of them, where they were asked for."""
    support: ValueSupport | None = None
    """What it rests on; None for a declaration, an import, a skill's input."""
    quote: str = ""
    """The client's words for it; empty where nothing was quoted."""

    @property
    def known(self) -> bool:
        """Return whether the client gave it in this session, in words or in a form."""
        return self.provenance.known

    @property
    def provenance(self) -> Provenance:
        """What it rests on."""
        return Provenance(support=self.support, quote=self.quote)


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
    support: ValueSupport | None = None
    """What the value rests on."""
    quote: str = ""
    """The client's words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableDefinition:
    """The declaration of a variable, or the record of its first write (RESOLUTIONS C20)."""

    name: str
    scope: VariableScope
    scope_id: str = ""
    """The phase or topic it counts in; empty: wherever its scope is entered."""
    type: str = "text"
    """The type the script asks for."""
    define: str = ""
    """The meaning, in the author's words."""
    value: JsonValue = None
    """Its first value; None leaves it unset."""
    origin: DefinitionOrigin = DefinitionOrigin.DECLARED
    source: str = ""
    """The action that wrote it first, where it is not declared."""
    create_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeSnapshot:
    """The variables of a scope when it was left (document 001, scopeSnapshots)."""

    scope: VariableScope
    scope_id: str = ""
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    """By name; every one of them was deleted from its scope."""
    turn_id: str = ""
    """Empty where the session ended outside a turn."""
    create_time: datetime | None = None


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


def later_of(one: VariableValue, other: VariableValue) -> VariableValue:
    """Return which of two archived values of a name answers: the one written last.

    Of two written at one time the narrower scope's answers, then `other`.
    """
    if one.last_updated is None or other.last_updated is None:
        return one if other.last_updated is None and one.last_updated is not None else other
    if one.last_updated != other.last_updated:
        return one if one.last_updated > other.last_updated else other
    narrower = _SCOPES.index(one.scope) > _SCOPES.index(other.scope)
    return one if narrower else other
