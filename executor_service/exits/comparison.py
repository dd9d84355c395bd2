"""Comparing a variable with the value a script author wrote (document 001 section 3.2.2).

What cannot be compared gives None instead of a guess: nothing is ever decided by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from operator import ge, gt, le, lt

from executor_service.exits.plain import day_of, number_of, truth_of
from executor_service.scripts.model.exits import ConditionOperator
from heartrule.domain.json_value import JsonValue

_ORDER: Mapping[ConditionOperator, Callable[[Decimal, Decimal], bool]] = {
    ConditionOperator.GREATER: gt,
    ConditionOperator.GREATER_OR_EQUAL: ge,
    ConditionOperator.LESS: lt,
    ConditionOperator.LESS_OR_EQUAL: le,
}


def compare(actual: JsonValue, operator: ConditionOperator, wanted: JsonValue) -> bool | None:
    """Say whether `actual operator wanted` holds; None where the two cannot be compared.

    Numbers are compared as numbers, also where a text holds one; order needs two numbers or two
    days of the calendar; `contains` looks for a piece of a text or an item of a list.
    """
    if operator is ConditionOperator.CONTAINS:
        return _contains(actual, wanted)
    if operator is ConditionOperator.EQUAL:
        return _equal(actual, wanted)
    if operator is ConditionOperator.NOT_EQUAL:
        equal = _equal(actual, wanted)
        return None if equal is None else not equal
    left, right = _ordered(actual), _ordered(wanted)
    if left is None or right is None or left[0] != right[0]:
        return None
    return _ORDER[operator](left[1], right[1])


def _equal(actual: JsonValue, wanted: JsonValue) -> bool | None:
    left, right = number_of(actual), number_of(wanted)
    if left is not None and right is not None:
        return left == right
    if isinstance(actual, str) and isinstance(wanted, str):
        return actual.strip() == wanted.strip()
    if isinstance(actual, bool) or isinstance(wanted, bool):
        truths = truth_of(actual), truth_of(wanted)
        return None if None in truths else truths[0] is truths[1]
    return None


def _ordered(value: JsonValue) -> tuple[str, Decimal] | None:
    """Return what kind of ordered thing a value is, and its place in that order."""
    number = number_of(value)
    if number is not None:
        return "number", number
    day = day_of(value)
    return None if day is None else ("date", Decimal(day.toordinal()))


def _contains(actual: JsonValue, wanted: JsonValue) -> bool | None:
    if isinstance(actual, str):
        piece = _written(wanted)
        return None if piece is None else piece in actual
    if isinstance(actual, Sequence):
        return any(_equal(item, wanted) for item in actual)
    return None


def _written(value: JsonValue) -> str | None:
    """Return how an author's plain value looks inside a text."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool):
        return "true" if value else "false"
    number = number_of(value)
    return None if number is None else format(number.normalize(), "f")
