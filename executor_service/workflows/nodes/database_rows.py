"""What a DATABASE node reads, and how much of it."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import orjson

from executor_service.workflows.nodes.json_weight import MOST_WEIGHT, weight_of
from heartrule.domain.json_value import JsonValue

MOST_ROWS = 10_000
MOST_BYTES = 4_000_000
"""Of all rows, as JSON."""
_INT64 = 1 << 63
Bound: TypeAlias = "None | bool | int | float | str | list[Bound]"
"""A value as both databases take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseQuery:
    """One statement that reads."""

    text: str
    """Its parameters are `$1`, `$2` and so on."""
    values: tuple[JsonValue, ...] = field(default=(), repr=False)
    """Those of its parameters, in order."""
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseRows:
    """What a query gave."""

    data: tuple[JsonValue, ...]
    is_truncated: bool = False
    """Whether there was more than is kept."""

    def output(self) -> JsonValue:
        """Return the node's output."""
        return {
            "data": list(self.data),
            "row_count": len(self.data),
            "truncated": self.is_truncated,
        }


def taken(rows: Iterable[Mapping[str, Any]]) -> DatabaseRows:
    """Take rows as JSON holds them, until there are too many or too much."""
    kept: list[JsonValue] = []
    measure = RowMeasure()
    for row in rows:
        plain = {name: _plain(value) for name, value in row.items()}
        if not measure.takes(orjson.dumps(plain)):
            return DatabaseRows(data=tuple(kept), is_truncated=True)
        kept.append(plain)
    return DatabaseRows(data=tuple(kept))


class RowMeasure:
    """Counts rows, their bytes and the work of reading them."""

    def __init__(self) -> None:
        """Nothing is taken yet."""
        self._rows = self._bytes = self._weight = 0

    def takes(self, row: bytes) -> bool:
        """Count a row in JSON; False where it is one too many."""
        self._rows += 1
        self._bytes += len(row)
        self._weight += weight_of(row) + 1
        within = self._bytes <= MOST_BYTES and self._weight < MOST_WEIGHT
        return within and self._rows <= MOST_ROWS


def _plain(value: float | str | bytes | None) -> JsonValue:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def bound_value(value: JsonValue) -> Bound:
    """Return a value that can be bound: objects become JSON, lists stay lists of such values."""
    if isinstance(value, Mapping):
        return orjson.dumps(value).decode()
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, list | tuple):
        return [bound_value(each) for each in value]
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return str(value)
    assert value is None or isinstance(value, bool | int | float)
    return value
