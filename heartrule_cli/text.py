"""Text for a terminal: without control characters, and measured in columns."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

_TAB = "    "
_LINE_BREAKS = "\u2028\u2029\u0085"
# They make a terminal show the text in another order than it is in.
_REORDERING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# What stays on one line: a word, or a Chinese sign, with the stops behind it.
_PIECES = re.compile(r"[（“]*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；：、）”]*\s*")
_REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """Return the text without control characters; line breaks and tabs stay visible.

    What a client, script or model wrote is data: an escape sequence in it must not colour, move
    or retitle anything. Works character by character: pieces cleaned separately join to the same.
    """
    if text.isprintable():  # most texts: no control, separator or format character
        return text
    return "".join(map(_clean_sign, text))


def one_line(text: str) -> str:
    """Return the clean text on one line, its line breaks shown as `⏎`."""
    return clean(text).replace("\n", "⏎")


def json_text(value: object) -> str:
    """Return a JSON document for people and tools: what would steer a terminal is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if text.isascii() else "".join(map(_json_sign, text))


def _json_sign(sign: str) -> str:
    return sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1]


def width(text: str) -> int:
    """Return how many columns the text takes on one line: Chinese signs take two."""
    return sum(map(_sign_width, text))


def wrapped(text: str, columns: int) -> list[str]:
    """Return the text in lines of so many columns, broken at blanks and between Chinese signs.

    A word that is longer than a line has one of its own, and no line begins with a stop.
    """
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and width(lines[-1] + piece.rstrip()) > columns:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def padded(text: str, columns: int) -> str:
    """Return the text with blanks behind it, so that it takes so many columns."""
    return text + " " * (columns - width(text))


def table_lines(
    table: Sequence[Sequence[str]], *, numbers: Collection[int] = (), margin: str = "  "
) -> Iterator[str]:
    """Yield the rows of a table as lines whose columns stand below each other.

    Columns of `numbers` are flush right; one without any text takes no room.
    """
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [
            " " * (columns - width(text)) + text if place in numbers else padded(text, columns)
            for place, (text, columns) in enumerate(zip(row, widths, strict=True))
            if columns
        ]
        yield (margin + "  ".join(cells)).rstrip()


def rows(text: str, columns: int) -> int:
    """Return how many rows of a terminal the text takes, written from the first column.

    A sign of two columns that does not fit at the end of a row goes to the next one.
    """
    return sum(_rows_of_line(line, columns) for line in text.split("\n"))


def _rows_of_line(line: str, columns: int) -> int:
    used, count = 0, 1
    for sign in line:
        wide = _sign_width(sign)
        if used + wide > columns:
            used, count = 0, count + 1
        used += wide
    return count


def _clean_sign(sign: str) -> str:
    if sign == "\n":
        return sign
    if sign == "\t":
        return _TAB
    if sign in _LINE_BREAKS:
        return "\n"
    category = unicodedata.category(sign)
    if category == "Cs":  # half a pair: no encoding has it
        return _REPLACEMENT
    return "" if category == "Cc" or sign in _REORDERING else sign


def _sign_width(sign: str) -> int:
    if sign < "\u0300":
        return 1
    if unicodedata.category(sign) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in {"W", "F"} else 1
