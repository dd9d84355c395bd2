"""One conversation from its opening to its end: when a line is sent, and what is waited for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from heartrule.chassis import telemetry
from heartrule.domain.events import Heartbeat, SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.model_failure import LASTING
from heartrule.words.words import Words, say
from heartrule_cli.chat.chat_end import ChatEnd, ChatOutcome
from heartrule_cli.chat.client_lines import shortened
from heartrule_cli.chat.read_ahead import ReadAhead
from heartrule_cli.chat.session_progress import SessionProgress
from heartrule_cli.chat.turn_waits import TurnWaits
from heartrule_cli.narration.session_texts import problem_text
from heartrule_cli.stopping import first_done

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heartrule.domain.problem import Problem
    from heartrule_cli.chat.client_lines import Lines
    from heartrule_cli.chat.conversation_stream import ConversationStream
    from heartrule_cli.chat.event_printer import EventPrinter

# Times an unattended chat sends one message whose turn fails for a passing reason.
_ATTEMPTS = 4
_PAUSE = timedelta(seconds=1)
# An input may exceed the executor's limit by so great a part of it: one that exceeds it by a fourth
# ends the stream unread.
_BEYOND = 8
# The code of an input that came after the script's end: FAILED_PRECONDITION.
_FINISHED = 9
# Codes after which the same may succeed: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, …
_PASSING = frozenset({4, 8, 10, 14})


@dataclass(slots=True)
class ChatLoop:
    """Sends a client's lines, one turn each, and prints the session's events.

    A line that means danger waits for no turn (ADR 70).
    """

    conversation: ConversationStream
    printer: EventPrinter
    lines: Lines
    session_id: str = ""
    progress: SessionProgress = field(default_factory=SessionProgress)
    waits: TurnWaits = field(init=False)
    _ahead: ReadAhead = field(init=False)
    _refused: int = 0
    _interrupting: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        """Read ahead of the turns, from `run` on."""
        attended = self.lines.attended
        self.waits = TurnWaits(progress=self.progress, printer=self.printer, attended=attended)
        self._ahead = ReadAhead(self.lines, self.conversation.in_danger, self._send_now)

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
        read = asyncio.create_task(self._read())
        try:
            done = await first_done(talk, follow, read, asyncio.create_task(stop.wait()))
            for endless in done & {follow, read}:
                endless.result()
            left = self._end(ChatOutcome.LEFT, *self._ahead.waiting)
            return talk.result() if talk in done else left
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
            self.waits.changed.set()

    async def _read(self) -> None:
        await self._ahead.run()
        await asyncio.Event().wait()  # the end of the lines is no end of the chat

    async def _talk(self) -> ChatEnd:
        while True:
            await self.waits.turns_end()
            for problem in self._refusals():
                self._not_taken(problem)
            if self.progress.problem is not None and not await self._retried():
                return self._end(ChatOutcome.FAILED, *await self._ahead.rest())
            if self.progress.completed:
                return self._end(ChatOutcome.COMPLETED, *await self._ahead.rest())
            await self.waits.analyses_end()
            if self.progress.busy:  # a line went out meanwhile
                continue
            line = await self._ahead.next()
            if line is None:
                return self._end(ChatOutcome.LINES_ENDED)
            if not await self._handle(line):
                return self._end(ChatOutcome.COMPLETED, line, *await self._ahead.rest())

    def _end(self, how: ChatOutcome, *unsent: str) -> ChatEnd:
        return ChatEnd(how=how, unsent=unsent, refused=self._refused)

    async def _handle(self, line: str) -> bool:
        """Send a line and wait for its turn to end; False where the script had ended before."""
        if not line.strip():
            problem = self.progress.problem
            if problem is not None and problem.code != _FINISHED:
                await self._retry()
            return True
        problem = await self._send(line, echo=not self.lines.attended)
        for attempt in range(1, _ATTEMPTS):
            if problem is None or problem.code not in _PASSING or self.lines.attended:
                break
            await asyncio.sleep(_pause(problem, attempt))
            problem = await self._send(line, echo=False)
        if problem is not None and problem.code != _FINISHED:
            self._not_taken(problem)
        return problem is None or problem.code != _FINISHED

    def _refusals(self) -> list[Problem]:
        """Return why lines were refused that nobody waited for."""
        refused, self.progress.refused = self.progress.refused, {}
        return [problem for message_id, problem in refused.items() if message_id]

    def _not_taken(self, problem: Problem) -> None:
        self._refused += 1
        self.printer.warn(
            say("cli.chat.not_taken", why=problem_text(problem, self.printer.language))
        )

    async def _send(self, line: str, *, echo: bool) -> Problem | None:
        """Send a line and wait for its turn to end; return why it was refused, if it was."""
        with telemetry.span("chat.input", session_id=self.session_id, kind="client") as span:
            message_id = self._sent(line, echo=echo)
            text = self._readable(line)
            await self.conversation.say(message_id, text, traceparent=span.traceparent)
            await self.waits.turns_end()
        return self.progress.refused.pop(message_id, None)

    async def _send_now(self, lines: Sequence[str]) -> None:
        """Send lines while a turn runs; nobody waits for theirs."""
        for line in lines:
            with telemetry.span("chat.input", session_id=self.session_id, kind="client") as span:
                message_id = self._sent(line, echo=not self.lines.attended)
                await self.conversation.say(
                    message_id, self._readable(line), queued=True, traceparent=span.traceparent
                )

    def _readable(self, line: str) -> str:
        """Return what is sent of a line: of one that is too long what the executor still reads.

        It refuses that, and where the client is in danger it says where help is.
        """
        limit = self.progress.max_input_bytes
        return shortened(line, limit + limit // _BEYOND) if limit else line

    def _sent(self, line: str, *, echo: bool) -> str:
        """Take note of a line before it is sent, as its turn may end at once; return its id."""
        message_id = new_id("msg")
        self.progress.sent([message_id])
        self.printer.sent(message_id, line, echo=echo)
        return message_id

    async def _retried(self) -> bool:
        """Retry a failed turn until it ends; False where that is of no use.

        Where the chat is attended, the person decides, and this returns True at once.
        """
        attempt, told, gave_up = 1, "", False
        try:
            while (problem := self.progress.problem) is not None:
                told = self._tell(problem, told)
                if self.lines.attended:
                    self.printer.note(_choices(problem))
                    return True
                if attempt == _ATTEMPTS or not _may_pass(problem):
                    gave_up = attempt > 1
                    return False
                attempt += 1
                self.printer.retrying(attempt, _ATTEMPTS)
                await asyncio.sleep(_pause(problem, attempt - 1))
                if self.progress.problem is problem:  # no line went out meanwhile
                    await self._retry()
            return True
        finally:
            self.printer.retried()
            if gave_up:
                self.printer.note(say("cli.chat.gave_up", count=attempt))

    def _tell(self, problem: Problem, told: str) -> str:
        """Say why a turn failed, once for each cause in a row; return the cause.

        A model that is left alone for a while has the cause of the calls before.
        """
        cause = problem.metadata.get("cause") or problem.reason
        if cause != told:
            why = problem_text(problem, self.printer.language)
            self.printer.warn(say("cli.chat.turn_failed", why=why))
        return cause

    async def _retry(self) -> None:
        self.progress.sent(self.conversation.failed)
        await self.conversation.again()
        await self.waits.turns_end()


def _choices(problem: Problem) -> Words:
    """Return what a person can do about a failed turn."""
    return say("cli.chat.say_else" if problem.code == _FINISHED else "cli.chat.press_enter")


def _may_pass(problem: Problem) -> bool:
    """Return whether the same may succeed without anybody doing anything."""
    return problem.code in _PASSING and problem.metadata.get("cause") not in LASTING


def _pause(problem: Problem, attempt: int) -> float:
    """Return the seconds to wait: what the problem says, else longer each time."""
    wait = problem.retry_after
    return (_PAUSE * 2 ** (attempt - 1) if wait is None else wait).total_seconds()
