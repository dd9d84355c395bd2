"""What a step commits of the variables, and how one change is recorded (document 001)."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
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


def operation_on(
    value: VariableValue, kind: VariableOperationKind, *, action_id: str
) -> VariableOperation:
    """Return the record of an operation; a deletion has no value, its commit gives its time."""
    deleted = kind is VariableOperationKind.DELETE
    return VariableOperation(
        action_id=action_id,
        operation=kind,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
        value=None if deleted else value.value,
        timestamp=None if deleted else value.last_updated,
        support=None if deleted else value.support,
        quote="" if deleted else value.quote,
    )
