"""What JSON can hold, as a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

# A value of free data: configuration, variable values.
JsonValue: TypeAlias = (
    "None | bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue]"
)
