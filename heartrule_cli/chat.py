"""One conversation from its opening to its end: when a line is sent, and what is waited for."""

from __future__ import annotations

import asyncio
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
from heartrule_cli.stopping import first_done

if TYPE_CHECKING:
    from heartrule.domain.problem import Problem
    from heartrule_cli.conversation_stream import ConversationStream
    from heartrule_cli.event_printer import EventPrinter
    from heartrule_cli.lines import Lines

# Seconds an unattended chat waits for the monitor before it goes on.
ANALYSIS_S = 30.0
# Seconds without an event of a turn after which the chat prints a note.
SILENCE_S = 60.0
# So many silences in a row end an unattended chat; a turn that fails by itself ends far sooner.
_LONGEST_SILENCE = 5
# Times an unattended chat sends one message whose turn fails for a passing reason.
_ATTEMPTS = 4
_PAUSE = timedelta(seconds=1)
# The code of an input that came after the script's end: FAILED_PRECONDITION.
_FINISHED = 9
# Codes after which the same may succeed: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, …
_PASSING = frozenset({4, 8, 10, 14})


class ChatOutcome(StrEnum):
    """Why a chat ended."""

    COMPLETED = "completed"
    """The script is at its end."""
    LINES_ENDED = "lines_ended"
    """The client has no further lines."""
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
    """Lines the executor did not accept."""


@dataclass(slots=True)
class ChatLoop:
    """Sends a client's lines, one turn each, and prints the session's events."""

    conversation: ConversationStream
    printer: EventPrinter
    lines: Lines
    session_id: str = ""
    analysis_s: float = ANALYSIS_S
    silence_s: float = SILENCE_S
    progress: SessionProgress = field(default_factory=SessionProgress)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _refused: int = 0
    _interrupting: asyncio.Task[None] | None = None

    def interrupt(self) -> bool:
        """Stop the running turn where a person watches; False where there is none.

        False also where that was requested already: a second Ctrl-C leaves the chat.
        """
        turn_id = self.progress.turn_id
        if not (turn_id and self.lines.attended) or self._interrupting is not None:
            return False
        request = self.conversation.interrupt(turn_id, self.progress.kept_draft)
        self._interrupting = asyncio.create_task(request)
        return True

    async def run(self, stop: asyncio.Event) -> ChatEnd:
        """Talk until the script or the lines end, or `stop` is set.

        Raises:
            Failure: The session cannot be followed any longer.
        """
        talk = asyncio.create_task(self._talk())
        follow = asyncio.create_task(self._follow())
        try:
            done = await first_done(talk, follow, asyncio.create_task(stop.wait()))
            if follow in done:
                follow.result()
            return talk.result() if talk in done else self._end(ChatOutcome.LEFT)
        finally:
            self.printer.screen.end()
            self.lines.close()

    async def _follow(self) -> None:
        async for update in self.conversation.events():
            self.printer.show(update)
            if isinstance(update, SessionEvent):
                self.progress.note(update)
                if not self.progress.turn_id:
                    self._interrupting = None
                if isinstance(update.body, Heartbeat):
                    continue
            self._changed.set()

    async def _talk(self) -> ChatEnd:
        await self._turns_end()
        while True:
            if self.progress.problem is not None and not await self._retried():
                return self._end(ChatOutcome.FAILED)
            if self.progress.completed:
                return self._end(ChatOutcome.COMPLETED, *await self.lines.rest())
            await self._analyses_end()
            line = await self.lines.next()
            if line is None:
                return self._end(ChatOutcome.LINES_ENDED)
            if not await self._handle(line):
                return self._end(ChatOutcome.COMPLETED, line, *await self.lines.rest())

    def _end(self, how: ChatOutcome, *unsent: str) -> ChatEnd:
        return ChatEnd(how=how, unsent=unsent, refused=self._refused)

    async def _handle(self, line: str) -> bool:
        """Send a line and wait for its turn to end; False where the script had ended before."""
        if not line.strip():
            problem = self.progress.problem
            if problem is not None and problem.code != _FINISHED:
                await self._retry()
            return True
        size, limit = len(line.encode(errors="replace")), self.progress.max_input_bytes
        if limit and size > limit:
            self._refused += 1
            self.printer.warn(f"not sent: the line has more than {limit:,} bytes")
            return True
        problem = await self._send(line, echo=not self.lines.attended)
        for attempt in range(1, _ATTEMPTS):
            if problem is None or problem.code not in _PASSING or self.lines.attended:
                break
            await asyncio.sleep(_pause(problem, attempt))
            problem = await self._send(line, echo=False)
        if problem is not None and problem.code != _FINISHED:
            self._refused += 1
            self.printer.warn(f"not taken: {problem_text(problem)}")
        return problem is None or problem.code != _FINISHED

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
        """Retry a failed turn until it ends; False where that is of no use.

        Where the chat is attended, the person decides, and this returns True at once.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            problem = self.progress.problem
            if problem is None:
                return True
            self.printer.warn(f"the turn failed: {problem_text(problem)}")
            if attempt == _ATTEMPTS:
                break
            if self.lines.attended:
                again = "" if problem.code == _FINISHED else "press Enter to try again, or "
                self.printer.note(f"{again}say something else")
                return True
            if problem.code not in _PASSING:
                break
            await asyncio.sleep(_pause(problem, attempt))
            await self._retry()
        return False

    async def _retry(self) -> None:
        self.progress.sent(self.conversation.failed)
        await self.conversation.again()
        await self._turns_end()

    async def _analyses_end(self) -> None:
        """Wait for the turn's analyses where the chat is unattended, so that advice is in time."""
        if self.lines.attended:
            return
        try:
            async with asyncio.timeout(self.analysis_s):
                while self.progress.analysing:
                    await self._change()
        except TimeoutError:
            self.progress.forget_analyses()
            self.printer.note(f"(no analysis within {self.analysis_s:g} s; going on)")

    async def _turns_end(self) -> None:
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
                self.printer.note(f"(nothing has come for {silences * self.silence_s:g} s)")
            else:
                silences = 0
            if silences == _LONGEST_SILENCE and not self.lines.attended:
                raise Failure(
                    "the executor took the input and does not answer; its log may say why"
                )

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()


def _pause(problem: Problem, attempt: int) -> float:
    """Return the seconds to wait: what the problem says, else longer each time."""
    wait = problem.retry_after
    return (_PAUSE * 2 ** (attempt - 1) if wait is None else wait).total_seconds()
