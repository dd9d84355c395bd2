"""What JSON can hold, as a type, and the texts in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
