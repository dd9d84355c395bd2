"""What JSON can hold, as a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    # A value of free data: configuration, variable values.
    JsonValue: TypeAlias = (
        None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
    )
else:
    JsonValue = Any  # whoever builds from annotations takes it as it is
