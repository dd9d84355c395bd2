"""Plain scalars as YAML 1.2's core schema reads them: on, off, yes, no and dates are text."""

from __future__ import annotations

import math
import re

from executor_service.scripts.loading.tree import ScalarValue

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_LARGEST = 2**53 - 1
"""The largest whole number every JSON reader keeps exactly."""
_MOST_DIGITS = 40  # int() of a longer text is slow, and too large in any base


class UnsafeNumber(ValueError):
    """A number JSON cannot hold, or not exactly; its text names what to write instead."""


def plain_value(text: str) -> ScalarValue:
    """Return the value of an unquoted scalar.

    Raises:
        UnsafeNumber: It is infinite, no number, or a whole number beyond 2^53 - 1.
    """
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _ENDLESS.fullmatch(text):
        raise UnsafeNumber(f"{text} is no number a script can hold; write it in quotes as text")
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isfinite(number):
            return number
        raise UnsafeNumber(f"the number {text[:20]} is too large; write it in quotes as text")
    return text


def _integer(text: str) -> int:
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    if len(text) <= _MOST_DIGITS:
        number = int(text, base)
        if abs(number) <= _LARGEST:
            return number
    raise UnsafeNumber(
        f"the number {text[:20]} is too large to be kept exactly; write it in quotes as text"
    )
