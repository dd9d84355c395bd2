"""The values a task asks for, taken from a client's words without guessing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import FieldSpec, OutputSpec
from heartrule.model.rehearsal.words import Sounds, sounds_like

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_DATE = re.compile(r"([0-9]{4})\s*[-/.年]\s*([0-9]{1,2})\s*[-/.月]\s*([0-9]{1,2})")
_DIGITS = "零一二三四五六七八九"
_CHINESE = re.compile(
    rf"([{_DIGITS}])?(十)([{_DIGITS}])?|([{_DIGITS}两])(?=[分岁个次天年月周级口遍杯块]|$)"
)
_NO = re.compile(r"没|不(?!错)|否|无|\b(no|not|never|nope|false)\b|n't\b")
_YES = re.compile(r"是|对|有|会|好|可以|愿意|嗯|不错|\b(yes|yeah|yep|sure|true|ok|okay)\b")
_YES_FIRST = ("没错", "没问题")
_BETWEEN = re.compile(r"[\s，,、;；]+")


def take(words: str, outputs: Sequence[OutputSpec]) -> dict[str, JsonValue]:
    """Return the values found, by output; text takes the words as they are."""
    found = {output.name: value_of(words, output) for output in outputs}
    return {name: value for name, value in found.items() if value is not None}


def take_fields(words: str, wanted: Sequence[FieldSpec]) -> dict[str, JsonValue]:
    """Return one value for each piece of the words where all fit, else one for the first field."""
    pieces = [piece for piece in _BETWEEN.split(words) if piece]
    asked = wanted[: len(pieces)]
    if 1 < len(pieces) == len(asked) and all(field.type != "text" for field in asked):
        each = [_field_value(piece, field) for piece, field in zip(pieces, asked, strict=True)]
        if None not in each:
            return {field.name: value for field, value in zip(asked, each, strict=True)}
    value = _field_value(words, wanted[0]) if wanted else None
    return {} if value is None else {wanted[0].name: value}


def value_of(words: str, output: OutputSpec) -> JsonValue:
    """Return the value of an output's type in the words; None where there is none."""
    plain = unicodedata.normalize("NFKC", words).lower()
    match output.type:
        case "number":
            return _number(plain)
        case "integer":
            number = _number(plain)
            return number if isinstance(number, int) else None
        case "boolean":
            return _yes_or_no(plain.replace("’", "'"))
        case "choice":
            return _option(plain, output.options)
        case "date":
            return _date(plain)
        case _:
            return words or None


def _field_value(words: str, field: FieldSpec) -> JsonValue:
    """Return the value of a form's field; None where it is outside the field's bounds."""
    if field.type == "text" and sounds_like(words) is not Sounds.ANSWER:
        return None
    if field.type == "scale" and (step := _option(words, field.options)):
        return int(field.min or 0) + field.options.index(step)
    kind = "integer" if field.type == "scale" else field.type
    value = value_of(words, field.model_copy(update={"type": kind}))
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = field.min is not None and value < field.min
        high = field.max is not None and value > field.max
        return None if low or high else value
    return value


def _number(plain: str) -> int | float | None:
    """Return the first number in digits, else the first in Chinese numerals below a hundred."""
    if found := _NUMBER.search(plain):
        text = found.group()
        return float(text) if "." in text else int(text[:18])
    if found := _CHINESE.search(plain):
        tens, ten, ones, alone = found.groups()
        if ten:
            return 10 * (_DIGITS.index(tens) if tens else 1) + (_DIGITS.index(ones) if ones else 0)
        return 2 if alone == "两" else _DIGITS.index(alone)
    return None


def _yes_or_no(plain: str) -> bool | None:
    if not plain.startswith(_YES_FIRST) and _NO.search(plain):
        return False
    return True if plain.startswith(_YES_FIRST) or _YES.search(plain) else None


def _option(plain: str, options: Sequence[str]) -> str | None:
    """Return the option that occurs first; of two at one place the longer."""
    places = [(plain.find(option.lower()), -len(option), option) for option in options]
    return min((place for place in places if place[0] >= 0 and place[2]), default=("",))[-1] or None


def _date(plain: str) -> str | None:
    found = _DATE.search(plain)
    try:
        return date(*map(int, found.groups())).isoformat() if found else None
    except ValueError:
        return None
