"""Prints the events of a run as they happen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule_cli.runs.run_narrator import RunNarrator
from heartrule_cli.style import ERASED, Style


class ProgressScreen:
    """A line for each node that ended; below them, where it can be erased, what runs now."""

    def __init__(self, narrator: RunNarrator, stream: TextIO, style: Style) -> None:
        """Print nothing yet."""
        self._narrator, self._stream, self._style = narrator, stream, style

    def show(self, _key: SessionKey, events: Iterable[SessionEvent]) -> None:
        """Print what events tell."""
        self.erase()
        for event in events:
            for line in self._narrator.lines(event):
                print(line, file=self._stream)
        if self._style.colours and self._narrator.running:
            self._stream.write(self._style.dim(f"  {', '.join(self._narrator.running)} …"))
        self._stream.flush()

    def erase(self) -> None:
        """Take away the line that says what runs."""
        if self._style.colours:
            self._stream.write(ERASED)
