"""What a step of a turn did to variables."""

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
    """Outputs written for the first time that nobody declared."""


def deletion(value: VariableValue) -> VariableOperation:
    """Return the operation of a value whose scope is left; the commit stamps its time."""
    return VariableOperation(
        action_id="",
        operation=VariableOperationKind.DELETE,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
    )
