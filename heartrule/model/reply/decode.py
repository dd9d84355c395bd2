"""JSON text to a dict, as strictly as a reply needs it (RESOLUTIONS C2)."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue

MAX_DEPTH = 64
"""Objects and lists nested deeper than this are no reply."""

_MAX_INT = 2**63 - 1  # what a column and protobuf's int64 hold
# What may make a text unstorable, or a number too large.
_UNUSUAL = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\x00\ud800-\udfff]|[0-9]{19}")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class UnreadableReply(ValueError):
    """Raised where a text is no reply; the message holds the reason."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One JSON object."""

    value: dict[str, JsonValue]
    """The first of two equal keys counts."""
    end: int
    """Offset after its closing bracket."""
    doubled: tuple[str, ...]
    """Keys that stood twice in one object, anywhere."""


def decode_object(text: str, start: int = 0) -> Decoded:
    """Read one object that begins at `start`; what follows it is not looked at.

    Raw control characters in strings are allowed; NaN, Infinity and numbers beyond all bounds are
    not. Lone surrogates and NUL, which no text store takes, become U+FFFD; whole numbers of more
    than 64 bits become text.

    Raises:
        UnreadableReply: There is no such object.
    """
    pairs = _FirstWins()
    decoder = json.JSONDecoder(
        strict=False,
        object_pairs_hook=pairs,
        parse_constant=_refuse_constant,
        parse_float=_finite,
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise UnreadableReply(str(error)) from error
    if not isinstance(value, dict):
        raise UnreadableReply(f"not an object but {type(value).__name__}")
    if _UNUSUAL.search(text) or text.count("{") + text.count("[") > MAX_DEPTH:
        value = _clean_object(value, depth=1)
    return Decoded(value, end, tuple(pairs.doubled))


def storable(text: str) -> str:
    """Return the text with lone surrogates and NUL replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


class _FirstWins:
    """Builds objects in which the first of two equal keys counts."""

    def __init__(self) -> None:
        self.doubled: list[str] = []

    def __call__(self, pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for key, value in pairs:
            if key in found:
                self.doubled.append(storable(key))
            else:
                found[key] = value
        return found


def _refuse_constant(name: str) -> None:
    raise UnreadableReply(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise UnreadableReply("a number is out of bounds")
    return value


def _clean_object(value: dict[str, JsonValue], *, depth: int) -> dict[str, JsonValue]:
    return {storable(key): _clean(item, depth=depth) for key, item in value.items()}


def _clean(value: JsonValue, *, depth: int) -> JsonValue:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int) and abs(value) > _MAX_INT:
        return str(value)
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        raise UnreadableReply(f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, dict):
        return _clean_object(value, depth=depth + 1)
    if isinstance(value, list):
        return [_clean(item, depth=depth + 1) for item in value]
    return value
