"""An executor that tests write: a session's log, an answer to each input, streams that break."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import grpc
from grpc import aio

from heartrule.domain import events as body
from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.events import EventBody, SessionEvent
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from heartrule.v1 import (
    conversation_pb2,
    conversation_service_pb2_grpc,
    history_service_pb2_grpc,
    safety_pb2,
    safety_request_pb2,
    safety_service_pb2_grpc,
    script_pb2,
    script_service_pb2_grpc,
    session_pb2,
    session_service_pb2_grpc,
)
from heartrule.wire.event_messages import event_response
from heartrule.wire.message_mapping import fill_message

_SERVICES = {
    "Conversation": conversation_service_pb2_grpc,
    "Session": session_service_pb2_grpc,
    "History": history_service_pb2_grpc,
    "Script": script_service_pb2_grpc,
    "Safety": safety_service_pb2_grpc,
}
SESSION = "ses_fake"
POSITION = ExecutionPosition(
    phase_id="p", topic_id="t", action_id="ask", current_round=1, max_rounds=3
)
WAITING = ExecutionState(status=ExecutionStatus.WAITING_INPUT, position=POSITION)
COMPLETED = replace(WAITING, status=ExecutionStatus.COMPLETED)

Answer = Callable[[str, str], Iterable[EventBody]]
"""From an input's id and text to what its turn tells."""


def said(message_id: str, text: str, *, role: Role = Role.ASSISTANT) -> body.MessageCommitted:
    """Return a committed message."""
    message = Message(message_id=message_id, role=role, parts=(text_part(text),))
    return body.MessageCommitted(message=message)


def ended(*ids: str, state: ExecutionState = WAITING) -> body.TurnEnded:
    """Return the end of a turn that went well."""
    done = state.status is ExecutionStatus.COMPLETED
    outcome = body.Outcome.SESSION_COMPLETED if done else body.Outcome.WAITING
    return body.TurnEnded(outcome=outcome, client_message_ids=ids, state=state)


def echo(message_id: str, text: str) -> Iterable[EventBody]:
    """Answer with the client's words; `bye` ends the script."""
    yield said(f"re-{message_id}", f"echo {text}")
    yield ended(message_id, state=COMPLETED if text == "bye" else WAITING)


@dataclass(slots=True)
class FakeExecutor:
    """One session on one script; everything it tells is kept and told again on resume."""

    answer: Answer = echo
    openings: list[tuple[EventBody, ...]] = field(
        default_factory=lambda: [(said("hello", "hello"), ended())]
    )
    """What the first streams begin with, one for each."""
    log: list[SessionEvent] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    """Ids of all inputs that came, repeats too."""
    opened_after: list[int] = field(default_factory=list)
    """The `after_sequence` of each stream."""
    drop_inputs: int = 0
    """So many inputs are answered and stored, and their stream is broken before it tells."""
    refuse: list[grpc.StatusCode] = field(default_factory=list)
    """Statuses with which the next streams end at once."""
    heartbeat: timedelta = timedelta(seconds=15)
    state: ExecutionState = field(
        default_factory=lambda: ExecutionState(status=ExecutionStatus.RUNNING)
    )

    async def Converse(  # noqa: N802  the contract's name
        self, _requests: object, context: aio.ServicerContext[Any, Any]
    ) -> None:
        """Open, tell what was missed, then answer inputs until the client goes."""
        opening = (await context.read()).open
        self.opened_after.append(opening.after_sequence)
        if self.refuse:
            await context.abort(self.refuse.pop(0), "refused by the test")
        if opening.session_id != SESSION:
            await context.abort(grpc.StatusCode.NOT_FOUND, "session was not found")
        first = body.Opened(
            state=self.state, max_input_bytes=1000, heartbeat_interval=self.heartbeat
        )
        await self._tell(context, SessionEvent(session_id=SESSION, body=first))
        if self.openings:
            self._store(self.openings.pop(0))
        for event in self.log[opening.after_sequence :]:
            await self._tell(context, event)
        while (request := await context.read()) is not aio.EOF:
            await self._hear(request.input, context)

    async def PublishScript(  # noqa: N802
        self, request: script_pb2.PublishScriptRequest, _context: object
    ) -> script_pb2.PublishScriptResponse:
        """Take any script."""
        script = script_pb2.Script(script_id="fake", version="v1", session_name="假的")
        script.main_path = request.bundle.main_path
        return script_pb2.PublishScriptResponse(script=script)

    async def StartSession(  # noqa: N802
        self, _request: object, _context: object
    ) -> session_pb2.StartSessionResponse:
        """Return the one session."""
        return session_pb2.StartSessionResponse(session=_session())

    async def GetSession(  # noqa: N802
        self, request: session_pb2.GetSessionRequest, context: aio.ServicerContext[Any, Any]
    ) -> session_pb2.GetSessionResponse:
        """Return the one session, or NOT_FOUND."""
        if request.session_id != SESSION:
            await context.abort(grpc.StatusCode.NOT_FOUND, "session was not found")
        return session_pb2.GetSessionResponse(session=_session())

    async def GetExecutionState(  # noqa: N802
        self, _request: object, _context: object
    ) -> session_pb2.GetExecutionStateResponse:
        """Return where the session stands."""
        response = session_pb2.GetExecutionStateResponse()
        fill_message(replace(self.state, sequence=len(self.log)), response.state)
        return response

    async def ListMessages(  # noqa: N802
        self, _request: object, _context: object
    ) -> session_pb2.ListMessagesResponse:
        """Return all messages of the log."""
        response = session_pb2.ListMessagesResponse()
        for event in self.log:
            if isinstance(event.body, body.MessageCommitted):
                fill_message(event.body.message, response.messages.add())
        return response

    async def ScreenText(  # noqa: N802
        self, request: safety_request_pb2.ScreenTextRequest, _context: object
    ) -> safety_request_pb2.ScreenTextResponse:
        """Find danger in one word alone."""
        danger = "HELP" in "".join((*request.earlier, request.text))
        levels = safety_pb2.SafetyLevel
        return safety_request_pb2.ScreenTextResponse(
            level=levels.SAFETY_LEVEL_CRISIS if danger else levels.SAFETY_LEVEL_NONE
        )

    async def _hear(
        self, user_input: conversation_pb2.UserInput, context: aio.ServicerContext[Any, Any]
    ) -> None:
        message_id, text = user_input.client_message_id, user_input.parts[0].text
        known = message_id in self.received
        self.received.append(message_id)
        if known:  # its turn was told above, on the way to the present
            return
        events = self._store(self.answer(message_id, text))
        if self.drop_inputs:
            self.drop_inputs -= 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the stream was lost")
        for event in events:
            await self._tell(context, event)

    def _store(self, told: Iterable[EventBody]) -> list[SessionEvent]:
        """Give durable events their numbers and keep them; others pass as they are."""
        made = []
        for what in told:
            transient = isinstance(what, body.DraftDelta | body.InputRejected | body.GoingAway)
            sequence = 0 if transient else len(self.log) + 1
            event = SessionEvent(
                session_id=SESSION, body=what, sequence=sequence, turn_id="turn", attempt=1
            )
            made.append(event)
            if sequence:
                self.log.append(event)
            if isinstance(what, body.TurnEnded) and what.state is not None:
                self.state = what.state
        return made

    async def _tell(self, context: aio.ServicerContext[Any, Any], event: SessionEvent) -> None:
        await context.write(event_response(event, conversation_pb2.ConverseResponse))


def _session() -> session_pb2.Session:
    return session_pb2.Session(session_id=SESSION, title="假的", script_id="fake")


@asynccontextmanager
async def serving(fake: FakeExecutor) -> AsyncIterator[str]:
    """Serve the executor on a free port for the length of a block; yield its address."""
    server = aio.server()
    served = {name: getattr(fake, name) for name in dir(fake) if name[0].isupper()}
    for noun, module in _SERVICES.items():
        base = getattr(module, f"{noun}ServiceServicer")
        servicer: Any = type("Served", (base,), served)  # the rest: UNIMPLEMENTED
        getattr(module, f"add_{noun}ServiceServicer_to_server")(servicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(grace=None)
