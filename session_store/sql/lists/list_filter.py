"""Filters and orders of lists as callers write them: read, checked, never more than data.

A filter has AIP-160's comparisons of named fields, joined by AND; an order has one field (AIP-132).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TypeAlias

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.labels import LABEL_NAME
from heartrule.domain.request_limits import LONGEST_FILTER

# Of one filter.
MOST_COMPARISONS = 32
LABELS = "labels"

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<operator><=|>=|!=|[=<>:])|(?P<word>[^\s"'()<>=!:,]+)|(?P<rest>\S))""",
    re.DOTALL,
)
_ORDER = re.compile(r"\s*(\S+?)(\s+desc)?\s*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SHOWN = 40
_LARGEST = 2**31 - 1
# Reads a value; ValueError with what it must be.
Read: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterType:
    """What values a field has."""

    read: Read
    operators: Container[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One field, compared with a value."""

    field: str
    operator: str
    value: object
    label: str = ""
    """The label that is meant, where the field is `labels`."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    place: int


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise ValueError('must be a time such as "2026-11-01T00:00:00Z"')
    return found


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,10}", text) or abs(int(text)) > _LARGEST:
        raise ValueError("must be a whole number of 32 bits")
    return int(text)


def _truth(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text.lower() == "true"


_EQUAL = frozenset({"=", "!="})
_ORDERED = frozenset({"=", "!=", "<", "<=", ">", ">="})
TEXT = FilterType(read=str, operators=_EQUAL)
TIME = FilterType(read=_moment, operators=_ORDERED)
NUMBER = FilterType(read=_number, operators=_ORDERED)
TRUTH = FilterType(read=_truth, operators=_EQUAL)


def words(kind: type[Enum]) -> FilterType:
    """Return the type of a field whose values are an enum's, by name in capitals or not."""

    def read(text: str) -> object:
        found = kind.__members__.get(text.upper())
        if found is None:
            raise ValueError(f"must be one of {', '.join(map(str.lower, kind.__members__))}")
        return found.value

    ordered = issubclass(kind, int)
    return FilterType(read=read, operators=_ORDERED if ordered else _EQUAL)


def parse_filter(text: str, fields: Mapping[str, FilterType]) -> tuple[Comparison, ...]:
    """Return the comparisons; none for a blank filter.

    `labels` among the fields stands for `labels.NAME` and `labels:NAME`.

    Raises:
        InvalidRequest: it is too long or malformed, or names a field that is none; with its place.
    """
    if len(text) > LONGEST_FILTER:
        raise _wrong("filter", f"must have at most {LONGEST_FILTER} characters")
    tokens = _tokens(text)
    found: list[Comparison] = []
    token = next(tokens)
    while token.kind != "end":
        if found:
            _expect(token, "AND", holds=token.kind == "word" and token.text == "AND")
            token = next(tokens)
        if len(found) == MOST_COMPARISONS:
            raise _at(token, f"a filter has at most {MOST_COMPARISONS} comparisons")
        _expect(token, "the name of a field", holds=token.kind == "word")
        operator, value = next(tokens), next(tokens)
        _expect(operator, "an operator: = != < <= > >= :", holds=operator.kind == "operator")
        _expect(value, "a value", holds=value.kind in {"word", "text"})
        found.append(_comparison(token, operator, value, fields))
        token = next(tokens)
    return tuple(found)


def parse_order(text: str, names: Container[str]) -> tuple[str, bool]:
    """Return the field a list is ordered by and whether the largest is first.

    Raises:
        InvalidRequest: it is malformed, or names a field that orders nothing.
    """
    found = _ORDER.fullmatch(text[:LONGEST_FILTER])
    if found is None:
        raise _wrong("order_by", "must be one field, with `desc` behind it for the largest first")
    name = found.group(1)
    if name not in names:
        place = found.start(1) + 1
        raise _wrong("order_by", f"character {place}: {name[:_SHOWN]!r} is no field to order by")
    return name, found.group(2) is not None


def _tokens(text: str) -> Iterator[_Token]:
    for each in _TOKEN.finditer(text.rstrip()):
        kind = str(each.lastgroup)
        yield _Token(kind, each.group(kind), each.start(kind) + 1)
    while True:
        yield _Token("end", "", len(text) + 1)


def _comparison(
    name: _Token, operator: _Token, value: _Token, fields: Mapping[str, FilterType]
) -> Comparison:
    if "\x00" in value.text:
        raise _at(value, "must not contain U+0000")
    text = value.text if value.kind == "word" else _ESCAPED.sub(r"\1", value.text[1:-1])
    field, _, label = name.text.partition(".")
    if field == LABELS and LABELS in fields:
        return _of_label(label, name, operator, text)
    kind = fields.get(name.text)
    if kind is None:
        raise _at(name, f"{name.text[:_SHOWN]!r} is no field of this list: {', '.join(fields)}")
    if operator.text not in kind.operators:
        raise _at(operator, f"{name.text} is not compared by {operator.text}")
    try:
        return Comparison(field=name.text, operator=operator.text, value=kind.read(text))
    except ValueError as error:
        raise _at(value, str(error)) from None


def _of_label(label: str, name: _Token, operator: _Token, text: str) -> Comparison:
    asked = label or text
    if not label and operator.text != ":":
        raise _at(name, "name a label: labels.NAME = value, or labels:NAME")
    if label and operator.text not in _EQUAL:
        raise _at(operator, f"a label is not compared by {operator.text}")
    if not LABEL_NAME.fullmatch(asked):
        raise _at(name, f"{asked[:_SHOWN]!r} is no name of a label")
    return Comparison(field=LABELS, operator=operator.text, value=text, label=asked)


def _expect(token: _Token, wanted: str, *, holds: bool) -> None:
    if not holds:
        shown = repr(token.text[:_SHOWN]) if token.text else "the end"
        raise _at(token, f"found {shown} in the place of {wanted}")


def _at(token: _Token, description: str) -> InvalidRequest:
    return _wrong("filter", f"character {token.place}: {description}")


def _wrong(field: str, description: str) -> InvalidRequest:
    violation = FieldViolation(field=field, description=description)
    return InvalidRequest(f"{field}: {description}", violations=[violation])
