"""JSON text to a dict, as strictly as a reply needs it, and the four repairs that never guess.

The rules are RESOLUTIONS C2. A reply that cannot be read after the repairs is unreadable.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.json_strings import (
    QuoteLookahead,
    QuoteVerdict,
    skip_spaces,
    storable,
)

# Objects and lists nested deeper are no reply: reading them recurses once per level.
MAX_DEPTH = 64

_MAX_INT = 2**63 - 1  # what a column and protobuf's int64 hold
# What may make a text unstorable, or a number too large.
_UNUSUAL = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\x00\ud800-\udfff]|[0-9]{19}")
# Longer texts are not repaired: no real reply is near it, and the pass runs on the event loop.
MAX_LENGTH = 262_144

_OUTSIDE = re.compile(r'["{}\[\],]')
_INSIDE = re.compile(r'["\\\x00-\x1f]')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')


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
    """Keys that one object had twice, at any depth."""


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
        value = {storable(key): _clean(item, depth=1) for key, item in value.items()}
    return Decoded(value, end, tuple(pairs.doubled))


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


def _clean(value: JsonValue, *, depth: int) -> JsonValue:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int) and abs(value) > _MAX_INT:
        return str(value)
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        raise UnreadableReply(f"nested deeper than {MAX_DEPTH}")
    if isinstance(value, dict):
        return {storable(key): _clean(item, depth=depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item, depth=depth + 1) for item in value]
    return value


class Repair(StrEnum):
    """One kind of repair, by its name in the ledger."""

    TRAILING_COMMA = "trailing_comma"
    """A comma before `}` or `]` was dropped."""
    CONTROL_CHARACTER = "control_character"
    """A raw control character in a string was escaped."""
    UNKNOWN_ESCAPE = "unknown_escape"
    """A backslash that escapes nothing was doubled."""
    INNER_QUOTE = "inner_quote"
    """A quote inside a string was escaped."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text after the repairs."""

    text: str
    """What to parse."""
    repairs: tuple[str, ...]
    """What was done, each name once, sorted."""


def repair(text: str, *, known: frozenset[str]) -> Repaired | None:
    """Repair what can be repaired without guessing.

    Args:
        text: From the first `{` to the last `}`.
        known: Names of fields; a string in which one of them seems to begin is not repaired.

    Returns:
        The repaired text, or None when it is too long, too deep or lost a closing quote.
    """
    if len(text) > MAX_LENGTH:
        return None
    run = _Pass(text, known)
    if not run.walk():
        return None
    return Repaired("".join(run.out), tuple(sorted(done.value for done in run.done)))


class _Pass:
    """One walk over a text; `out` collects the pieces of the repaired one."""

    def __init__(self, text: str, known: frozenset[str]) -> None:
        self.out: list[str] = []
        self.done: set[Repair] = set()
        self._text = text
        self._known = known
        self._stack: list[str] = []

    def walk(self) -> bool:
        """Walk to the end; False when the text cannot be repaired."""
        position = 0
        while (match := _OUTSIDE.search(self._text, position)) is not None:
            char, at = match.group(), match.start()
            self.out.append(self._text[position:at])
            position = at + 1
            if char == '"':
                self.out.append(char)
                end = self._string(position)
                if end is None:
                    return False
                position = end
            elif not self._bracket(char, position):
                return False
        self.out.append(self._text[position:])
        return True

    def _bracket(self, char: str, after: int) -> bool:
        if char == ",":
            following = skip_spaces(self._text, after)
            if self._text[following : following + 1] in {"}", "]"}:
                self.done.add(Repair.TRAILING_COMMA)
                return True
        elif char in "{[":
            self._stack.append(char)
        elif self._stack:
            self._stack.pop()
        self.out.append(char)
        return len(self._stack) <= MAX_DEPTH

    def _string(self, start: int) -> int | None:
        """Copy one string; return the offset after its closing quote."""
        position = start
        while (match := _INSIDE.search(self._text, position)) is not None:
            char, at = match.group(), match.start()
            self.out.append(self._text[position:at])
            position = at + 1
            if char == "\\":
                position = self._escape(at)
            elif char != '"':
                self.out.append(f"\\u{ord(char):04x}")
                self.done.add(Repair.CONTROL_CHARACTER)
            else:
                verdict = self._judge(position)
                if verdict is QuoteVerdict.FIELD:
                    return None
                if verdict is not QuoteVerdict.TEXT:
                    self.out.append(char)
                    return position
                self.out.append('\\"')
                self.done.add(Repair.INNER_QUOTE)
        return None

    def _judge(self, start: int) -> QuoteVerdict | None:
        in_array = bool(self._stack) and self._stack[-1] == "["
        return QuoteLookahead(in_array=in_array, known=self._known).judge(self._text, start)

    def _escape(self, at: int) -> int:
        match = _ESCAPE.match(self._text, at)
        if match is None:
            self.out.append("\\\\")
            self.done.add(Repair.UNKNOWN_ESCAPE)
            return at + 1
        self.out.append(match.group())
        return match.end()
