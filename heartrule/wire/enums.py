"""Enums to and from enum numbers, by the name behind the prefix: `ROLE_CLIENT`, Role.CLIENT."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from heartrule.wire.memo import once

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

E = TypeVar("E", bound=Enum)

UNSPECIFIED = "UNSPECIFIED"


@once
def numbers(enum: type[E], descriptor: EnumDescriptor) -> dict[E, int]:
    """Return the number of each member.

    Raises:
        TypeError: the contract has no value for a member, or one without a member.
    """
    prefix = descriptor.values_by_number[0].name.removesuffix(UNSPECIFIED)
    by_name = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
    by_name.pop(UNSPECIFIED)
    if set(by_name) != {member.name for member in enum}:
        raise TypeError(f"{enum.__name__} and {descriptor.full_name} differ")
    return {member: by_name[member.name] for member in enum}


@once
def members(enum: type[E], descriptor: EnumDescriptor) -> dict[int, E]:
    """Return the member of each number; UNSPECIFIED has none."""
    return {number: member for member, number in numbers(enum, descriptor).items()}


def known(values: Iterable[int], enum: type[E], descriptor: EnumDescriptor) -> frozenset[E]:
    """Return the members that `values` name, dropping every value this side does not know."""
    table = members(enum, descriptor)
    return frozenset(table[value] for value in values if value in table)
