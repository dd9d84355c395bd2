"""What a step of a test does to a variable: its operation, and the scope it leaves."""

from __future__ import annotations

from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
    VariableValue,
)


def writing(value: VariableValue) -> VariableOperation:
    """Return the operation of a value's first write."""
    return VariableOperation(
        action_id=value.source,
        operation=VariableOperationKind.EXTRACT,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
        value=value.value,
    )


def leaving(value: VariableValue) -> ScopeSnapshot:
    """Return the snapshot of a scope that held nothing else."""
    held = {value.name: value.value}
    return ScopeSnapshot(scope=value.scope, scope_id=value.scope_id, variables=held)


def defining(value: VariableValue) -> VariableDefinition:
    """Return the definition of a value's name in its scope."""
    return VariableDefinition(name=value.name, scope=value.scope, scope_id=value.scope_id)
