"""How a terminal is set: kept, changed for a while, given back."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import termios

    class TerminalSettings:
        """The settings a terminal had when we came."""

        def __init__(self, descriptor: int) -> None:
            """Keep them; a descriptor that is no terminal has none."""
            self._descriptor = descriptor
            try:
                self._kept = termios.tcgetattr(descriptor)
            except termios.error:
                self._kept = []

        def hush(self) -> None:
            """Show nothing of what is typed and edit nothing; it waits for whoever reads next."""
            if self._kept:
                quiet = [*self._kept]
                quiet[3] &= ~(termios.ECHO | termios.ICANON)
                self._set(quiet)

        def restore(self) -> None:
            """Set the terminal as it was; readline may have been left in mid-line."""
            if self._kept:
                self._set(self._kept)

        def _set(self, settings: list[int | list[bytes | int]]) -> None:
            try:
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, settings)
            except termios.error:  # the terminal is gone
                return

else:

    class TerminalSettings:
        """Windows keeps its own."""

        def __init__(self, descriptor: int) -> None:
            """Do nothing."""

        def hush(self) -> None:
            """Do nothing."""

        def restore(self) -> None:
            """Do nothing."""
