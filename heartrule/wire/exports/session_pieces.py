"""A session, piece by piece as the contract has it: what an export of it is made of."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from google.protobuf.message import Message

from heartrule.domain.conversation import Audience, Feature
from heartrule.v1 import conversation_pb2, event_pb2, message_pb2, session_pb2, variable_pb2

_PAGE = 500
# Sections of one message; those that follow are lists.
SINGLE = ("session", "state")
LISTS = ("variables", "messages", "events")
_Listing: TypeAlias = session_pb2.ListVariablesRequest | session_pb2.ListMessagesRequest
_Page = TypeVar("_Page", session_pb2.ListVariablesResponse, session_pb2.ListMessagesResponse)
M = TypeVar("M", bound=Message)


class SessionCalls(Protocol):
    """The calls of the executor that the pieces are read by; each fails in its caller's way."""

    async def ask(self, request: Message, answer: type[M]) -> M:
        """Return the answer of a unary call; the request's class names the rpc."""

    def stream(self, request: Message) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield the events of a call until the caller stops."""


@dataclass(frozen=True, slots=True)
class SessionPiece:
    """One message of a section."""

    section: str
    message: Message


async def session_pieces(calls: SessionCalls, session_id: str) -> AsyncIterator[SessionPiece]:
    """Yield a session, its state, then its variables, messages and durable events, in this order.

    A page is held at a time. Values of sensitive variables are masked, as in every list.
    """
    known = await calls.ask(
        session_pb2.GetSessionRequest(session_id=session_id, with_notes=True),
        session_pb2.GetSessionResponse,
    )
    yield SessionPiece("session", known.session)
    asked = session_pb2.GetExecutionStateRequest(session_id=session_id)
    state = (await calls.ask(asked, session_pb2.GetExecutionStateResponse)).state
    yield SessionPiece("state", state)
    async for variable in variables_of(calls, session_id):
        yield SessionPiece("variables", variable)
    async for message in messages_of(calls, session_id):
        yield SessionPiece("messages", message)
    async with aclosing(events_of(calls, session_id, state.sequence)) as events:
        async for event in events:
            yield SessionPiece("events", event)


async def variables_of(
    calls: SessionCalls, session_id: str
) -> AsyncIterator[variable_pb2.VariableValue]:
    """Yield all variables of a session, archived ones too."""
    request = session_pb2.ListVariablesRequest(session_id=session_id, page_size=_PAGE)
    async for page in _pages(calls, request, session_pb2.ListVariablesResponse):
        for each in page.variables:
            yield each


async def messages_of(calls: SessionCalls, session_id: str) -> AsyncIterator[message_pb2.Message]:
    """Yield all messages of a session, oldest first."""
    request = session_pb2.ListMessagesRequest(session_id=session_id, page_size=_PAGE)
    async for page in _pages(calls, request, session_pb2.ListMessagesResponse):
        for each in page.messages:
            yield each


async def _pages(
    calls: SessionCalls, request: _Listing, answer: type[_Page]
) -> AsyncIterator[_Page]:
    while True:
        page = await calls.ask(request, answer)
        yield page
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


async def events_of(
    calls: SessionCalls, session_id: str, up_to: int
) -> AsyncGenerator[event_pb2.SessionEvent]:
    """Yield the durable events up to a sequence number, for every audience."""
    if up_to <= 0:
        return
    request = conversation_pb2.WatchSessionRequest(
        session_id=session_id,
        after_sequence=0,
        whole_messages_only=True,
        audiences=[f"AUDIENCE_{audience.name}" for audience in Audience],
        accepts=[f"FEATURE_{feature.name}" for feature in Feature],
    )
    async with aclosing(calls.stream(request)) as events:
        async for event in events:
            if 0 < event.sequence <= up_to:
                yield event
            # A heartbeat comes once all is read: the last events may have been deleted by age.
            if event.sequence >= up_to or event.HasField("heartbeat"):
                return
