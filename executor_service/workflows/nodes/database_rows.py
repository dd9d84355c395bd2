"""What a DATABASE node reads, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import orjson

from executor_service.workflows.node_failed import failed
from executor_service.workflows.nodes.json_weight import MOST_WEIGHT, weight_of
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode

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
class WrittenRows:
    """What a query gave, as JSON: objects would be made in the event loop of who receives them."""

    data: bytes
    """A list of objects."""
    is_truncated: bool
    """Whether there was more than is kept."""

    def output(self) -> JsonValue:
        """Return the node's output.

        Raises:
            NodeFailed: UNREADABLE.
        """
        try:
            data = orjson.loads(self.data)
        except orjson.JSONDecodeError:
            raise failed(RunErrorCode.UNREADABLE, "a number of the rows is too large") from None
        return {"data": data, "row_count": len(data), "truncated": self.is_truncated}


def written_rows(rows: Iterable[bytes]) -> WrittenRows:
    """Keep rows in JSON until one is empty, or there are too many or too much."""
    kept: list[bytes] = []
    size = weight = 0
    is_over = False
    for row in rows:
        size += len(row)
        weight += weight_of(row) + 1
        is_over = size > MOST_BYTES or weight >= MOST_WEIGHT or len(kept) == MOST_ROWS or not row
        if is_over:
            break
        kept.append(row)
    return WrittenRows(data=b"[" + b",".join(kept) + b"]", is_truncated=is_over)


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
