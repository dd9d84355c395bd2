"""Lines that a person types at a terminal, with readline."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from heartrule_cli.event_printer import PROMPT

if TYPE_CHECKING:
    from heartrule_cli.screen import Screen

if sys.platform != "win32":
    import termios

    class TerminalSettings:
        """The settings a terminal had at first."""

        def __init__(self, descriptor: int) -> None:
            """Keep them; a descriptor that is no terminal has none."""
            self._descriptor = descriptor
            try:
                self._kept = termios.tcgetattr(descriptor)
            except termios.error:
                self._kept = []

        def mute(self) -> None:
            """Turn echo and line editing off; what is typed stays for the next reader."""
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

        def mute(self) -> None:
            """Do nothing."""

        def restore(self) -> None:
            """Do nothing."""


Answer = Callable[[str | None], None]


class TerminalLines:
    """Reads lines at a prompt. Ctrl-D ends them; Ctrl-C is a signal, handled by the loop."""

    attended = True

    def __init__(self, screen: Screen) -> None:
        """Turn the echo off: what is typed while a turn runs shows at the next prompt."""
        self._screen = screen
        self._settings = TerminalSettings(sys.stdin.fileno())
        self._typed = _readline_buffer()
        self._requests: SimpleQueue[Answer] = SimpleQueue()
        self._started = False
        self._settings.mute()

    async def next(self) -> str | None:
        """Return the line that was typed; None at Ctrl-D."""
        self._start()
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[str | None] = loop.create_future()

        def settle(line: str | None) -> None:
            if not answered.done():
                answered.set_result(line)

        self._settings.restore()
        self._screen.open_prompt(PROMPT, self._typed)
        self._requests.put(lambda line: _call_in(loop, settle, line))
        line: str | None = None
        try:
            line = await answered
        finally:
            self._screen.close_prompt()
            self._settings.mute()
            if line is None:  # the cursor is still behind the prompt
                self._screen.line()
        return line

    async def rest(self) -> list[str]:
        """Return nothing: what is typed after the end is never read."""
        return []

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._settings.restore()

    def _start(self) -> None:
        if not self._started:
            self._started = True
            threading.Thread(target=self._read_requested, name="prompt", daemon=True).start()

    def _read_requested(self) -> None:
        while True:
            answer = self._requests.get()
            try:
                answer(input(PROMPT))
            except (EOFError, OSError):
                answer(None)
            except UnicodeError:  # bytes that are no text in this terminal's encoding
                answer("")


def _call_in(loop: asyncio.AbstractEventLoop, settle: Answer, line: str | None) -> None:
    try:
        loop.call_soon_threadsafe(settle, line)
    except RuntimeError:  # the loop is closed, and no chat waits
        return


def _readline_buffer() -> Callable[[], str]:
    """Return a function that returns the line being typed; readline also makes it editable."""
    try:
        import readline
    except ImportError:  # a Python built without it
        return str
    return readline.get_line_buffer
