"""The ways of an input into the executor, and what its client is shown first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import grpc
from grpc import aio
from grpc_status import rpc_status

from heartrule.chassis.errors import to_status
from heartrule.domain.conversation import Role
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import InputRejected, MessageCommitted, SessionEvent
from heartrule.v1 import conversation_pb2, fork_and_retry_pb2, safety_pb2
from heartrule.wire.event_messages import event_from_message
from tests.support.conversing import WAIT_S, Client

# Sends an input to a session and returns the first fixed text that its client is shown.
Door: TypeAlias = Callable[[Client, str, conversation_pb2.UserInput], Coroutine[Any, Any, str]]


def typed(text: str, client_message_id: str = "m1") -> conversation_pb2.UserInput:
    """Return an input of one text."""
    user_input = conversation_pb2.UserInput(client_message_id=client_message_id)
    user_input.parts.add(text=text)
    return user_input


async def by_converse(client: Client, session: str, said: conversation_pb2.UserInput) -> str:
    """Send it on a stream of its own, together with `open`."""
    call = client.stubs.conversation.Converse()
    opening = conversation_pb2.OpenConversation(session_id=session)
    await call.write(conversation_pb2.ConverseRequest(open=opening))
    await call.write(conversation_pb2.ConverseRequest(input=said))
    try:
        return await _first_shown(call)
    finally:
        call.cancel()


async def by_send_message(client: Client, session: str, said: conversation_pb2.UserInput) -> str:
    """Send it by SendMessage."""
    request = conversation_pb2.SendMessageRequest(session_id=session, input=said)
    return await _first_shown(client.stubs.conversation.SendMessage(request))


async def by_submit_input(client: Client, session: str, said: conversation_pb2.UserInput) -> str:
    """Submit it, and watch the session where it is accepted."""
    request = conversation_pb2.SubmitInputRequest(session_id=session, input=said)
    try:
        async with asyncio.timeout(WAIT_S):
            accepted = await client.stubs.conversation.SubmitInput(request)
    except aio.AioRpcError as error:
        return card_of(error)
    watching = conversation_pb2.WatchSessionRequest(
        session_id=session, after_sequence=accepted.sequence - 1
    )
    call = client.stubs.conversation.WatchSession(watching)
    try:
        return await _first_shown(call)
    finally:
        call.cancel()


async def by_retry_turn(client: Client, session: str, said: conversation_pb2.UserInput) -> str:
    """Say it in place of the last message; only what refuses it is shown."""
    request = fork_and_retry_pb2.RetryTurnRequest(session_id=session, text=said.parts[0].text)
    try:
        async with asyncio.timeout(WAIT_S):
            await client.stubs.session.RetryTurn(request)
    except aio.AioRpcError as error:
        return card_of(error)
    return ""


DOORS: tuple[Door, ...] = (by_converse, by_send_message, by_submit_input)


def ended_with(error: HeartRuleError) -> aio.AioRpcError:
    """Return what a caller catches where a service ends the call with an error."""
    status = to_status(error)
    (code,) = (each for each in grpc.StatusCode if each.value[0] == status.code)
    trailing = aio.Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return aio.AioRpcError(code, aio.Metadata(), trailing, details=status.message)


def card_of(error: aio.AioRpcError) -> str:
    """Return the card in a status; empty where it has none."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # it has what is read of a call
    fallback = safety_pb2.SafetyFallback()
    found = status is not None and any(each.Unpack(fallback) for each in status.details)
    return fallback.card.text if found else ""


async def _first_shown(call: Any) -> str:
    try:
        async with asyncio.timeout(WAIT_S):
            while (response := await call.read()) is not aio.EOF:
                event = event_from_message(response.event)
                if event is not None and (text := _shown(event)):
                    return text
    except aio.AioRpcError as error:
        return card_of(error)
    return ""


def _shown(event: SessionEvent) -> str:
    body = event.body
    if isinstance(body, MessageCommitted) and body.message.role is Role.SYSTEM:
        return body.message.plain_text()
    if isinstance(body, InputRejected) and body.fallback is not None:
        return body.fallback.card.text
    return ""
