"""A client of the executor for tests: publishes, starts, converses, collects events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from grpc import aio

from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    DraftDelta,
    DraftPosition,
    EventBody,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
)
from heartrule.v1 import conversation_pb2, script_pb2, session_pb2
from heartrule.wire.event_messages import event_from_message
from heartrule.wire.executor_stubs import ExecutorStubs

B = TypeVar("B", bound=EventBody)
WAIT_S = 20.0
"""A test that waits longer has failed."""
ALL = ("AUDIENCE_CLIENT", "AUDIENCE_OPERATOR", "AUDIENCE_DEBUG")
"""Every audience."""


@dataclass(slots=True)
class Told:
    """The events of one stream so far."""

    events: list[SessionEvent] = field(default_factory=list)

    def of(self, kind: type[B]) -> list[B]:
        """Return the bodies of one kind, in order."""
        return [event.body for event in self.events if isinstance(event.body, kind)]

    def durable(self) -> list[SessionEvent]:
        """Return the events that have a sequence."""
        return [event for event in self.events if event.sequence]

    def messages(self) -> list[Message]:
        """Return the committed messages."""
        return [body.message for body in self.of(MessageCommitted)]

    def texts(self) -> list[str]:
        """Return what was said, in order."""
        return [message.plain_text() for message in self.messages()]

    def drafted(self) -> str:
        """Return the text of all drafts, joined."""
        return "".join(delta.text for delta in self.of(DraftDelta))


class Conversing:
    """One Converse stream."""

    def __init__(self, call: aio.StreamStreamCall[Any, Any]) -> None:
        """Talk on an opened call."""
        self._call = call
        self.told = Told()

    async def say(
        self, client_message_id: str, text: str, *, if_busy: str = "", traceparent: str = ""
    ) -> None:
        """Send one input and return at once."""
        user_input = conversation_pb2.UserInput(
            client_message_id=client_message_id, if_busy=if_busy or None, traceparent=traceparent
        )
        user_input.parts.add(text=text)
        await self._call.write(conversation_pb2.ConverseRequest(input=user_input))

    async def submit(self, client_message_id: str, request: str, values: Mapping[str, Any]) -> None:
        """Submit a form and return at once."""
        user_input = conversation_pb2.UserInput(
            client_message_id=client_message_id, input_request_id=request
        )
        user_input.parts.add(fallback_text="（填好的表单）").form.values.update(values)
        await self._call.write(conversation_pb2.ConverseRequest(input=user_input))

    async def interrupt(self, turn_id: str, heard: DraftPosition | None = None) -> None:
        """Ask to stop a turn and return at once."""
        asked = conversation_pb2.InterruptTurn(turn_id=turn_id)
        if heard is not None:
            asked.heard.message_id, asked.heard.offset = heard.message_id, heard.offset
        await self._call.write(conversation_pb2.ConverseRequest(interrupt=asked))

    async def half_close(self) -> None:
        """Say that no more input comes."""
        await self._call.done_writing()

    async def until(self, wanted: Callable[[SessionEvent], bool]) -> SessionEvent:
        """Read until an event is the wanted one, and return it."""
        async with asyncio.timeout(WAIT_S):
            while True:
                response: Any = await self._call.read()
                if response is aio.EOF:
                    raise AssertionError(f"the stream ended: {await self._call.details()}")
                event = event_from_message(response.event)
                if event is None:
                    continue
                self.told.events.append(event)
                if wanted(event):
                    return event

    async def until_body(self, kind: type[B]) -> B:
        """Read until an event of a kind, and return its body."""
        event = await self.until(lambda e: isinstance(e.body, kind))
        assert isinstance(event.body, kind)
        return event.body

    async def turn(self, client_message_id: str, text: str) -> TurnEnded:
        """Say something and read to the end of its turn."""
        await self.say(client_message_id, text)

        def ends(event: SessionEvent) -> bool:
            body = event.body
            return isinstance(body, TurnEnded) and client_message_id in body.client_message_ids

        event = await self.until(ends)
        assert isinstance(event.body, TurnEnded)
        return event.body

    async def finish(self) -> None:
        """Half-close and read to the end of the stream."""
        await self.half_close()
        async with asyncio.timeout(WAIT_S):
            while True:
                response: Any = await self._call.read()
                if response is aio.EOF:
                    return
                event = event_from_message(response.event)
                if event is not None:
                    self.told.events.append(event)

    async def code(self) -> object:
        """Return the stream's final status code."""
        async with asyncio.timeout(WAIT_S):
            return await self._call.code()


class Client:
    """A caller of one executor."""

    def __init__(self, channel: aio.Channel) -> None:
        """Use a channel opened in the running loop."""
        self.stubs = ExecutorStubs(channel)

    async def publish(self, script: str) -> str:
        """Publish a script and return its id."""
        bundle = script_pb2.ScriptBundle(files={"script.yaml": script.encode()})
        request = script_pb2.PublishScriptRequest(bundle=bundle)
        return str((await self.stubs.script.PublishScript(request)).script.script_id)

    async def start(self, script: str, **fields: Any) -> str:
        """Publish a script, start a session on it, and return the session's id."""
        script_id = await self.publish(script)
        request = session_pb2.StartSessionRequest(script_id=script_id, **fields)
        return str((await self.stubs.session.StartSession(request)).session.session_id)

    @asynccontextmanager
    async def converse(
        self,
        session_id: str,
        *,
        after: int | None = None,
        audiences: tuple[str, ...] = ALL,
        accepts: tuple[str, ...] = (),
    ) -> AsyncIterator[Conversing]:
        """Open a Converse stream; leaving the block cancels it."""
        call = self.stubs.conversation.Converse()
        opening = conversation_pb2.OpenConversation(
            session_id=session_id, after_sequence=after, audiences=audiences, accepts=accepts
        )
        await call.write(conversation_pb2.ConverseRequest(open=opening))
        try:
            yield Conversing(call)
        finally:
            call.cancel()

    async def send(self, session_id: str, client_message_id: str, text: str) -> Told:
        """Send one message without bidi and collect its turn."""
        user_input = conversation_pb2.UserInput(client_message_id=client_message_id)
        user_input.parts.add(text=text)
        request = conversation_pb2.SendMessageRequest(
            session_id=session_id, input=user_input, audiences=ALL
        )
        return await collect(self.stubs.conversation.SendMessage(request))

    async def interrupt(
        self, session_id: str, turn_id: str, *, request_id: str = ""
    ) -> conversation_pb2.InterruptTurnResponse:
        """Stop a turn without bidi."""
        request = conversation_pb2.InterruptTurnRequest(
            session_id=session_id, turn_id=turn_id, request_id=request_id
        )
        answer: conversation_pb2.InterruptTurnResponse = (
            await self.stubs.conversation.InterruptTurn(request)
        )
        return answer

    async def initialize(self, session_id: str) -> Told:
        """Run the opening turn and collect it."""
        request = session_pb2.InitializeSessionRequest(session_id=session_id, audiences=ALL)
        return await collect(self.stubs.conversation.InitializeSession(request))


async def collect(call: aio.UnaryStreamCall[Any, Any]) -> Told:
    """Read a server stream to its end."""
    told = Told()
    async with asyncio.timeout(WAIT_S):
        async for response in call:
            event = event_from_message(response.event)
            if event is not None:
                told.events.append(event)
    return told
