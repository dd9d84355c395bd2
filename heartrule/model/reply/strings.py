"""Decodes one JSON string that arrives in pieces, as the repair and `json` would decode it."""

from __future__ import annotations

import re

from heartrule.model.reply.decode import storable
from heartrule.model.reply.quotes import QuoteLookahead, QuoteVerdict

_STOPS = re.compile(r'["\\]')
_SPECIAL = re.compile(r'["\\\x00\ud800-\udfff]')
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_HEX = frozenset("0123456789abcdefABCDEF")
_UNICODE_ESCAPE = 6
_LONE = "\ufffd"


class Cursor:
    """The piece being read and the place in it."""

    __slots__ = ("position", "text")

    def __init__(self) -> None:
        """Start with nothing held."""
        self.text = ""
        self.position = 0

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

    def passes(self, piece: str) -> bool:
        """Return whether a piece is text as it stands: nothing to decode, nothing pending."""
        pending = self._look is not None or self._escape or self._high
        return not pending and _SPECIAL.search(piece) is None

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
