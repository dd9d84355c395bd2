"""What a chat waits for before the client writes: turns, and where nobody watches, analyses."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heartrule.words.words import say
from heartrule_cli.failure import Failure

if TYPE_CHECKING:
    from heartrule_cli.chat.event_printer import EventPrinter
    from heartrule_cli.chat.session_progress import SessionProgress

# So many silences in a row end an unattended chat; a turn that fails by itself ends far sooner.
_LONGEST_SILENCE = 5


@dataclass(slots=True, kw_only=True)
class TurnWaits:
    """Waits for the ends that a session's progress shows."""

    progress: SessionProgress
    printer: EventPrinter
    attended: bool
    analysis_s: float = 30.0
    """Seconds an unattended chat waits for the monitor before it goes on."""
    silence_s: float = 60.0
    """Seconds without an event of a turn after which the chat prints a note."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set after each event."""

    async def analyses_end(self) -> None:
        """Wait for the turn's analyses where the chat is unattended, so that advice is in time."""
        if self.attended:
            return
        try:
            async with asyncio.timeout(self.analysis_s):
                while self.progress.analysing:
                    await self._change()
        except TimeoutError:
            self.progress.forget_analyses()
            self.printer.note(say("cli.chat.no_analysis", seconds=f"{self.analysis_s:g}"))

    async def turns_end(self) -> None:
        """Wait until the client may write; silences are printed and, where unattended, limited.

        Raises:
            Failure: Nothing came for so long that nothing will.
        """
        silences = 0
        while self.progress.busy:
            try:
                async with asyncio.timeout(self.silence_s):
                    await self._change()
            except TimeoutError:
                silences += 1
                self.printer.note(say("cli.chat.silence", seconds=f"{silences * self.silence_s:g}"))
            else:
                silences = 0
            if silences == _LONGEST_SILENCE and not self.attended:
                raise Failure(say("cli.chat.executor_silent"))

    async def _change(self) -> None:
        self.changed.clear()
        await self.changed.wait()
