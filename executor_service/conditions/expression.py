"""A compiled condition: values are data, and an error never decides (Conditions)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from executor_service.conditions.source import Slot, SlotKind
from heartrule.domain.json_value import JsonValue

NO_VALUE = "NO_VALUE"
"""A variable it depends on has no value."""
WRONG_TYPE = "WRONG_TYPE"
"""A variable it depends on holds another type than declared."""
NOT_COMPUTABLE = "NOT_COMPUTABLE"
"""The values are there, but there is no result, such as a division by zero."""

TOO_LARGE = "TOO_LARGE"
"""The values are more than a condition reads at once."""

_MISSING = re.compile(r'No value with name "(\w+)"')
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The result of an expression for some values."""

    value: bool | None
    """None where it could not be evaluated."""
    reason: str = ""
    """UPPER_SNAKE where `value` is None, such as NO_VALUE, WRONG_TYPE."""
    variable: str = ""
    """The variable that stood in the way, where it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A checked condition over CEL; equal where the same text was compiled for the same types."""

    source: str
    slots: tuple[Slot, ...]
    # A cel.Expression. pydantic resolves this type, and would load the library with every script.
    program: Any = field(compare=False, repr=False)

    @property
    def names(self) -> frozenset[str]:
        """The script variables it reads."""
        return frozenset(slot.name for slot in self.slots)

    def evaluate(self, values: Mapping[str, JsonValue]) -> Evaluation:
        """Return its verdict on the values visible here; never raises.

        `&&` and `||` decide wherever one side alone decides, whatever is amiss with the other.
        """
        data = {slot.identifier: _value(slot, values) for slot in self.slots}
        bound = {name: value for name, value in data.items() if value is not None}
        try:
            result = self.program.eval(data=bound).value()
        except Exception:  # noqa: BLE001  a foreign library; whatever it raises is no decision
            return Evaluation(value=None, reason=NOT_COMPUTABLE)
        if isinstance(result, bool):
            return Evaluation(value=result)
        return self._undecided(str(result), values)

    def _undecided(self, error: str, values: Mapping[str, JsonValue]) -> Evaluation:
        missing = _MISSING.search(error)
        name = next(
            (slot.name for slot in self.slots if missing and slot.identifier == missing[1]), ""
        )
        if not name:
            return Evaluation(value=None, reason=NOT_COMPUTABLE)
        reason = NO_VALUE if values.get(name) is None else WRONG_TYPE
        return Evaluation(value=None, reason=reason, variable=name)


def _value(slot: Slot, values: Mapping[str, JsonValue]) -> JsonValue:
    """Return the variable's value in its declared type; None where it has none such."""
    value = values.get(slot.name)
    if slot.kind is SlotKind.PRESENT:
        return value is not None
    if slot.kind is SlotKind.RECORDS:
        return _records(value)
    if isinstance(value, bool) or slot.kind is SlotKind.BOOLEAN:
        return value if isinstance(value, bool) and slot.kind is SlotKind.BOOLEAN else None
    if isinstance(value, str):
        return _storable(value) if slot.kind is SlotKind.TEXT else None
    if isinstance(value, int | float) and slot.kind is not SlotKind.TEXT:
        return _number(value, whole=slot.kind is SlotKind.INTEGER)
    return None


def _records(value: JsonValue) -> JsonValue:
    """Return a list's records; None for what is no list."""
    if not isinstance(value, list | tuple):
        return None
    return [
        {key: _storable(each) if isinstance(each, str) else each for key, each in record.items()}
        for record in value
        if isinstance(record, Mapping)
    ]


def _number(value: float, *, whole: bool) -> float | None:
    """Return a number as CEL holds it; None for one that does not fit."""
    if not whole:
        try:
            return float(value)
        except OverflowError:
            return None
    fits = -_INT64 <= value < _INT64 and value == int(value)
    return int(value) if fits else None


def _storable(text: str) -> str:
    """Return text that UTF-8 can hold; a lone surrogate becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
