"""The working copy of a session's variables during one turn (RESOLUTIONS C19, C20; document 001).

Live values are kept by scope; the archive has the newest value of each name that left its scope.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from executor_service.scripts.model.script import Phase, Topic
from executor_service.scripts.model.settings import Declaration
from executor_service.variables.declared import (
    DECLARED,
    first_values,
    nearest_declaration,
    registration,
)
from executor_service.variables.keywords import NO_KEYWORDS
from executor_service.variables.lookup import (
    NAMED_SCOPES,
    SkillScope,
    VariablePlace,
    counting_values,
    into_archive,
    validate_store_structure,
    visible_variables,
)
from executor_service.variables.variable_changes import VariableChanges, operation_on
from heartrule.domain.errors import NotReady
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import (
    NO_PROVENANCE,
    Provenance,
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
    json_type,
)

LOG = logging.getLogger(__name__)
_Key = tuple[VariableScope, str, str]


class VariableStore:
    """Reads and writes variables at the place the turn has reached; committed step by step."""

    def __init__(
        self,
        values: Iterable[VariableValue],
        declarations: Iterable[Declaration] = (),
        *,
        phase: Phase | None = None,
        topic: Topic | None = None,
        skills: Sequence[SkillScope] = (),
        keyword_scope: Callable[[str], VariableScope | None] = NO_KEYWORDS.scope_of,
    ) -> None:
        """Continue with the variables of a session.

        Args:
            values: All its variables, archived ones and the user's globals too.
            declarations: The script's own, of global and session scope.
            phase: The phase entered before; None at the start.
            topic: The topic entered before.
            skills: Those running, the outermost first.
            keyword_scope: Scope of an undeclared name by its words; None lets the topic have it.

        Raises:
            NotReady: A stored value is not what its row claims.
        """
        held = tuple(values)
        validate_store_structure(held)
        self._values = {_key(value): value for value in held if not value.archived}
        self._archive: dict[str, VariableValue] = {}
        into_archive(self._archive, (value for value in held if value.archived))
        self._declarations = tuple(declarations)
        self._phase = phase
        self._topic = topic
        self._skills = list(skills)
        self._keyword_scope = keyword_scope
        # Dicts serve as ordered sets: a step commits its writes in the order they were made.
        self._written: dict[_Key, None] = {}
        self._archived: dict[str, None] = {}
        self._operations: list[VariableOperation] = []
        self._left: list[ScopeSnapshot] = []
        self._defined: dict[_Key, VariableDefinition] = {}
        self._visible: Mapping[str, JsonValue] | None = None

    @property
    def place(self) -> VariablePlace:
        """The place look-up starts from."""
        return VariablePlace(
            phase_id=self._phase.phase_id if self._phase else "",
            topic_id=self._topic.topic_id if self._topic else "",
            skill_scopes=tuple(skill.scope_id for skill in reversed(self._skills)),
        )

    def get(self, name: str) -> JsonValue:
        """Return the value the name has here; None while nothing has set it."""
        return self.visible().get(name)

    def visible(self) -> Mapping[str, JsonValue]:
        """Return all names that have a value here, for prompts, conditions and clients."""
        if self._visible is None:
            known = (*self._values.values(), *self._archive.values())
            self._visible = visible_variables(known, self.place)
        return self._visible

    def named(self, name: str) -> list[VariableValue]:
        """Return every variable of a name, archived ones too."""
        return [v for v in (*self._values.values(), *self._archive.values()) if v.name == name]

    def in_force(self, name: str) -> VariableValue | None:
        """Return the variable that answers for a name here; None while nothing has set it."""
        return counting_values(self.named(name), self.place).get(name)

    def scope_of(self, name: str) -> VariableScope:
        """Return the scope a name is written in: declared, by keyword, else the topic's."""
        declared = nearest_declaration(name, self._chain())
        if declared is not None:
            return declared.scope
        # A technique keeps its variables to itself, whatever their names are.
        by_keyword = None if self._skills else self._keyword_scope(name)
        return by_keyword or VariableScope.TOPIC

    def write(
        self,
        name: str,
        value: JsonValue,
        *,
        action_id: str,
        now: datetime,
        kind: VariableOperationKind | None = None,
        provenance: Provenance = NO_PROVENANCE,
    ) -> VariableValue:
        """Set a variable in its scope and record the operation.

        The first write of a name without a declaration registers it in that scope. Without a
        `kind` it is EXTRACT the first time, UPDATE over a value.

        Raises:
            NotReady: The name lives in a topic or phase, and none is entered.
        """
        scope = self.scope_of(name)
        scope_id = self.place.scope_id(scope)
        if not scope_id and scope in NAMED_SCOPES:
            raise NotReady(f"{name!r} lives in a {scope}, and none is entered", reason="NO_SCOPE")
        written = VariableValue(
            name=name,
            value=value,
            type=json_type(value),
            scope=scope,
            scope_id=scope_id,
            source=action_id,
            last_updated=now,
            support=provenance.support,
            quote=provenance.quote,
        )
        over = _key(written) in self._values
        if nearest_declaration(name, self._chain()) is None:
            self._register(written, first=not over)
        usual = VariableOperationKind.UPDATE if over else VariableOperationKind.EXTRACT
        self._put(written, kind or usual)
        return written

    def holds(self, name: str, value: JsonValue) -> bool:
        """Return whether a write of the value would change nothing in its scope."""
        scope = self.scope_of(name)
        held = self._values.get((scope, self.place.scope_id(scope), name))
        return held is not None and held.type == json_type(value) and held.value == value

    def enter_phase(self, phase: Phase, now: datetime) -> None:
        """Leave the phase before and enter one; its declared values hold from now on."""
        self.leave_phase()
        self._phase, self._visible = phase, None
        self._declare(VariableScope.PHASE, now)

    def enter_topic(self, topic: Topic, now: datetime) -> None:
        """Leave the topic before and enter one of the same phase, with its declared values."""
        self.leave_topic()
        self._topic, self._visible = topic, None
        self._declare(VariableScope.TOPIC, now)

    def enter_skill(
        self, skill: SkillScope, inputs: Mapping[str, JsonValue], *, action_id: str, now: datetime
    ) -> None:
        """Enter a skill; its declared values hold, and over them its inputs."""
        self._skills.append(skill)
        self._visible = None
        self._declare(VariableScope.TOPIC, now)
        for name, value in inputs.items():
            self.write(name, value, action_id=action_id, now=now, kind=VariableOperationKind.UPDATE)

    def of_skill(self) -> dict[str, VariableValue]:
        """Return the innermost skill's own variables."""
        held = self._held(VariableScope.TOPIC, self._skills[-1].scope_id)
        return {value.name: value for value in held}

    def leave_skill(
        self, outputs: Mapping[str, VariableValue], *, action_id: str, now: datetime
    ) -> None:
        """Write what the innermost skill yields where it was used, then delete what it held.

        `outputs` are its variables by their names outside.
        """
        skill = self._skills.pop()
        self._visible = None
        for name, held in outputs.items():
            self.write(name, held.value, action_id=action_id, now=now, provenance=held.provenance)
        self._leave(VariableScope.TOPIC, skill.scope_id)

    def leave_topic(self) -> None:
        """Move the topic's variables to the archive; nothing happens where none is entered."""
        if self._topic is not None:
            self._leave(VariableScope.TOPIC, self._topic.topic_id)
            self._topic = None

    def leave_phase(self) -> None:
        """Leave the topic, then move the phase's variables to the archive."""
        self.leave_topic()
        if self._phase is not None:
            self._leave(VariableScope.PHASE, self._phase.phase_id)
            self._phase = None

    def leave_session(self) -> None:
        """Leave everything, the session's own scope too; only globals and the archive remain."""
        self.leave_phase()
        self._leave(VariableScope.SESSION, "")

    def take_changes(self) -> VariableChanges:
        """Return what changed since this was last asked; the next step begins with nothing."""
        written = (self._values[key] for key in self._written)
        changes = VariableChanges(
            variables=(*written, *(self._archive[name] for name in self._archived)),
            operations=tuple(self._operations),
            scopes_left=tuple(self._left),
            definitions=tuple(self._defined.values()),
        )
        self._written, self._archived, self._defined = {}, {}, {}
        self._operations, self._left = [], []
        return changes

    def _chain(self) -> tuple[tuple[Declaration, ...], ...]:
        """Return the declarations seen from here, the innermost first."""
        if self._skills:
            return (self._skills[-1].topic.declarations,)
        topic = self._topic.declarations if self._topic else ()
        return topic, self._phase.declarations if self._phase else (), self._declarations

    def _declare(self, scope: VariableScope, now: datetime) -> None:
        scope_id = self.place.scope_id(scope)
        for value in first_values(self._chain(), scope, scope_id=scope_id, now=now):
            self._put(value, VariableOperationKind.UPDATE)

    def _put(self, value: VariableValue, kind: VariableOperationKind) -> None:
        self._values[_key(value)] = value
        self._visible = None
        self._written[_key(value)] = None
        self._record(kind, value, action_id="" if value.source == DECLARED else value.source)

    def _record(self, kind: VariableOperationKind, value: VariableValue, *, action_id: str) -> None:
        self._operations.append(operation_on(value, kind, action_id=action_id))

    def _register(self, value: VariableValue, *, first: bool) -> None:
        """Define a name by its first write; a user's global may be new to this session alone."""
        if first or value.scope is VariableScope.GLOBAL:
            self._defined[_key(value)] = registration(value)
        if first:
            LOG.info("Auto-registered variable %s in %s scope", value.name, value.scope)

    def _held(self, scope: VariableScope, scope_id: str) -> list[VariableValue]:
        return [v for v in self._values.values() if (v.scope, v.scope_id) == (scope, scope_id)]

    def _leave(self, scope: VariableScope, scope_id: str) -> None:
        """Delete what lives in a scope: a snapshot and the archive keep it."""
        held = self._held(scope, scope_id)
        for value in held:
            del self._values[_key(value)]
            self._written.pop(_key(value), None)
            self._record(VariableOperationKind.DELETE, value, action_id="")
        archived = [replace(value, archived=True) for value in held]
        self._archived |= dict.fromkeys(into_archive(self._archive, archived))
        snapshot = {value.name: value.value for value in held}
        self._left.append(ScopeSnapshot(scope=scope, scope_id=scope_id, variables=snapshot))
        self._visible = None


def _key(value: VariableValue) -> _Key:
    return value.scope, value.scope_id, value.name
