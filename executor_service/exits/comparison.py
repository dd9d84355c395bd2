"""Comparing a client's value with an author's (document 001, 3.2.2); nothing is guessed.

A plain value is a number, truth value or day, or a text that is one as a whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from operator import ge, gt, le, lt

from executor_service.scripts.model.exits import ConditionOperator
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.convert import convert
from heartrule.model.reply.flags import read_flag

# Bounded, so that Decimal never converts a client's text of a megabyte.
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)
_ORDER: Mapping[ConditionOperator, Callable[[Decimal, Decimal], bool]] = {
    ConditionOperator.GREATER: gt,
    ConditionOperator.GREATER_OR_EQUAL: ge,
    ConditionOperator.LESS: lt,
    ConditionOperator.LESS_OR_EQUAL: le,
}


def compare(actual: JsonValue, operator: ConditionOperator, wanted: JsonValue) -> bool | None:
    """Return whether `actual operator wanted` holds; None where the two cannot be compared.

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


def number_of(value: JsonValue) -> Decimal | None:
    """Return the number a value is or a whole text spells, in full-width digits too; else None.

    A text that merely has a number in it (第3次没去) is none: it would decide by accident.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        number = Decimal(str(value))
        return number if number.is_finite() else None
    if isinstance(value, str):
        text = unicodedata.normalize("NFKC", value).strip()
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    return None


def truth_of(value: JsonValue) -> bool | None:
    """Return the truth value a value is or a whole text spells; None otherwise."""
    return read_flag(value) if isinstance(value, bool | str) else None


def day_of(value: JsonValue) -> date | None:
    """Return the day a whole text names, year first; None otherwise."""
    day = convert(value, OutputType.DATE) if isinstance(value, str) else None
    return date.fromisoformat(day) if isinstance(day, str) else None
