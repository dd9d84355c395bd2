"""Declarations: where a declared name lives, and the values it begins with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from executor_service.scripts.model import Declaration
from executor_service.variables.lookup import NEAREST_FIRST
from heartrule.domain.variables import VariableScope, VariableValue, json_type

DECLARED = "declared"
"""Source of a value that no action wrote."""


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
