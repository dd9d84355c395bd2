"""Follows one turn for one request to its end, and returns it whole or as frames."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass, field

import grpc

from gateway_service.client_text import ClientText
from gateway_service.json_encoding import encode
from gateway_service.problems import HttpProblem, problem, problem_in_band
from gateway_service.replies import ReplyJson, message_of, reply_of, unanswered
from gateway_service.services import Services
from gateway_service.sse import HEARTBEAT, frame
from gateway_service.turn_text import Chunk, TurnText
from heartrule.v1 import (
    conversation_pb2,
    event_pb2,
    message_pb2,
    safety_pb2,
    session_pb2,
    turn_pb2,
)

_SYSTEM = message_pb2.ROLE_SYSTEM
_FAILED = turn_pb2.OUTCOME_FAILED
DONE = frame({"done": True})


@dataclass(slots=True, kw_only=True)
class Turn:
    """The state of one request that follows one turn."""

    services: Services
    request: conversation_pb2.SendMessageRequest | session_pb2.InitializeSessionRequest
    text: TurnText = field(default_factory=TurnText)
    answers: ClientText | None = None
    """The text that the turn answers; None: it opens the session."""
    named: Callable[[ReplyJson], ReplyJson] = copy
    """Gives a reply the names that the route's callers know."""
    turn_id: str = ""
    ended: turn_pb2.TurnEnded | None = None

    async def events(self) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield the turn's events to its end.

        Raises:
            HttpProblem: The stream failed, the input was refused, or the turn took too long.
        """
        limit = self.services.settings.requests.turn_timeout
        streamed = self.services.executor.stream(self.request, timeout_s=limit)
        async with aclosing(streamed) as events:
            for event in await self._first(events):
                self._note(event)
                yield event
            async for event in events:
                self._note(event)
                yield event

    async def _first(
        self, events: AsyncGenerator[event_pb2.SessionEvent]
    ) -> list[event_pb2.SessionEvent]:
        """Return the events up to the first that is not `opened`: the executor has the input."""
        first = _until_more_than_opened(events)
        return await (first if self.answers is None else self.answers.answered(first))

    def _note(self, event: event_pb2.SessionEvent) -> None:
        """Take what the turn is known by; a refused input is an HttpProblem."""
        kind = event.WhichOneof("event")
        if kind == "input_rejected":
            raise _rejected(event.input_rejected)
        if event.turn_id:
            self.turn_id = event.turn_id
        if kind == "turn_ended":
            self.ended = event.turn_ended
        if kind == "message_committed" and event.message_committed.role == _SYSTEM and self.answers:
            self.answers.card_shown.set()

    async def reply(self) -> ReplyJson:
        """Follow the turn and return its result, or what is shown to a person in danger.

        Raises:
            HttpProblem: It failed; the problem is the turn's own.
        """
        answers = self.answers
        if answers is None:
            return await self._whole()
        try:
            return await answers.whole(self._whole())
        except HttpProblem as error:
            seen = await answers.seen(error, shown=bool(self.text.messages))
            if seen.card is None and not answers.card_shown.is_set():
                raise
            return self._in_place(seen, seen.card)

    async def _whole(self) -> ReplyJson:
        await self._follow()
        if self._lacks_messages():
            # The input resumed a failed turn, whose earlier messages no answer has held yet:
            # the same input again replays all of it.
            self.text = TurnText()
            await self._follow()
        return await self.result()

    def _in_place(self, error: HttpProblem, card: safety_pb2.SafetyCard | None) -> ReplyJson:
        """Return what was received of the turn, or the card, as its result."""
        messages = self.text.messages or [message_of(card)] if card else self.text.messages
        ids = self.request.session_id, self.turn_id, self._message_id()
        return self.named(unanswered(error, messages, ids=ids))

    def _message_id(self) -> str:
        if isinstance(self.request, conversation_pb2.SendMessageRequest):
            return self.request.input.client_message_id
        return ""

    async def _follow(self) -> None:
        async with aclosing(self.events()) as events:
            async for event in events:
                if event.WhichOneof("event") == "message_committed":
                    self.text.commit(event.message_committed, event.sequence)

    def _lacks_messages(self) -> bool:
        if self.ended is None or self.ended.outcome == _FAILED:
            return False
        received = {message.message_id for message in self.text.messages}
        return not received.issuperset(self.ended.message_ids)

    def check_end(self) -> turn_pb2.TurnEnded:
        """Return how the turn ended.

        Raises:
            HttpProblem: It failed, or the stream ended without it.
        """
        if self.ended is None:
            raise problem(grpc.StatusCode.UNAVAILABLE, "STREAM_ENDED", "the executor went away")
        if self.ended.outcome == _FAILED:
            raise problem_in_band(self.ended.problem)
        return self.ended

    async def result(self) -> ReplyJson:
        """Return the result of the turn, once it has ended.

        Raises:
            HttpProblem: It failed, or the stream ended without it.
        """
        ended = self.check_end()
        session_id = self.request.session_id
        asked = session_pb2.GetExecutionStateRequest(session_id=session_id)
        answer = await self.services.executor.ask(asked, session_pb2.GetExecutionStateResponse)
        told = reply_of(
            ended,
            answer.state,
            messages=self.text.messages,
            ai_message=self.text.reply(),
            ids=(session_id, self.turn_id, self._message_id()),
        )
        return self.named(told)

    async def begin(self) -> AsyncGenerator[bytes]:
        """Wait until the input is stored and return the frames of the turn.

        Events that the reader at `text.place` has received are left out.

        Raises:
            HttpProblem: The input was refused: there is nothing to stream.
        """
        events = self.events()
        # A refusal up to here becomes an HTTP status; later ones can only be a frame.
        try:
            first = await _until_more_than_opened(events)
        except HttpProblem as error:
            if error.card is None:
                raise
            return self._card_frames(error, error.card)
        return self._as_frames(first, events)

    async def _as_frames(
        self, first: list[event_pb2.SessionEvent], rest: AsyncGenerator[event_pb2.SessionEvent]
    ) -> AsyncGenerator[bytes]:
        try:
            async with aclosing(rest) as events:
                for event in first:
                    for each in self._frames(event):
                        yield each
                async for event in events:
                    for each in self._frames(event):
                        yield each
            yield frame(await self.result(), event="reply", event_id=str(self.text.place))
        except HttpProblem as error:
            seen = await self.answers.seen(error) if self.answers else error
            if seen.card is not None and not self.text.messages:
                async for each in self._card_frames(seen, seen.card):
                    yield each
                return
            yield frame(error.as_json(), event="problem")
        yield DONE

    async def _card_frames(
        self, error: HttpProblem, card: safety_pb2.SafetyCard
    ) -> AsyncGenerator[bytes]:
        """Yield the card as a reply; its frames have no id, as nothing of it is resumed."""
        yield frame({"chunk": card.text})
        yield frame({"card": encode(card)}, event="safetyFallback")
        yield frame(self._in_place(error, card), event="reply")
        yield DONE

    def _frames(self, event: event_pb2.SessionEvent) -> list[bytes]:
        kind = event.WhichOneof("event")
        if kind == "draft_delta":
            return self._text_frames(event, self.text.draft(event.draft_delta))
        if kind == "heartbeat":
            # An SSE comment: it keeps proxies from closing an idle stream, and no reader sees it.
            return [HEARTBEAT]
        if kind in {"opened", None}:
            return []
        before = self.text.place.sequence
        frames: list[bytes] = []
        if kind == "message_committed":
            frames = self._text_frames(
                event, self.text.commit(event.message_committed, event.sequence)
            )
        elif kind == "draft_voided":
            self.text.void(event.sequence)
        elif event.sequence:
            self.text.passed(event.sequence)
        if event.sequence and event.sequence <= before:
            return []
        return [*frames, event_frame(event, str(event.sequence) if event.sequence else "")]

    def _text_frames(self, event: event_pb2.SessionEvent, chunks: list[Chunk]) -> list[bytes]:
        frames: list[bytes] = []
        if self.text.begins():
            body = event.draft_delta.at if event.HasField("draft_delta") else None
            message_id = body.message_id if body else event.message_committed.message_id
            begun = {"messageId": message_id, "attempt": event.attempt}
            frames.append(frame(begun, event="draftStarted"))
        frames.extend(frame({"chunk": one.text}, event_id=str(one.place)) for one in chunks)
        return frames


def _rejected(rejected: turn_pb2.InputRejected) -> HttpProblem:
    refusal = problem_in_band(rejected.problem)
    if rejected.fallback.HasField("card"):
        refusal.card = rejected.fallback.card
    return refusal


async def _until_more_than_opened(
    events: AsyncGenerator[event_pb2.SessionEvent],
) -> list[event_pb2.SessionEvent]:
    """Return the events up to the first that is not `opened`, and leave the rest."""
    first: list[event_pb2.SessionEvent] = []
    while (event := await anext(events, None)) is not None:
        first.append(event)
        if event.WhichOneof("event") != "opened":
            break
    return first


def event_frame(event: event_pb2.SessionEvent, event_id: str) -> bytes:
    """Return the frame of an event, named as its field in lowerCamelCase."""
    name = event.WhichOneof("event") or ""
    name_in_json = event.DESCRIPTOR.fields_by_name[name].camelcase_name
    return frame(encode(event), event=name_in_json, event_id=event_id)
