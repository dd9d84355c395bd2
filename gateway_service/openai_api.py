"""Finds the session of a call of /v1, and streams its turns as chunks.

A session is named by a header or by `user`. The name gives the idempotency key of StartSession, so
every replica finds the same session and stores nothing. A call without a name creates a session;
one that also has earlier replies is refused, because two conversations may begin alike.

The first call of a session is answered by its opening. What it says is a greeting to whoever begins
the conversation, and no answer to a question that nobody has seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from uuid import uuid4

import grpc
from starlette.requests import Request

from gateway_service.chat_completions import Completion, Object, usage_of
from gateway_service.client_text import ClientText
from gateway_service.problems import HttpProblem, problem
from gateway_service.services import Services
from gateway_service.turn_text import BETWEEN
from gateway_service.turns import Turn
from heartrule.chassis import telemetry
from heartrule.domain.request_limits import LARGEST_PAGE
from heartrule.v1 import (
    conversation_pb2,
    execution_pb2,
    llm_debug_info_pb2,
    session_pb2,
    timeline_pb2,
)

# Where a session may not have said anything yet: it is new, or its opening runs or has failed.
_MAYBE_UNOPENED = {
    execution_pb2.EXECUTION_STATUS_RUNNING, execution_pb2.EXECUTION_STATUS_ERROR,
}  # fmt: skip
_OVER = "SESSION_COMPLETED"
_OVER_ZH = "这次谈话已经结束了。想再谈，请开始一次新的对话。"
_OVER_EN = "This conversation has come to its end. To talk again, please begin a new one."
# Names the session that answered, so that it can be found in the console.
SESSION_HEADER = "x-heartrule-session-id"


@dataclass(slots=True, kw_only=True)
class Conversation:
    """The session of one call and the message it sends."""

    services: Services
    session_id: str
    unopened: bool
    """True: nothing was said in the session yet."""
    sent: ClientText
    """The message."""
    key: str
    locale: str = ""
    """BCP 47 tag of the session."""
    turn: Turn | None = None
    """The turn that is followed, once it is."""

    async def texts(self) -> AsyncGenerator[str]:
        """Yield the chunks of the reply; a safety card in its place, or after what broke off.

        A session that is at its end says so.

        Raises:
            HttpProblem: The turn was refused or failed, and no card is to be shown.
        """
        begun = False
        try:
            async with aclosing(self._chunks()) as chunks:
                async for chunk in chunks:
                    begun = True
                    yield chunk
        except HttpProblem as error:
            seen = await self.sent.seen(error, shown=begun)
            if seen.card is None and seen.reason == _OVER and not begun:
                yield _OVER_ZH if self.locale.startswith("zh") else _OVER_EN
                return
            if seen.card is None:
                raise
            if begun:
                yield BETWEEN
            yield seen.card.text

    async def whole(self) -> str:
        """Return the reply; what there is of it, where a person in danger would wait for the rest.

        Raises:
            HttpProblem: As `texts`.
        """
        received: list[str] = []

        async def gather() -> None:
            async with aclosing(self.texts()) as texts:
                async for text in texts:
                    received.append(text)  # noqa: PERF401 - kept if the rest is late

        try:
            await self.sent.whole(gather())
        except HttpProblem:
            if not self.sent.card_shown.is_set():
                raise
        return "".join(received)

    async def usage(self) -> Object:
        """Return the tokens of the turn, without those of the monitor, which comes after it."""
        turn_id, token, calls = self.turn.turn_id if self.turn else "", "", []
        while turn_id:
            request = timeline_pb2.ListModelCallsRequest(
                session_id=self.session_id, turn_id=turn_id, page_size=LARGEST_PAGE,
                page_token=token,
            )  # fmt: skip
            page = await self.services.executor.ask(request, timeline_pb2.ListModelCallsResponse)
            calls += [each.call for each in page.calls]
            token = page.next_page_token
            if not token:
                break
        own = [each for each in calls if each.purpose != llm_debug_info_pb2.PURPOSE_MONITOR]
        return usage_of(
            sum(each.prompt_tokens for each in own), sum(each.completion_tokens for each in own)
        )

    async def _chunks(self) -> AsyncGenerator[str]:
        """Yield the chunks of the reply."""
        self.turn = await self._next_turn()
        async with aclosing(_chunks(self.turn)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _next_turn(self) -> Turn:
        """Return the turn to follow: the opening, for which nobody in danger waits."""
        if self.unopened and await self.sent.card() is None:
            opening = session_pb2.InitializeSessionRequest(session_id=self.session_id)
            return Turn(services=self.services, request=opening)
        message = conversation_pb2.SendMessageRequest(
            session_id=self.session_id,
            input=conversation_pb2.UserInput(
                client_message_id=self.key, traceparent=telemetry.traceparent()
            ),
        )
        message.input.parts.add(text=self.sent.text)
        return Turn(services=self.services, request=message, answers=self.sent)


async def _chunks(turn: Turn) -> AsyncGenerator[str]:
    async with aclosing(turn.events()) as events:
        async for event in events:
            kind = event.WhichOneof("event")
            if kind == "draft_delta":
                chunks = turn.text.draft(event.draft_delta)
            elif kind == "message_committed":
                chunks = turn.text.commit(event.message_committed, event.sequence)
            else:
                continue
            for chunk in chunks:
                yield chunk.text
    turn.check_end()


async def conversation_of(
    request: Request, services: Services, asked: Completion, sent: ClientText
) -> Conversation:
    """Return the session of a call; a new one is created.

    Raises:
        HttpProblem: It has no text, no script, or earlier replies without a session's name, or
            its caller has begun too many sessions.
    """
    if not sent.text:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", "messages: the user says nothing"
        )
    name = _named(request, services, asked)
    if not name and any(message.role == "assistant" for message in asked.messages):
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "SESSION_NOT_NAMED",
            "a conversation that goes on names its session: by `user`, or by one of the headers "
            + ", ".join(services.settings.requests.session_headers),
        )  # fmt: skip
    session = await _session(services, asked, name)
    said = sent.sent_to(session.session_id, services.executor.seen)
    state = execution_pb2.ExecutionState(sequence=1, last_ai_message="…")
    if session.status in _MAYBE_UNOPENED:
        state = await _state(services, session.session_id)
    # Only now is it known whether the name is new; what costs most, its turns, has not begun.
    refused = None if state.sequence else services.callers.session_refusal(request)
    if refused is not None:
        raise await said.seen(refused, shown=True)
    return Conversation(
        services=services,
        session_id=session.session_id,
        unopened=not state.last_ai_message,
        locale=session.locale,
        sent=said,
        key=request.headers.get("idempotency-key", "")[:200] or f"v1_{uuid4().hex}",
    )


def _named(request: Request, services: Services, sent: Completion) -> str:
    headers = (request.headers.get(name, "") for name in services.settings.requests.session_headers)
    return next(filter(None, headers), sent.user or "")


async def _session(services: Services, sent: Completion, name: str) -> session_pb2.Session:
    script_id, version = sent.script()
    asked = hashlib.sha256(f"{sent.model}\0{name}".encode()).hexdigest()
    request = session_pb2.StartSessionRequest(
        script_id=script_id,
        script_version=version,
        user_id=sent.user or "",
        request_id=f"v1_{asked}" if name else "",
    )
    answer = await services.executor.ask(request, session_pb2.StartSessionResponse)
    return answer.session


async def _state(services: Services, session_id: str) -> execution_pb2.ExecutionState:
    request = session_pb2.GetExecutionStateRequest(session_id=session_id)
    answer = await services.executor.ask(request, session_pb2.GetExecutionStateResponse)
    return answer.state
