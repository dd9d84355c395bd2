"""JSON values to and from google.protobuf.Value and Struct.

What a double, or a reader with the usual limit of 100 nested messages, cannot hold travels as text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from heartrule.domain.json_value import JsonValue

if TYPE_CHECKING:
    from google.protobuf.struct_pb2 import Struct, Value

# Integers beyond it, either way of 0, are not exact as doubles, which is what a Value holds.
EXACT = 2**53
# Levels of JSON written as such; each costs up to three of the hundred messages a reader nests.
DEEPEST = 24


def fill_value(value: JsonValue, target: Value, depth: int = 1) -> None:
    """Fill `target` with `value`; null is written as null, not left out.

    Raises:
        TypeError: `value` holds something JSON cannot express.
    """
    if isinstance(value, str):
        target.string_value = value
    elif value is None:
        target.null_value = 0  # type: ignore[assignment]  # NULL_VALUE; the stub wants the enum
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int | float):
        _fill_number(value, target)
    elif depth >= DEEPEST:
        target.string_value = json.dumps(value, ensure_ascii=False, default=_plain)
    else:
        _fill_container(value, target, depth)


def fill_struct(value: Mapping[str, JsonValue], target: Struct, depth: int = 0) -> None:
    """Make `target` hold the entries of `value`; an empty mapping sets nothing."""
    fields = target.fields
    for key, entry in value.items():
        fill_value(entry, fields[key], depth + 1)


def read_value(source: Value) -> JsonValue:
    """Return the value of `source`; numbers without a fraction come back as integers."""
    kind = source.WhichOneof("kind")
    if kind == "string_value":
        return source.string_value
    if kind == "number_value":
        return _number(source.number_value)
    if kind == "bool_value":
        return source.bool_value
    if kind == "struct_value":
        return read_struct(source.struct_value)
    if kind == "list_value":
        return [read_value(item) for item in source.list_value.values]
    return None


def read_struct(source: Struct) -> dict[str, JsonValue]:
    """Return the entries of `source`."""
    return {key: read_value(value) for key, value in source.fields.items()}


def _fill_number(value: float, target: Value) -> None:
    """Write a number, as text where a double would change it or JSON cannot express it."""
    if isinstance(value, int) and not -EXACT <= value <= EXACT:
        target.string_value = str(value)
    elif isinstance(value, float) and not math.isfinite(value):
        target.string_value = _word(value)
    else:
        target.number_value = value


def _fill_container(value: JsonValue, target: Value, depth: int) -> None:
    """Write an object or an array, empty ones too."""
    if isinstance(value, Mapping):
        target.struct_value.SetInParent()
        fill_struct(value, target.struct_value, depth)
    elif isinstance(value, Sequence):
        target.list_value.SetInParent()
        add = target.list_value.values.add
        for item in value:
            fill_value(item, add(), depth + 1)
    else:
        raise TypeError(f"JSON has no word for {type(value).__name__}")


def _number(value: float) -> int | float | str:
    """Return an integer where the number is one and exact."""
    if value.is_integer() and -EXACT <= value <= EXACT:
        return int(value)
    return value if math.isfinite(value) else _word(value)


def _word(value: float) -> str:
    """Return the word protobuf's JSON has for a number that is none."""
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _plain(value: object) -> object:
    """Return mappings and sequences that json does not know as those it does."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"JSON has no word for {type(value).__name__}")
