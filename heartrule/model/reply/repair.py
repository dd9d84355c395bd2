"""The four safe repairs, in one linear pass (REAL-MODELS section 3).

They never guess: a reply they do not make readable stays unreadable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from heartrule.model.reply.quotes import QuoteLookahead, QuoteVerdict, skip_spaces

# Longer texts are not repaired: no real reply is near it, and the pass runs on the event loop.
MAX_LENGTH = 262_144

_OUTSIDE = re.compile(r'["{}\[\],]')
_INSIDE = re.compile(r'["\\\x00-\x1f]')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_MAX_DEPTH = 64  # as the decoder's


class Repair(StrEnum):
    """What was mended; the names stand in the ledger."""

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
    """Mend what can be mended without guessing.

    Args:
        text: From the first `{` to the last `}`.
        known: Names of fields; a string in which one of them seems to begin is not mended.

    Returns:
        The mended text, or None when it is too long, too deep or lost a closing quote.
    """
    if len(text) > MAX_LENGTH:
        return None
    run = _Pass(text, known)
    return (
        Repaired("".join(run.out), tuple(sorted(done.value for done in run.done)))
        if run.walk()
        else None
    )


class _Pass:
    """One walk over a text; `out` collects the pieces of the mended one."""

    def __init__(self, text: str, known: frozenset[str]) -> None:
        self.out: list[str] = []
        self.done: set[Repair] = set()
        self._text = text
        self._known = known
        self._stack: list[str] = []

    def walk(self) -> bool:
        """Walk to the end; False when the text cannot be mended."""
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
        return len(self._stack) <= _MAX_DEPTH

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
