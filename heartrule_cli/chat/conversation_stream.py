"""A conversation over several streams: reconnects by sequence, repeats unanswered inputs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import grpc
from grpc import aio

from heartrule.domain.conversation import Audience, Message
from heartrule.domain.events import (
    HistoryRewound,
    InputRejected,
    Opened,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.v1 import conversation_pb2
from heartrule.wire.event_messages import event_from_message
from heartrule.wire.message_mapping import fill_message
from heartrule_cli.call_failures import failure_of

if TYPE_CHECKING:
    from heartrule.domain.events import DraftPosition, EventBody
    from heartrule_cli.executor_client import ExecutorClient

Call: TypeAlias = (
    "aio.StreamStreamCall[conversation_pb2.ConverseRequest, conversation_pb2.ConverseResponse]"
)

# Ends of a stream after which a reconnection may succeed.
_PASSING = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 3.0
_UNTIL_OPENED_S = 20.0
# A stream without so many heartbeats in a row counts as broken (CONTRACT: Opened).
_SILENT_BEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which events of a session are requested, and from which sequence number."""

    session_id: str
    after_sequence: int
    drafts: bool
    audiences: frozenset[Audience]
    patience_s: float = 60.0
    """Seconds without a connection after which it is given up."""


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The connection was lost or restored; yielded between events."""

    up: bool


Update: TypeAlias = "SessionEvent | LinkChanged"


class _StreamLost(Exception):
    """The stream ended before the conversation."""

    def __init__(self, cause: aio.AioRpcError | None = None) -> None:
        super().__init__("the stream was lost")
        self.cause = cause


class ConversationStream:
    """Sends inputs and receives the events of one session, across reconnections."""

    def __init__(self, executor: ExecutorClient, wish: Wish) -> None:
        """Nothing is sent before `events` is iterated."""
        self._executor = executor
        self._wish = wish
        self._seen = wish.after_sequence
        self._call: Call | None = None
        self._unanswered: dict[str, conversation_pb2.UserInput] = {}
        self._failed: dict[str, conversation_pb2.UserInput] = {}
        self._silence_s = _UNTIL_OPENED_S
        self._reopening = False
        self._writing = asyncio.Lock()

    async def events(self) -> AsyncIterator[Update]:
        """Yield each durable event once, transient ones as they come, for ever.

        Raises:
            Failure: The session is unknown, or the executor did not answer for too long.
        """
        lost_at: float | None = None
        pause = _FIRST_PAUSE_S
        while True:
            try:
                async for event in self._stream():
                    if lost_at is not None:
                        lost_at, pause = None, _FIRST_PAUSE_S
                        yield LinkChanged(up=True)
                    yield event
            except _StreamLost as lost:
                if self._reopening:
                    self._reopening = False
                    continue
                now = asyncio.get_running_loop().time()
                if lost_at is None:
                    lost_at = now
                    yield LinkChanged(up=False)
                elif lost.cause is not None and now - lost_at > self._wish.patience_s:
                    raise failure_of(lost.cause, self._executor.address) from None
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def say(
        self, message_id: str, text: str, *, queued: bool = False, traceparent: str = ""
    ) -> None:
        """Send one message under a fresh id, and again on each new stream until it is answered.

        Where a turn runs, a `queued` one has a turn of its own; others follow the script's rule.
        """
        user_input = conversation_pb2.UserInput(
            client_message_id=message_id, traceparent=traceparent
        )
        if queued:
            user_input.if_busy = conversation_pb2.IF_BUSY_QUEUE
        user_input.parts.add(text=text)
        self._failed.clear()
        self._unanswered[message_id] = user_input
        await self._send(conversation_pb2.ConverseRequest(input=user_input))

    async def in_danger(self, texts: Sequence[str]) -> bool:
        """Whether the last text, behind those before it that nobody has answered, calls for help.

        True where the executor does not say so in time: an input too early harms less.
        """
        *before, text = texts
        unanswered = [part.text for each in self._unanswered.values() for part in each.parts]
        return await self._executor.calls_for_help(text, [*unanswered, *before])

    async def interrupt(self, turn_id: str, kept: DraftPosition | None) -> None:
        """Request the end of a turn, where a stream is open; keep its draft up to `kept`."""
        request = conversation_pb2.InterruptTurn(turn_id=turn_id)
        if kept is not None:
            fill_message(kept, request.heard)
        await self._send(conversation_pb2.ConverseRequest(interrupt=request))

    @property
    def failed(self) -> tuple[str, ...]:
        """The ids of the inputs whose turn failed last; none where it was the opening turn."""
        return tuple(self._failed)

    async def again(self) -> None:
        """Run the turn that failed last again: its inputs are sent once more, with the same ids."""
        inputs, self._failed = self._failed, {}
        self._unanswered.update(inputs)
        for user_input in inputs.values():
            await self._send(conversation_pb2.ConverseRequest(input=user_input))
        if not inputs and self._call is not None:
            self._reopening = True  # an opening turn runs when a stream is opened
            self._call.cancel()

    def adopt(self, messages: Iterable[Message]) -> None:
        """Let `again` send the messages of an earlier client whose turn failed."""
        for message in messages:
            user_input = conversation_pb2.UserInput(client_message_id=message.client_message_id)
            for part in message.parts:
                fill_message(part, user_input.parts.add())
            self._failed[message.client_message_id] = user_input

    async def _stream(self) -> AsyncIterator[SessionEvent]:
        """Yield the events of one stream, from its opening until it is lost."""
        call: Call = self._executor.stubs.conversation.Converse()
        self._silence_s = _UNTIL_OPENED_S
        try:
            await self._open(call)
            while True:
                event = await self._read(call)
                if event is not None:
                    self._note(event.body)
                    yield event
        finally:
            self._call = None
            call.cancel()

    async def _open(self, call: Call) -> None:
        opening = conversation_pb2.OpenConversation(
            session_id=self._wish.session_id,
            after_sequence=self._seen,
            whole_messages_only=not self._wish.drafts,
            audiences=[f"AUDIENCE_{each.name}" for each in self._wish.audiences],
        )
        async with self._writing:
            await _write(call, conversation_pb2.ConverseRequest(open=opening))
            self._call = call
            for user_input in list(self._unanswered.values()):
                await _write(call, conversation_pb2.ConverseRequest(input=user_input))

    async def _send(self, request: conversation_pb2.ConverseRequest) -> None:
        """Write a request where a stream is open; the next stream writes unanswered inputs."""
        async with self._writing:
            if self._call is not None:
                await _write(self._call, request)

    async def _read(self, call: Call) -> SessionEvent | None:
        """Return the next event; None for one already seen or of an unknown kind.

        Raises:
            Failure: The stream ended for a reason that will not pass.
            _StreamLost: It ended for another, or fell silent.
        """
        try:
            async with asyncio.timeout(self._silence_s):
                response = await call.read()
        except TimeoutError:
            raise _StreamLost from None
        except aio.AioRpcError as error:
            if error.code() in _PASSING:
                raise _StreamLost(error) from None
            raise failure_of(error, self._executor.address) from None
        except asyncio.CancelledError:
            if call.cancelled() and not _cancelling():
                raise _StreamLost from None
            raise
        if not isinstance(response, conversation_pb2.ConverseResponse):  # aio.EOF
            raise _StreamLost
        sequence = response.event.sequence
        if 0 < sequence <= self._seen:
            return None
        self._seen = max(self._seen, sequence)
        return event_from_message(response.event)

    def _note(self, body: EventBody) -> None:
        """Update which inputs are unanswered, and which failed."""
        match body:
            case Opened(heartbeat_interval=beat):
                self._silence_s = max(beat.total_seconds() * _SILENT_BEATS, 1.0)
            case InputRejected(client_message_id=message_id):
                self._unanswered.pop(message_id, None)
            case TurnEnded(outcome=outcome, client_message_ids=ids):
                answered = {i: self._unanswered.pop(i) for i in ids if i in self._unanswered}
                self._failed = answered if outcome is Outcome.FAILED else {}
            case HistoryRewound():
                self._failed = {}  # only the last turn is taken back, so it was the failed one
            case _:
                pass


async def _write(call: Call, request: conversation_pb2.ConverseRequest) -> None:
    """Write a request; a broken stream is noticed when it is read."""
    try:
        await call.write(request)
    except (aio.AioRpcError, asyncio.InvalidStateError, aio.UsageError):
        return
    except asyncio.CancelledError:
        if _cancelling():
            raise


def _cancelling() -> bool:
    """Return whether this task itself is being cancelled, rather than the call it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
