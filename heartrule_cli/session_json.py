"""A session as one JSON document: what the contract has of it, in the contract's own JSON."""

from __future__ import annotations

from typing import TypeAlias

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from heartrule.domain.conversation import Audience
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import conversation_pb2, session_pb2
from heartrule_cli.call_failures import calling
from heartrule_cli.executor_client import ExecutorClient, wire_audiences

_PAGE = 500
JsonObject: TypeAlias = "dict[str, JsonValue]"


async def session_json(executor: ExecutorClient, session_id: str) -> JsonObject:
    """Return a session with its state, messages, variables and durable events.

    Raises:
        Failure: There is no such session, or the executor cannot be reached.
    """
    session = await executor.session(session_id)
    asked = session_pb2.GetExecutionStateRequest(session_id=session_id)
    answer = await executor.call(executor.stubs.session.GetExecutionState, asked)
    return {
        "session": _plain(session),
        "state": _plain(answer.state),
        "messages": await _messages(executor, session_id),
        "variables": await _variables(executor, session_id),
        "events": await _events(executor, session_id, answer.state.sequence),
    }


def _plain(message: Message) -> JsonObject:
    found: JsonObject = MessageToDict(message)
    return found


async def _messages(executor: ExecutorClient, session_id: str) -> list[JsonValue]:
    request = session_pb2.ListMessagesRequest(session_id=session_id, page_size=_PAGE)
    found: list[JsonValue] = []
    while True:
        page = await executor.call(executor.stubs.history.ListMessages, request)
        found += map(_plain, page.messages)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def _variables(executor: ExecutorClient, session_id: str) -> list[JsonValue]:
    request = session_pb2.ListVariablesRequest(session_id=session_id, page_size=_PAGE)
    found: list[JsonValue] = []
    while True:
        page = await executor.call(executor.stubs.history.ListVariables, request)
        found += map(_plain, page.variables)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def _events(executor: ExecutorClient, session_id: str, up_to: int) -> list[JsonValue]:
    """Return the durable events up to a sequence number, for every audience."""
    found: list[JsonValue] = []
    if up_to <= 0:
        return found
    request = conversation_pb2.WatchSessionRequest(
        session_id=session_id,
        after_sequence=0,
        whole_messages_only=True,
        audiences=wire_audiences(*Audience),
    )
    call = executor.stubs.conversation.WatchSession(request)
    try:
        with calling(executor.address):
            async for response in call:
                if 0 < response.event.sequence <= up_to:
                    found.append(_plain(response.event))
                if response.event.sequence >= up_to:
                    break
    finally:
        call.cancel()
    return found
