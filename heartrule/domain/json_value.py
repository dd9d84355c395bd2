"""What JSON can hold, as a type, the texts in it, and how deep they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    # A value of free data: configuration, variable values.
    JsonValue: TypeAlias = (
        None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
    )
else:
    JsonValue = Any  # whoever builds from annotations takes it as it is


def texts_in(value: JsonValue) -> Iterator[str]:
    """Yield every text of a value in its order, however deep it stands; no names of fields."""
    left = [value]  # in place of recursion: a value may nest deeper than Python calls do
    while left:
        each = left.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            left.extend(reversed([*each.values()]))
        elif isinstance(each, Sequence):
            left.extend(reversed(each))


def levels_in(value: JsonValue) -> Iterator[list[JsonValue]]:
    """Yield the mappings and lists of a value, those of one depth together; without recursion."""
    level = _containers([value])
    while level:
        yield level
        level = [inner for each in level for inner in _containers(inside(each))]


def is_deeper(value: JsonValue, most: int) -> bool:
    """Return whether more than `most` mappings and lists stand in one another."""
    return any(depth > most for depth, _ in enumerate(levels_in(value), start=1))


def inside(value: JsonValue) -> Iterable[JsonValue]:
    """Return the values of a mapping or list; nothing of anything else."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def _containers(values: Iterable[JsonValue]) -> list[JsonValue]:
    return [each for each in values if isinstance(each, Mapping | list | tuple)]
