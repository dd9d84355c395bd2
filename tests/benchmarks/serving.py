"""A conversation served without HeartRule: the contract on the wire, for floor and peers.

Whoever serves says in `answer` what a turn does; the tellings of a turn are `Turn`'s.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from grpc import aio

from heartrule.v1 import (
    conversation_pb2,
    event_pb2,
    message_pb2,
    script_pb2,
    session_pb2,
    turn_pb2,
)
from heartrule.v1.conversation_service_pb2_grpc import (
    ConversationServiceServicer,
    add_ConversationServiceServicer_to_server,
)
from heartrule.v1.script_service_pb2_grpc import (
    ScriptServiceServicer,
    add_ScriptServiceServicer_to_server,
)
from heartrule.v1.session_service_pb2_grpc import (
    SessionServiceServicer,
    add_SessionServiceServicer_to_server,
)


class Turn:
    """One turn of one session, and its events to the client."""

    def __init__(self, context: Any, session_id: str, user_input: Any) -> None:
        """`user_input` is None in the opening turn."""
        self.session_id = session_id
        self.mark: str = user_input.client_message_id if user_input is not None else ""
        self.words: str = user_input.parts[0].text if user_input is not None else ""
        self.message_id = f"msg_{time.time_ns():x}"
        self._context = context

    async def accepted(self, number: int) -> None:
        """Tell that the input is stored."""
        message = _message(self.mark, number, self.words, message_pb2.ROLE_CLIENT)
        await self._tell(number, input_accepted=turn_pb2.InputAccepted(messages=[message]))

    async def draft(self, offset: int, text: str) -> None:
        """Tell a piece of the reply."""
        at = turn_pb2.DraftPosition(message_id=self.message_id, offset=offset)
        await self._tell(0, draft_delta=turn_pb2.DraftDelta(at=at, text=text))

    async def committed(self, number: int, text: str) -> None:
        """Tell that the reply is stored, and that the turn has ended."""
        message = _message(self.message_id, number, text, message_pb2.ROLE_ASSISTANT)
        await self._tell(number, message_committed=message)
        marks = [self.mark] if self.mark else []
        ended = turn_pb2.TurnEnded(outcome=turn_pb2.OUTCOME_WAITING, client_message_ids=marks)
        await self._tell(number + 1, turn_ended=ended)

    async def _tell(self, sequence: int, **body: Any) -> None:
        event = event_pb2.SessionEvent(session_id=self.session_id, sequence=sequence, **body)
        await self._context.write(conversation_pb2.ConverseResponse(event=event))


class Answering(Protocol):
    """What serves the turns."""

    async def begin(self, session_id: str) -> None:
        """Make a session."""

    async def answer(self, turn: Turn) -> None:
        """Run one turn and tell it."""


class Conversations(ConversationServiceServicer, SessionServiceServicer, ScriptServiceServicer):
    """The three rpcs the load generator calls."""

    def __init__(self, answering: Answering) -> None:
        """Let `answering` run the turns."""
        self._answering = answering

    async def PublishScript(self, _request: object, _context: object) -> Any:  # noqa: N802
        """Have nothing to publish."""
        return script_pb2.PublishScriptResponse(script=script_pb2.Script(script_id="bare"))

    async def StartSession(self, _request: object, _context: object) -> Any:  # noqa: N802
        """Begin a session."""
        session_id = f"ses_{time.time_ns():x}"
        await self._answering.begin(session_id)
        return session_pb2.StartSessionResponse(session=session_pb2.Session(session_id=session_id))

    async def Converse(  # type: ignore[override]  # noqa: N802  it writes by context
        self, _requests: object, context: Any
    ) -> None:
        """Answer one message after the other."""
        session_id = (await context.read()).open.session_id
        await self._answering.answer(Turn(context, session_id, None))
        while (request := await context.read()) is not aio.EOF:
            await self._answering.answer(Turn(context, session_id, request.input))


async def serve_conversations(name: str, answering: Answering) -> None:
    """Listen on a free port, say which, and serve until the process is ended."""
    server = aio.server()
    conversations = Conversations(answering)  # type: ignore[abstract]  # three rpcs are all it needs
    add_ConversationServiceServicer_to_server(conversations, server)
    add_SessionServiceServicer_to_server(conversations, server)
    add_ScriptServiceServicer_to_server(conversations, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"{name} listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


def _message(message_id: str, number: int, text: str, role: Any) -> message_pb2.Message:
    parts = [message_pb2.Part(text=text)]
    return message_pb2.Message(message_id=message_id, role=role, parts=parts, sequence=number)
