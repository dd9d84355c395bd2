"""Does a `"` inside a JSON string end it, or was it left unescaped?

One rule (REAL-MODELS section 3) for the repair, which has the whole text, and for the scanner,
which has it in pieces: the verdict depends on what follows the quote, and on nothing else.
Full-width `，` and `：` after a quote are text. A quote that opens the next known field means that
the closing one was lost.
"""

from __future__ import annotations

import re
from enum import StrEnum

_SPACES = re.compile(r"[ \t\n\r]*")

_ENDERS = frozenset("}]:")
_AFTER_COMMA = frozenset('"}]')
_ARRAY_AFTER_COMMA = frozenset('"}]{[-0123456789tfn')
_COLONS = frozenset(":：")
_AFTER_NAME = frozenset('" \t\n\r')


def skip_spaces(text: str, start: int) -> int:
    """Return the offset of the first character from `start` on that JSON does not skip."""
    match = _SPACES.match(text, start)
    return match.end() if match else start


class QuoteVerdict(StrEnum):
    """What a quote inside a string is."""

    COMMA = "comma"
    """It ends the string: a comma and the next key, a value or a bracket follow."""
    BRACE = "brace"
    """It ends the string: `}` follows."""
    OTHER_END = "other_end"
    """It ends the string: `]` or `:` follows."""
    TEXT = "text"
    """It is a character of the string."""
    FIELD = "field"
    """The next field begins: the string's own closing quote, the comma or the key's is lost."""


class _Stage(StrEnum):
    START = "start"
    COMMA = "comma"
    NAME = "name"
    COLON = "colon"


class QuoteLookahead:
    """Judges one quote from the characters after it, however they arrive."""

    __slots__ = ("_after_comma", "_known", "_name", "_spaced", "_stage")

    def __init__(self, *, in_array: bool, known: frozenset[str]) -> None:
        """`known` are the names that may begin the next field."""
        self._known = known
        self._after_comma = _ARRAY_AFTER_COMMA if in_array else _AFTER_COMMA
        self._stage = _Stage.START
        self._spaced = False
        self._name = ""

    def judge(self, text: str, start: int) -> QuoteVerdict | None:
        """Read on from `start`; None while what came so far does not decide."""
        position = start
        while position < len(text):
            if self._stage is not _Stage.NAME:
                after = skip_spaces(text, position)
                self._spaced = self._spaced or after > position
                position = after
                if position == len(text):
                    return None
            verdict = self._take(text[position])
            if verdict is not None:
                return verdict
            position += 1
        return None

    def _take(self, char: str) -> QuoteVerdict | None:
        if self._stage is _Stage.COMMA:
            return QuoteVerdict.COMMA if char in self._after_comma else self._take_name(char)
        if self._stage is _Stage.COLON:
            return QuoteVerdict.FIELD if char in _COLONS else QuoteVerdict.TEXT
        if self._stage is _Stage.NAME:
            return self._take_name(char)
        if char == ",":
            self._stage = _Stage.COMMA
            return None
        if char == '"':
            self._stage = _Stage.NAME
            return None
        if char in _ENDERS:
            return QuoteVerdict.BRACE if char == "}" else QuoteVerdict.OTHER_END
        if self._spaced:
            return QuoteVerdict.TEXT
        return self._take_name(char)

    def _take_name(self, char: str) -> QuoteVerdict | None:
        """Take a key that lost one quote or both."""
        if self._name in self._known and char in _COLONS:
            return QuoteVerdict.FIELD
        if self._name in self._known and char in _AFTER_NAME:
            self._stage = _Stage.COLON
            return None
        self._stage = _Stage.NAME
        self._name += char
        possible = any(name.startswith(self._name) for name in self._known)
        return None if possible else QuoteVerdict.TEXT
