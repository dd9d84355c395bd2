"""A session as one document: what the contract has of it, in its own JSON or as Markdown."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from heartrule.domain.json_value import JsonValue
from heartrule.v1 import event_pb2
from heartrule.wire.exports.session_markdown import markdown_of
from heartrule.wire.exports.session_pieces import LISTS, SINGLE, session_pieces
from heartrule_cli.call_failures import calling
from heartrule_cli.executor_client import ExecutorClient

JsonObject: TypeAlias = "dict[str, JsonValue]"
M = TypeVar("M", bound=Message)


async def session_json(executor: ExecutorClient, session_id: str) -> JsonObject:
    """Return a session with its state, messages, variables and durable events.

    Raises:
        Failure: There is no such session, or the executor cannot be reached.
    """
    found: dict[str, list[JsonValue]] = {section: [] for section in (*SINGLE, *LISTS)}
    async for piece in session_pieces(_Calls(executor), session_id):
        found[piece.section].append(MessageToDict(piece.message))
    return {name: each[0] if name in SINGLE else each for name, each in found.items()}


async def session_markdown(executor: ExecutorClient, session_id: str) -> str:
    """Return a session as a transcript, in the language of the client of the executor.

    Raises:
        Failure: There is no such session, or the executor cannot be reached.
    """
    pieces = session_pieces(_Calls(executor), session_id)
    return "".join([each async for each in markdown_of(pieces, executor.language)])


@dataclass(frozen=True, slots=True)
class _Calls:
    """The calls of an executor's client, whose refusals are failures of the command."""

    executor: ExecutorClient

    async def ask(self, request: Message, answer: type[M]) -> M:
        method = self.executor.stubs.method(type(request).__name__.removesuffix("Request"))
        response = await self.executor.call(method, request)
        assert isinstance(response, answer)
        return response

    async def stream(self, request: Message) -> AsyncGenerator[event_pb2.SessionEvent]:
        method = self.executor.stubs.method(type(request).__name__.removesuffix("Request"))
        call = method(request)
        try:
            with calling(self.executor.address):
                async for response in call:
                    yield response.event
        finally:
            call.cancel()
