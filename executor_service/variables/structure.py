"""What a stored value must be: of the type, the scope and the name its row claims (001, 2.2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heartrule.domain.errors import NotReady
from heartrule.domain.variables import VariableScope, VariableValue, json_type, later_of

_NAMED = frozenset({VariableScope.PHASE, VariableScope.TOPIC})
"""Scopes that are one of many and bear an id."""


def validate_store_structure(values: Iterable[VariableValue]) -> None:
    """Return where every value is what its row claims; document 001's validateStoreStructure.

    Raises:
        NotReady: One is not; every such variable is named, none of their values is told.
    """
    wrong = [f"{value.name!r}: {trouble}" for value in values for trouble in _troubles(value)]
    if wrong:
        raise NotReady(
            f"stored variables are not what they claim: {'; '.join(wrong)}",
            reason="VARIABLE_STORE_INVALID",
            metadata={"count": str(len(wrong))},
        )


def into_archive(archive: dict[str, VariableValue], values: Iterable[VariableValue]) -> list[str]:
    """Archive what is newer than what the archive has, and return the names."""
    taken = []
    for value in values:
        known = archive.get(value.name)
        if known is None or later_of(known, value) is value:
            archive[value.name] = value
            taken.append(value.name)
    return taken


def _troubles(value: VariableValue) -> Iterator[str]:
    if not value.name:
        yield "has no name"
    if value.type != json_type(value.value):
        yield f"claims to be {value.type} and is {json_type(value.value)}"
    if (value.scope in _NAMED) != bool(value.scope_id):
        has = "no id" if value.scope in _NAMED else "an id"
        yield f"its {value.scope} has {has}"
