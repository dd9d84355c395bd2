"""The values a task asks for, taken from somebody's words without guessing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import OutputSpec

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_DATE = re.compile(r"([0-9]{4})\s*[-/.年]\s*([0-9]{1,2})\s*[-/.月]\s*([0-9]{1,2})")
_MEASURE = "分岁个次天年月周级人口遍杯块%"
_NUMERALS = "零一二两三四五六七八九十百千"
_CHINESE_NUMBER = re.compile(rf"[{_NUMERALS}]+(?=[{_MEASURE}])|[{_NUMERALS}]{{2,}}")
_DIGITS: Mapping[str, int] = MappingProxyType(
    {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2}
)
_UNITS: Mapping[str, int] = MappingProxyType({"十": 10, "百": 100, "千": 1000})
_YES_FIRST = ("不错", "没错", "没问题")
_NO = ("没", "不", "否", "无")
_YES = ("是", "对", "有", "会", "好", "可以", "愿意", "嗯")
_NO_ENGLISH = frozenset({"no", "not", "never", "nope", "false"})
_YES_ENGLISH = frozenset({"yes", "yeah", "yep", "sure", "true", "ok", "okay", "do", "am", "have"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was found, and the outputs for which nothing was."""

    values: Mapping[str, JsonValue]
    missing: tuple[OutputSpec, ...]


def take(words: str, outputs: Sequence[OutputSpec]) -> Taken:
    """Return each output's value: text takes the words as they are, other types what fits."""
    found = {output.name: _value(words, output) for output in outputs}
    return Taken(
        values={name: value for name, value in found.items() if value is not None},
        missing=tuple(output for output in outputs if found[output.name] is None),
    )


def _value(words: str, output: OutputSpec) -> JsonValue:
    plain = unicodedata.normalize("NFKC", words).lower()
    match output.type:
        case "number":
            return first_number(plain)
        case "integer":
            number = first_number(plain)
            return number if isinstance(number, int) else None
        case "boolean":
            return yes_or_no(plain)
        case "choice":
            return _first_option(plain, output.options)
        case "date":
            return _first_date(plain)
        case _:
            return words or None


def first_number(plain: str) -> int | float | None:
    """Return the first number written in digits, else the first in Chinese numerals."""
    if found := _NUMBER.search(plain):
        text = found.group()
        return float(text) if "." in text else int(text[:18])
    found = _CHINESE_NUMBER.search(plain)
    if found is not None:
        return _chinese_number(found.group())
    return _chinese_number(plain) if plain and set(plain) <= set(_NUMERALS) else None


def yes_or_no(plain: str) -> bool | None:
    """Return what a plain yes or no says; None when neither occurs."""
    words = set(re.findall(r"[a-z']+", plain.replace("’", "'")))
    if plain.startswith(_YES_FIRST):
        return True
    if any(word in plain for word in _NO) or words & _NO_ENGLISH:
        return False
    if any(word.endswith("n't") for word in words):
        return False
    return True if any(word in plain for word in _YES) or words & _YES_ENGLISH else None


def _first_option(plain: str, options: Sequence[str]) -> str | None:
    """Return the option that occurs first; of two at one place the longer."""
    places = [(plain.find(option.lower()), -len(option), option) for option in options]
    found = sorted(place for place in places if place[0] >= 0 and place[2])
    return found[0][2] if found else None


def _first_date(plain: str) -> str | None:
    found = _DATE.search(plain)
    if found is None:
        return None
    try:
        return date(*(int(part) for part in found.groups())).isoformat()
    except ValueError:
        return None


def _chinese_number(text: str) -> int:
    """Return the value of numerals below ten thousand, such as 二十五 or 一百零二."""
    total, digit = 0, 0
    for char in text[:12]:
        if char in _UNITS:
            total += (digit or 1) * _UNITS[char]
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit
