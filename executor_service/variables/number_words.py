"""Numbers in a person's words: digits, Chinese numerals, English number words.

A reading that is possible counts: `七八个` holds 7, 8 and 78, since all this serves is to ask
whether a number may have been said at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from types import MappingProxyType

_DIGITS = MappingProxyType(
    {char: value for value, chars in enumerate(("零〇", *"一二三四五六七八九")) for char in chars}
    | {"两": 2, "兩": 2, "俩": 2, "仨": 3}
)
_UNITS = MappingProxyType({"十": 10, "百": 100, "千": 1_000})
_LARGE = MappingProxyType({"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000})
_NUMERAL = "".join((*_DIGITS, *_UNITS, *_LARGE))
_CHINESE = re.compile(rf"([{_NUMERAL}]+)(?:点([{''.join(_DIGITS)}]+))?")
_WITH_DIGITS = re.compile(
    r"(-|−|负)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)([十百千万萬亿億])?"
)
# 一个半 is one and a half; the word between is a measure word.
_AND_A_HALF = re.compile(rf"([{_NUMERAL}]{{1,18}}|\d{{1,18}})(?:个|年|天|小时|岁|点|斤|周|月)?半")
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH = MappingProxyType(
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
    | {"once": 1, "twice": 2, "dozen": 12}
)
_SCALES = MappingProxyType({"hundred": 100, "thousand": 1_000, "million": 1_000_000})
_WORDS = re.compile(r"[a-z]+")
# Longer runs are no number anybody said, and reading one would cost what its length is.
_LONGEST = 18


def numbers_in(text: str) -> frozenset[float]:
    """Return every number that a text holds, in digits or in words, in each way it may be read."""
    plain = unicodedata.normalize("NFKC", text).lower()
    found = {*_in_digits(plain), *_in_english(plain)}
    for match in _CHINESE.finditer(plain):
        found.update(_readings(match.group(1), match.group(2) or ""))
    for match in _AND_A_HALF.finditer(plain):
        whole = match.group(1)
        read = float(whole) if whole.isdecimal() else _chinese(whole)
        found.add(read + 0.5)
    if "半" in plain or "half" in plain:
        found.add(0.5)
    return frozenset(found)


def _in_digits(plain: str) -> Iterator[float]:
    for sign, digits, unit in _WITH_DIGITS.findall(plain):
        if len(digits) > _LONGEST:
            continue
        value = float(digits.replace(",", ""))
        yield -value if sign else value
        if sign:  # 3-5 holds a five
            yield value
        if unit:
            yield value * {**_UNITS, **_LARGE}[unit]


def _readings(run: str, fraction: str) -> Iterator[float]:
    """Yield what a run of Chinese numerals may mean."""
    if len(run) > _LONGEST:
        return
    whole = _chinese(run)
    yield whole
    if fraction:
        yield whole + float(f"0.{_positions(fraction)}")
    if all(char in _DIGITS for char in run):
        yield from map(float, map(_DIGITS.__getitem__, run))


def _chinese(run: str) -> float:
    """Return a run of numerals as one number; without units it is read digit by digit."""
    if all(char in _DIGITS for char in run):
        return float(_positions(run))
    total = section = digit = last_unit = 0
    for char in run:
        if char in _DIGITS:
            digit = _DIGITS[char]
            last_unit = 0 if digit == 0 else last_unit
        elif char in _UNITS:
            last_unit = _UNITS[char]
            section += (digit or 1) * last_unit
            digit = 0
        else:
            last_unit = _LARGE[char]
            total += (section + digit or 1) * last_unit
            section = digit = 0
    # 一百二 is 120: a last digit counts in tenths of the unit before it.
    return float(total + section + digit * max(last_unit // 10, 1))


def _positions(digits: str) -> str:
    return "".join(str(_DIGITS[char]) for char in digits)


def _in_english(plain: str) -> Iterator[float]:
    value, open_ = 0, False
    for word in (*_WORDS.findall(plain), ""):
        if word in _ENGLISH:
            yield float(_ENGLISH[word])
            value, open_ = value + _ENGLISH[word], True
        elif word in _SCALES:
            value, open_ = (value or 1) * _SCALES[word], True
        elif open_ and word != "and":
            yield float(value)
            value, open_ = 0, False
