"""The working copy of a session's variables during one turn (RESOLUTIONS C19; document 001)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from executor_service.scripts.model import Declaration, Phase, Topic
from executor_service.variables.declared import DECLARED, first_values, nearest_declaration
from executor_service.variables.lookup import VariablePlace, find_variable, visible_variables
from heartrule.domain.errors import InvalidPayload, NotReady
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import (
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
    json_type,
)
from session_store.records import ScopeLeft

_Key = tuple[VariableScope, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableChanges:
    """What a step has to commit."""

    variables: tuple[VariableValue, ...] = ()
    """The last value of each variable written; those of a scope left since bear `archived`."""
    operations: tuple[VariableOperation, ...] = ()
    """Every write, in order."""
    scopes_left: tuple[ScopeLeft, ...] = ()
    """In the order they were left."""


def no_keywords(_name: str) -> VariableScope | None:
    """Know no keyword; stands where the keyword table of document 001 will."""
    return None


class VariableStore:
    """Reads and writes variables at the place the turn has reached; committed step by step."""

    def __init__(
        self,
        values: Iterable[VariableValue],
        declarations: Iterable[Declaration] = (),
        *,
        phase: Phase | None = None,
        topic: Topic | None = None,
        keyword_scope: Callable[[str], VariableScope | None] = no_keywords,
    ) -> None:
        """Take up a session where it stands.

        Args:
            values: All its variables, archived ones and the user's globals too.
            declarations: The script's own, of global and session scope.
            phase: The phase entered before; None at the start.
            topic: The topic entered before.
            keyword_scope: Scope of an undeclared name by its words; None lets the topic have it.
        """
        self._values = {_key(value): value for value in values}
        self._declarations = tuple(declarations)
        self._phase = phase
        self._topic = topic
        self._keyword_scope = keyword_scope
        self._written: dict[_Key, None] = {}
        self._operations: list[VariableOperation] = []
        self._left: list[ScopeLeft] = []

    @property
    def place(self) -> VariablePlace:
        """Where look-up starts from."""
        return VariablePlace(
            phase_id=self._phase.phase_id if self._phase else "",
            topic_id=self._topic.topic_id if self._topic else "",
        )

    def find(self, name: str) -> VariableValue | None:
        """Return the variable the name means here; None while nothing has set it."""
        return find_variable(self._values.values(), name, self.place)

    def get(self, name: str) -> JsonValue:
        """Return the value the name has here; None while nothing has set it."""
        found = self.find(name)
        return None if found is None else found.value

    def visible(self) -> dict[str, JsonValue]:
        """Return all names that have a value here, for prompts, conditions and clients."""
        return visible_variables(self._values.values(), self.place)

    def scope_of(self, name: str) -> VariableScope:
        """Return where a name is written: its declaration's scope, by keyword, else the topic."""
        declared = nearest_declaration(name, self._chain())
        if declared is not None:
            return declared.scope
        return self._keyword_scope(name) or VariableScope.TOPIC

    def write(
        self,
        name: str,
        value: JsonValue,
        *,
        action_id: str,
        now: datetime,
        kind: VariableOperationKind = VariableOperationKind.EXTRACT,
        scope: VariableScope | None = None,
    ) -> VariableValue:
        """Set a variable in its scope and record the operation.

        Args:
            name: The variable.
            value: Any value; 0, false and "" too.
            action_id: Who writes.
            now: When.
            kind: What kind of write it is.
            scope: The scope the writer means; None = wherever the name lives.

        Raises:
            InvalidPayload: `scope` is another than the name lives in.
            NotReady: The name lives in a topic or phase, and none is entered.
        """
        home = self.scope_of(name)
        if scope is not None and scope is not home:
            raise _across(name, home=home, asked=scope)
        scope_id = self.place.scope_id(home)
        if not scope_id and home in {VariableScope.TOPIC, VariableScope.PHASE}:
            raise NotReady(f"{name!r} lives in a {home}, and none is entered", reason="NO_SCOPE")
        written = VariableValue(
            name=name,
            value=value,
            type=json_type(value),
            scope=home,
            scope_id=scope_id,
            source=action_id,
            last_updated=now,
        )
        self._put(written, kind)
        return written

    def enter_phase(self, phase: Phase, now: datetime) -> None:
        """Leave what was entered and enter a phase; its declared values hold from now on."""
        self.leave_phase()
        self._phase = phase
        self._declare(VariableScope.PHASE, now)

    def enter_topic(self, topic: Topic, now: datetime) -> None:
        """Leave the topic before and enter one of the same phase, with its declared values."""
        self.leave_topic()
        self._topic = topic
        self._declare(VariableScope.TOPIC, now)

    def leave_topic(self) -> None:
        """Move the topic's variables to the archive; nothing happens where none is entered."""
        if self._topic is not None:
            self._archive(VariableScope.TOPIC)
            self._topic = None

    def leave_phase(self) -> None:
        """Leave the topic, then move the phase's variables to the archive."""
        self.leave_topic()
        if self._phase is not None:
            self._archive(VariableScope.PHASE)
            self._phase = None

    def take_changes(self) -> VariableChanges:
        """Return what changed since this was last asked; the next step begins with nothing."""
        changes = VariableChanges(
            variables=tuple(self._values[key] for key in self._written),
            operations=tuple(self._operations),
            scopes_left=tuple(self._left),
        )
        self._written, self._operations, self._left = {}, [], []
        return changes

    def _chain(self) -> tuple[tuple[Declaration, ...], ...]:
        """Return the declarations seen from here, the innermost first."""
        topic = self._topic.declarations if self._topic else ()
        return topic, self._phase.declarations if self._phase else (), self._declarations

    def _declare(self, scope: VariableScope, now: datetime) -> None:
        scope_id = self.place.scope_id(scope)
        for value in first_values(self._chain(), scope, scope_id=scope_id, now=now):
            self._put(value, VariableOperationKind.UPDATE)

    def _put(self, value: VariableValue, kind: VariableOperationKind) -> None:
        self._values[_key(value)] = value
        self._written[_key(value)] = None
        self._operations.append(
            VariableOperation(
                action_id="" if value.source == DECLARED else value.source,
                operation=kind,
                variable_name=value.name,
                scope=value.scope,
                scope_id=value.scope_id,
                value=value.value,
                timestamp=value.last_updated,
            )
        )

    def _archive(self, scope: VariableScope) -> None:
        scope_id = self.place.scope_id(scope)
        self._left.append(ScopeLeft(scope=scope, scope_id=scope_id))
        for key, value in self._values.items():
            if (value.scope, value.scope_id) == (scope, scope_id):
                self._values[key] = replace(value, archived=True)


def _key(value: VariableValue) -> _Key:
    return value.scope, value.scope_id, value.name


def _across(name: str, *, home: VariableScope, asked: VariableScope) -> InvalidPayload:
    return InvalidPayload(
        f"{name!r} lives in the {home} scope; writing it in the {asked} scope is refused",
        reason="CROSS_SCOPE_WRITE",
        metadata={"variable": name, "scope": str(home), "asked_scope": str(asked)},
    )
