"""Definitions of variables: the scope of a declared name, its first value, its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import Declaration
from executor_service.variables.lookup import NEAREST_FIRST
from heartrule.domain.variables import (
    DefinitionOrigin,
    VariableDefinition,
    VariableScope,
    VariableValue,
    json_type,
)

#: Source of a value that no action wrote.
DECLARED = "declared"


def nearest_declaration(name: str, chain: Iterable[Sequence[Declaration]]) -> Declaration | None:
    """Return the declaration that counts: the innermost, of the narrowest scope.

    Args:
        name: A variable.
        chain: Declarations as the topic, the phase and the session hold them, in that order.
    """
    for declarations in chain:
        matching = [made for made in declarations if made.var == name]
        if matching:
            return min(matching, key=lambda made: NEAREST_FIRST.index(made.scope))
    return None


def first_values(
    chain: Iterable[Sequence[Declaration]], scope: VariableScope, *, scope_id: str, now: datetime
) -> tuple[VariableValue, ...]:
    """Return the values a scope begins with when it is entered; the innermost declaration wins.

    A declaration without a value leaves its variable unset; 0, false and "" are values.
    """
    first: dict[str, VariableValue] = {}
    for made in (made for declarations in chain for made in declarations):
        if made.scope is scope and made.value is not None and made.var not in first:
            first[made.var] = VariableValue(
                name=made.var,
                value=made.value,
                type=json_type(made.value),
                scope=scope,
                scope_id=scope_id,
                source=DECLARED,
                last_updated=now,
            )
    return tuple(first.values())


def session_values(declarations: Sequence[Declaration], now: datetime) -> tuple[VariableValue, ...]:
    """Return what a new session begins with: its declared session and global values."""
    wide = (VariableScope.SESSION, VariableScope.GLOBAL)
    return tuple(
        value
        for scope in wide
        for value in first_values((declarations,), scope, scope_id="", now=now)
    )


def definitions_of(script: Script) -> tuple[VariableDefinition, ...]:
    """Return what a script declares, each under the session, phase or topic it counts in (C20)."""
    found = [_definition(made, "") for made in script.declarations]
    for phase in script.phases:
        found.extend(_definition(made, phase.phase_id) for made in phase.declarations)
        for topic in phase.topics:
            found.extend(_definition(made, topic.topic_id) for made in topic.declarations)
    return tuple(found)


def registration(value: VariableValue) -> VariableDefinition:
    """Return the definition of an output without a declaration, by its first write."""
    return VariableDefinition(
        name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
        origin=DefinitionOrigin.REGISTERED,
        source=value.source,
        create_time=value.last_updated,
    )


def _definition(made: Declaration, place: str) -> VariableDefinition:
    beside = made.scope is VariableScope.GLOBAL and made.place.file.endswith("global.yaml")
    return VariableDefinition(
        name=made.var,
        scope=made.scope,
        scope_id=place,
        type=made.type.value,
        define=made.define,
        value=made.value,
        origin=DefinitionOrigin.GLOBAL_FILE if beside else DefinitionOrigin.DECLARED,
    )
