"""Colours of the terminal, unless NO_COLOR is set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

_RESET = "\x1b[0m"
ERASED = "\r\x1b[K"
"""Empties the line that the cursor stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Marks text as dim, bold or a warning; leaves it unchanged where colours are off."""

    colours: bool

    def dim(self, text: str) -> str:
        """Return dimmed text."""
        return self._marked("\x1b[2m", text)

    def bold(self, text: str) -> str:
        """Return bold text."""
        return self._marked("\x1b[1m", text)

    def warn(self, text: str) -> str:
        """Return text in the colour of warnings."""
        return self._marked("\x1b[33m", text)

    def _marked(self, start: str, text: str) -> str:
        if not self.colours or not text:
            return text
        return "\n".join(f"{start}{line}{_RESET}" if line else line for line in text.split("\n"))


def style_for(stream: TextIO, environ: Mapping[str, str]) -> Style:
    """Return the style of a stream: coloured on a terminal, unless NO_COLOR or TERM=dumb."""
    wanted = not environ.get("NO_COLOR") and environ.get("TERM", "") != "dumb"
    return Style(colours=wanted and stream.isatty())


@contextmanager
def passing_line(stream: TextIO, style: Style, text: str) -> Iterator[None]:
    """Show a line for the length of a block, where it can be erased."""
    if not style.colours:
        yield
        return
    stream.write(style.dim(text))
    stream.flush()
    try:
        yield
    finally:
        stream.write(ERASED)
        stream.flush()
