"""The rpcs that stream a session's events and take its inputs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, aclosing
from typing import TypeVar, cast

from executor_service.rpc.converse_requests import read_open, read_requests, refused_stream
from executor_service.rpc.requests import Context, session_of
from executor_service.streams.converse import ConverseStream
from executor_service.streams.one_turn import OneTurn
from executor_service.streams.relay import View
from executor_service.streams.session_deps import SessionDeps
from executor_service.streams.showing import showing_on
from executor_service.streams.watch import watch
from heartrule.chassis import telemetry
from heartrule.domain.errors import DeadlinePassed, QuotaSpent
from heartrule.domain.events import Outcome, SessionEvent
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import conversation_pb2, session_pb2, turn_pb2
from heartrule.wire.enums import numbers
from heartrule.wire.event_messages import EventResponse, event_response
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import (
    WatchOptions,
    allow,
    parse_interrupt,
    parse_stream_options,
)
from session_store.records import InterruptOrder

# A reader slower than this loses its stream, never its turn; it resumes by sequence.
WRITE_TIMEOUT_S = 30.0

R = TypeVar("R", bound=EventResponse)


class ConversationRpcs:
    """Converse, and the rpcs that do its work without a bidirectional stream."""

    def __init__(self, deps: SessionDeps) -> None:
        """Serve the streams of one process."""
        self._deps = deps

    async def Converse(self, _requests: object, context: Context) -> None:  # noqa: N802  the contract's name
        """Relay a session until all that was accepted is answered (CONTRACT: Converse)."""
        inputs = self._deps.inputs
        with ExitStack() as counted:
            try:
                counted.enter_context(inputs.admission.stream())
            except QuotaSpent as error:
                raise await refused_stream(context, inputs, error) from error
            await self._converse(context)

    async def _converse(self, context: Context) -> None:
        options = await read_open(context)
        key = _key(options)
        telemetry.identify(key.session_id)
        stream = ConverseStream(self._deps, key, _view(options))
        reader = asyncio.create_task(read_requests(context, self._deps.inputs, stream))
        try:
            events = stream.events(options.after_sequence)
            await self._write(context, options, events, conversation_pb2.ConverseResponse)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            stream.close()

    async def SendMessage(  # noqa: N802
        self, request: conversation_pb2.SendMessageRequest, context: Context
    ) -> None:
        """Store one input and relay its turn."""
        options = parse_stream_options(request)
        client_input = await self._deps.inputs.received(_key(options), request.input)
        events = OneTurn(self._deps, _key(options), _view(options)).send(client_input)
        await self._write(context, options, events, conversation_pb2.SendMessageResponse)

    async def SubmitInput(  # noqa: N802
        self, request: conversation_pb2.SubmitInputRequest, _context: Context
    ) -> conversation_pb2.SubmitInputResponse:
        """Store one input; the events of its turn come on WatchSession."""
        key = session_of(request)
        accepted = await (await self._deps.inputs.received(key, request.input)).accept()
        response = conversation_pb2.SubmitInputResponse(
            sequence=accepted.sequence, duplicate=accepted.duplicate, turn_id=accepted.turn_id
        )
        fill_message(accepted.message, response.messages.add())
        return response

    async def InterruptTurn(  # noqa: N802
        self, request: conversation_pb2.InterruptTurnRequest, _context: Context
    ) -> conversation_pb2.InterruptTurnResponse:
        """Stop a running turn at its next safe point (CONTRACT: InterruptTurn)."""
        key = session_of(request)
        allow(request_id=request.request_id)
        turn_id, heard = parse_interrupt(request)
        telemetry.identify(key.session_id)
        done = await self._deps.turns.interrupt(
            InterruptOrder(key=key, turn_id=turn_id, request_id=request.request_id, heard=heard)
        )
        known = numbers(Outcome, turn_pb2.Outcome.DESCRIPTOR)
        return conversation_pb2.InterruptTurnResponse(
            already_ended=done.request is None,
            outcome=turn_pb2.Outcome.Name(known[done.outcome]) if done.outcome else None,
        )

    async def WatchSession(  # noqa: N802
        self, request: conversation_pb2.WatchSessionRequest, context: Context
    ) -> None:
        """Relay a session until the client leaves."""
        options = parse_stream_options(request)
        with self._deps.inputs.admission.stream():
            events = watch(self._deps, _key(options), _view(options), options.after_sequence)
            await self._write(context, options, events, conversation_pb2.WatchSessionResponse)

    async def InitializeSession(  # noqa: N802
        self, request: session_pb2.InitializeSessionRequest, context: Context
    ) -> None:
        """Run the opening turn, or replay it (RESOLUTIONS C28)."""
        options = parse_stream_options(request)
        events = OneTurn(self._deps, _key(options), _view(options)).initialize()
        await self._write(context, options, events, session_pb2.InitializeSessionResponse)

    async def _write(
        self,
        context: Context,
        options: WatchOptions,
        events: AsyncIterator[SessionEvent],
        response_class: type[R],
    ) -> None:
        """Write every event as the client can show it; DeadlinePassed where it reads too slowly."""
        showing = showing_on(self._deps, _key(options), options)
        async with aclosing(cast("AsyncGenerator[SessionEvent, None]", events)) as source:
            async for event in source:
                response = event_response(await showing.shown(event), response_class)
                try:
                    async with asyncio.timeout(WRITE_TIMEOUT_S):
                        await context.write(response)
                except TimeoutError:
                    raise DeadlinePassed(
                        "the reader is too slow; resume by sequence",
                        reason="SLOW_READER",
                        metadata={"stage": "write"},
                    ) from None


def _key(options: WatchOptions) -> SessionKey:
    return SessionKey(DEFAULT_TENANT, options.session_id)


def _view(options: WatchOptions) -> View:
    return View(
        audiences=options.audiences,
        drafts=not options.whole_messages_only,
        accepts=options.accepts,
    )
