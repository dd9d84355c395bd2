"""What a step of a turn did to variables."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.errors import InvalidPayload
from heartrule.domain.variables import (
    DefinitionOrigin,
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableChanges:
    """What a step has to commit."""

    variables: tuple[VariableValue, ...] = ()
    """The last value of each variable written, and what joined the archive."""
    operations: tuple[VariableOperation, ...] = ()
    """Every write and deletion, in order."""
    scopes_left: tuple[ScopeSnapshot, ...] = ()
    """In the order they were left, with what they held."""
    definitions: tuple[VariableDefinition, ...] = ()
    """Outputs written for the first time and not declared."""


def deletion(value: VariableValue) -> VariableOperation:
    """Return the operation of a value whose scope is left; the commit stamps its time."""
    return VariableOperation(
        action_id="",
        operation=VariableOperationKind.DELETE,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
    )


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


def cross_scope(name: str, *, home: VariableScope, asked: VariableScope) -> InvalidPayload:
    """Return the error of a write into another scope than a name lives in."""
    return InvalidPayload(
        f"{name!r} lives in the {home} scope; writing it in the {asked} scope is refused",
        reason="CROSS_SCOPE_WRITE",
        metadata={"variable": name, "scope": str(home), "asked_scope": str(asked)},
    )
