"""Finds the end of a JSON string in which a `"` may be unescaped, and decodes it in pieces.

One rule serves the repair, which has the whole text, and the scanner,
which has it in pieces: the verdict on a `"` depends on what follows it, and on nothing else.
Full-width `，` and `：` after a quote are text. A quote that opens the next known field means that
the closing one was lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_SPACES = re.compile(r"[ \t\n\r]*")
_ENDERS = frozenset("}]:")
_AFTER_COMMA = frozenset('"}]')
_ARRAY_AFTER_COMMA = frozenset('"}]{[-0123456789tfn')
_COLONS = frozenset(":：")
_AFTER_NAME = frozenset('" \t\n\r')
_STOPS = re.compile(r'["\\]')
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_HEX = frozenset("0123456789abcdefABCDEF")
_UNICODE_ESCAPE = 6
_LONE = "\ufffd"
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with lone surrogates and NUL replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


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


@dataclass(slots=True)
class Cursor:
    """The piece being read and the place in it."""

    text: str = ""
    position: int = 0

    def feed(self, piece: str) -> None:
        """Go on with the next piece; the one before was read to its end."""
        self.text = piece
        self.position = 0

    @property
    def exhausted(self) -> bool:
        """True when the next piece is needed."""
        return self.position >= len(self.text)


class StringReader:
    """One string, from after its opening quote; `end` is set once it is over."""

    def __init__(
        self, *, in_array: bool, known: frozenset[str], ends: frozenset[QuoteVerdict]
    ) -> None:
        """`ends` are the verdicts on a quote that end this string; the others are its text."""
        self.end: QuoteVerdict | None = None
        self._in_array = in_array
        self._known = known
        self._ends = ends
        self._escape = ""
        self._high = 0
        self._look: QuoteLookahead | None = None
        self._held: list[str] = []

    def read(self, cursor: Cursor) -> str:
        """Read on to the end of the piece or of the string; return what became certain."""
        out: list[str] = []
        while self.end is None and not cursor.exhausted:
            if self._look is not None:
                out.append(self._judge(cursor, self._look))
            elif self._escape:
                out.append(self._read_escape(cursor))
            else:
                out.append(self._read_plain(cursor))
        return "".join(out)

    def _read_plain(self, cursor: Cursor) -> str:
        match = _STOPS.search(cursor.text, cursor.position)
        stop = match.start() if match else len(cursor.text)
        plain = cursor.text[cursor.position : stop]
        cursor.position = stop + 1
        if match is not None and match.group() == "\\":
            self._escape = "\\"
        elif match is not None:
            self._look = QuoteLookahead(in_array=self._in_array, known=self._known)
        return self._plain(plain) if plain else ""

    def _plain(self, text: str) -> str:
        return self._lone() + storable(text)

    def _lone(self) -> str:
        """Give up the first half of a pair whose second half did not come."""
        lone = _LONE if self._high else ""
        self._high = 0
        return lone

    def _read_escape(self, cursor: Cursor) -> str:
        char = cursor.text[cursor.position]
        if self._escape == "\\" and char in _SIMPLE:
            cursor.position += 1
            self._escape = ""
            return self._plain(_SIMPLE[char])
        if (self._escape == "\\" and char == "u") or (self._escape != "\\" and char in _HEX):
            cursor.position += 1
            self._escape += char
            return self._code_point() if len(self._escape) == _UNICODE_ESCAPE else ""
        unknown, self._escape = self._escape, ""
        return self._plain(unknown)

    def _code_point(self) -> str:
        digits = self._escape[2:]
        code = int(digits, 16)
        self._escape = ""
        if 0xD800 <= code < 0xDC00:
            lone = self._lone()
            self._high = code
            return lone
        if 0xDC00 <= code < 0xE000 and self._high:
            pair = chr(0x10000 + ((self._high - 0xD800) << 10) + (code - 0xDC00))
            self._high = 0
            return pair
        return self._plain(chr(code))

    def _judge(self, cursor: Cursor, look: QuoteLookahead) -> str:
        start = cursor.position
        verdict = look.judge(cursor.text, start)
        if verdict is None:
            self._held.append(cursor.text[start:])
            cursor.position = len(cursor.text)
            return ""
        self._look = None
        if self._held:
            # What follows the quote is read once more, as text or as structure.
            cursor.text = "".join(self._held) + cursor.text
            cursor.position = 0
            self._held.clear()
        if verdict in self._ends:
            self.end = verdict
            return self._lone()
        return self._plain('"')
