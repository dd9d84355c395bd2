"""Lines of standard input: those that a person types at a terminal, with readline, or others."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from heartrule_cli.chat.client_lines import Lines, StreamLines, without_surrogates
from heartrule_cli.chat.event_printer import PROMPT

if TYPE_CHECKING:
    from heartrule_cli.chat.screen import Screen

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

    attended = live = True

    def __init__(self, screen: Screen) -> None:
        """Turn the echo off: what is typed shows at a prompt, which the first key opens."""
        self._screen = screen
        self._asked = asyncio.Event()
        self._settings = TerminalSettings(sys.stdin.fileno())
        self._typed = _readline_buffer()
        self._requests: SimpleQueue[Answer] = SimpleQueue()
        self._started = False
        self._settings.mute()

    def ask(self) -> None:
        """Show the prompt now."""
        self._asked.set()

    async def next(self) -> str | None:
        """Return the line that was typed; None at Ctrl-D."""
        self._start()
        await self._wanted()
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
            self._asked.clear()
            self._screen.close_prompt()
            self._settings.mute()
            if line is None:  # the cursor is still behind the prompt
                self._screen.line()
        return line

    async def _wanted(self) -> None:
        """Wait until a line is asked for, or somebody begins to type."""
        loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()
        try:
            loop.add_reader(descriptor, self._asked.set)
        except NotImplementedError:  # Windows: the prompt stays open while turns run
            return
        try:
            await self._asked.wait()
        finally:
            loop.remove_reader(descriptor)

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
                answer(without_surrogates(input(PROMPT)))
            except (EOFError, OSError):
                answer(None)
            except UnicodeError:  # bytes that are no text in this terminal's encoding
                answer("")


def standard_lines(screen: Screen) -> Lines:
    """Return the prompt of a terminal, or the lines of any other standard input."""
    stdin = sys.stdin
    if stdin is None:
        return StreamLines(None)
    if stdin.isatty() and sys.stdout.isatty():
        return TerminalLines(screen)
    try:
        return StreamLines(stdin.fileno())
    except (OSError, ValueError):  # replaced by something that is no file
        return StreamLines(None)


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
