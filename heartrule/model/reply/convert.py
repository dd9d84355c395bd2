"""A model's value in the type a script's output asks for (SCRIPT-LANGUAGE, output).

A value that does not convert stays unset, with the reason; nothing is guessed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.flags import read_flag
from heartrule.model.template_filling import render_value

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?")
_DATE = re.compile(r"(\d{4})(?:-|/|\.|年)(\d{1,2})(?:-|/|\.|月)(\d{1,2})日?")
_YES = frozenset({"是的", "有", "对", "对的"})
_NO = frozenset({"不", "不是", "没", "没有", "无", "不对"})
_LONGEST_NUMBER = 18  # digits that surely fit 64 bits


@dataclass(frozen=True, slots=True)
class Unconvertible:
    """The value stays unset."""

    reason: str
    """Why, for the record; without the value itself."""


_NO_DATE = Unconvertible("the value is no date such as 2026-11-21")


def convert(
    value: JsonValue, value_type: str, options: Sequence[str] = ()
) -> JsonValue | Unconvertible:
    """Return the value in the declared type.

    Args:
        value: What the model gave.
        value_type: One of `OutputType`.
        options: The choices, for `choice`.

    Returns:
        Text; int; int or float; bool; the option as the script spells it; an ISO date as text. Or
        `Unconvertible`: a blank, two numbers where one is asked for, a word that is no option.

    Raises:
        ValueError: `value_type` is no `OutputType`.
    """
    kind = OutputType(value_type)
    if isinstance(value, Mapping):
        return Unconvertible("an object is no value of a variable")
    text = render_value(value).strip()
    if not text:
        return Unconvertible("the value is empty")
    if kind is OutputType.TEXT:
        return text
    if kind is OutputType.BOOLEAN:
        return _boolean(value, text)
    plain = unicodedata.normalize("NFKC", text)
    if kind is OutputType.CHOICE:
        return _choice(plain, options)
    if kind is OutputType.DATE:
        return _date(plain)
    if isinstance(value, bool | list):
        return Unconvertible("the value is no number")
    return _integer(plain) if kind is OutputType.INTEGER else _number(plain)


def read_number(text: str) -> int | float | None:
    """Return the one number in a text such as `25岁` or `约80%`; None for none or several."""
    found = list(_NUMBER.finditer(text))
    if len(found) != 1 or len(found[0].group()) > _LONGEST_NUMBER:
        return None
    digits = found[0].group().replace(",", "")
    value = float(digits) if "." in digits else int(digits)
    before = text[: found[0].start()].strip()
    return -value if before in {"-", "−", "负"} else value


def _number(text: str) -> JsonValue | Unconvertible:
    value = read_number(text)
    if value is None or not math.isfinite(value):
        return Unconvertible("the value does not hold exactly one number")
    return value


def _integer(text: str) -> JsonValue | Unconvertible:
    value = _number(text)
    if isinstance(value, float):
        return int(value) if value.is_integer() else Unconvertible("the number is not whole")
    return value


def _boolean(value: JsonValue, text: str) -> JsonValue | Unconvertible:
    flag = read_flag(value, yes=_YES)
    if flag is None and text in _NO:
        return False
    return Unconvertible("the value is neither yes nor no") if flag is None else flag


def _choice(text: str, options: Sequence[str]) -> JsonValue | Unconvertible:
    wanted = text.casefold()
    for option in options:
        if unicodedata.normalize("NFKC", option).strip().casefold() == wanted:
            return option
    return Unconvertible("the value is none of the options")


def _date(text: str) -> JsonValue | Unconvertible:
    match = _DATE.fullmatch(text.replace(" ", ""))
    try:
        return date(*map(int, match.groups())).isoformat() if match else _NO_DATE
    except ValueError:
        return _NO_DATE
