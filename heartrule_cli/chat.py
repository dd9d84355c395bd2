"""One conversation from its opening to its end: who speaks when, and what is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from heartrule.chassis import telemetry
from heartrule.domain.events import Heartbeat, SessionEvent
from heartrule.domain.ids import new_id
from heartrule_cli.failure import Failure
from heartrule_cli.narration import problem_text
from heartrule_cli.session_progress import SessionProgress
from heartrule_cli.shown_turn import ShownTurn
from heartrule_cli.stopping import first_done

if TYPE_CHECKING:
    from heartrule.domain.problem import Problem
    from heartrule_cli.conversation_stream import ConversationStream
    from heartrule_cli.event_printer import EventPrinter
    from heartrule_cli.lines import Lines

ANALYSIS_S = 30.0
"""Seconds an unattended chat waits for the monitor before it goes on."""
SILENCE_S = 60.0
"""Seconds without an event of a turn after which the chat says so."""
_LONGEST_SILENCE = 5
"""So many of them in a row end an unattended chat; a turn of its own accord ends far sooner."""
_ATTEMPTS = 4
"""Times an unattended chat sends one message whose turn fails for a passing reason."""
_PAUSE = timedelta(seconds=1)
_FINISHED = 9
"""The code of an input that came after the script's end: FAILED_PRECONDITION."""
_PASSING = frozenset({4, 8, 10, 14})
"""Codes after which the same may succeed: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, …"""


class ChatOutcome(StrEnum):
    """Why a chat ended."""

    COMPLETED = "completed"
    """The script is at its end."""
    LINES_ENDED = "lines_ended"
    """The client has no more to say."""
    LEFT = "left"
    """The client was asked to leave: Ctrl-C."""
    FAILED = "failed"
    """A turn failed and waiting does not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEnd:
    """How a chat ended."""

    how: ChatOutcome
    unsent: tuple[str, ...] = ()
    """Lines left after the script's end."""
    refused: int = 0
    """Lines the executor would not take."""


@dataclass(slots=True)
class ChatLoop:
    """Speaks for a client whose words come as lines."""

    conversation: ConversationStream
    printer: EventPrinter
    lines: Lines
    session_id: str = ""
    analysis_s: float = ANALYSIS_S
    silence_s: float = SILENCE_S
    progress: SessionProgress = field(default_factory=SessionProgress)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _pump: asyncio.Task[None] | None = None
    _refused: int = 0
    _running: ShownTurn = field(default_factory=ShownTurn)
    _interrupting: asyncio.Task[None] | None = None

    def interrupt(self) -> bool:
        """Stop the answer that a person watches being written; False where there is none.

        False also where that was asked already: who presses Ctrl-C twice wants to leave.
        """
        turn_id = self._running.turn_id
        if not (turn_id and self.lines.attended) or self._interrupting is not None:
            return False
        asked = self.conversation.interrupt(turn_id, self._running.heard)
        self._interrupting = asyncio.create_task(asked)
        return True

    async def run(self, stop: asyncio.Event) -> ChatEnd:
        """Talk until the script or the lines end, or `stop` is set.

        Raises:
            Failure: The session cannot be followed any longer.
        """
        talk = asyncio.create_task(self._talk())
        pump = self._pump = asyncio.create_task(self._follow())
        stopped = asyncio.create_task(stop.wait())
        try:
            done = await first_done(talk, pump, stopped)
            if pump in done:
                pump.result()
            if talk in done:
                return talk.result()
            return ChatEnd(how=ChatOutcome.LEFT, refused=self._refused)
        finally:
            self.printer.screen.end()
            self.lines.close()

    async def _follow(self) -> None:
        async for update in self.conversation.events():
            self.printer.show(update)
            if isinstance(update, SessionEvent):
                self.progress.note(update.body)
                self._running.note(update)
                if not self._running.turn_id:
                    self._interrupting = None
                if isinstance(update.body, Heartbeat):
                    continue
            self._changed.set()

    async def _talk(self) -> ChatEnd:
        await self._turns_end()
        while True:
            if self.progress.problem is not None and not await self._retried():
                return ChatEnd(how=ChatOutcome.FAILED, refused=self._refused)
            if self.progress.completed:
                return await self._completed()
            await self._second_mind()
            line = await self.lines.next()
            if line is None:
                return ChatEnd(how=ChatOutcome.LINES_ENDED, refused=self._refused)
            if not await self._said(line):
                return await self._completed(line)

    async def _completed(self, *unsent: str) -> ChatEnd:
        left = (*unsent, *await self.lines.rest())
        return ChatEnd(how=ChatOutcome.COMPLETED, unsent=left, refused=self._refused)

    async def _said(self, line: str) -> bool:
        """Send a line and wait for its turn to end; False where the script had ended before."""
        if not line.strip():
            if self.progress.problem is not None:
                await self._again()
            return True
        if self._too_long(line):
            return True
        refused = await self._send(line, echo=not self.lines.attended)
        for attempt in range(1, _ATTEMPTS):
            if refused is None or not _passing(refused) or self.lines.attended:
                break
            await asyncio.sleep(_pause(refused, attempt))
            refused = await self._send(line, echo=False)
        if refused is None:
            return True
        if refused.code == _FINISHED:
            return False
        self._refused += 1
        self.printer.warn(f"not taken: {problem_text(refused)}")
        return True

    async def _send(self, line: str, *, echo: bool) -> Problem | None:
        """Send a line and wait for its turn to end; return why it was refused, if it was."""
        message_id = new_id("msg")
        self.progress.sent([message_id])  # before it is: its turn may end at once
        self.printer.sent(message_id, line, echo=echo)
        with telemetry.span("chat.input", session_id=self.session_id, kind="client") as span:
            await self.conversation.say(message_id, line, traceparent=span.traceparent)
            await self._turns_end()
        refused = self.progress.rejected
        return refused.problem if refused is not None else None

    async def _retried(self) -> bool:
        """Bring a failed turn to its end; False where it will not, or where a person decides."""
        for attempt in range(1, _ATTEMPTS):
            problem = self.progress.problem
            if problem is None:
                return True
            self.printer.warn(f"the turn failed: {problem_text(problem)}")
            if self.lines.attended:
                self.printer.note("press Enter to try again, or say something else")
                return True
            if not _passing(problem):
                return False
            await asyncio.sleep(_pause(problem, attempt))
            await self._again()
        if (last := self.progress.problem) is not None:
            self.printer.warn(f"the turn failed: {problem_text(last)}")
        return last is None

    async def _again(self) -> None:
        self.progress.sent(self.conversation.failed)
        await self.conversation.again()
        await self._turns_end()

    async def _second_mind(self) -> None:
        """Where nobody watches, wait for the turn's analyses, so that advice is in time."""
        if self.lines.attended or not self.progress.analysing:
            return
        try:
            async with asyncio.timeout(self.analysis_s):
                await self._until(lambda: not self.progress.analysing)
        except TimeoutError:
            self.progress.forget_analyses()
            self.printer.note(f"(no analysis within {self.analysis_s:g} s; going on)")

    def _too_long(self, line: str) -> bool:
        size, limit = len(line.encode(errors="replace")), self.progress.max_input_bytes
        if not limit or size <= limit:
            return False
        self._refused += 1
        self.printer.warn(f"not sent: the line has more than {limit:,} bytes")
        return True

    async def _turns_end(self) -> None:
        """Wait until the client may speak; a silence is told, and where nobody watches, bounded.

        Raises:
            Failure: Nothing came for so long that nothing will.
        """
        silences = 0
        while self.progress.busy:
            self._changed.clear()
            try:
                async with asyncio.timeout(self.silence_s):
                    await self._changed.wait()
            except TimeoutError:
                silences += 1
                self.printer.note(f"(nothing has come for {silences * self.silence_s:g} s)")
            else:
                silences = 0
            if silences == _LONGEST_SILENCE and not self.lines.attended:
                raise Failure(
                    "the executor took the input and does not answer; its log may say why"
                )

    async def _until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            self._changed.clear()
            await self._changed.wait()


def _passing(problem: Problem) -> bool:
    return problem.code in _PASSING


def _pause(problem: Problem, attempt: int) -> float:
    """Return the seconds to wait: what the problem says, else longer each time."""
    wait = problem.retry_after
    return (_PAUSE * 2 ** (attempt - 1) if wait is None else wait).total_seconds()
