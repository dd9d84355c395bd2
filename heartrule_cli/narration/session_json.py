"""A session as one document: what the contract has of it, in its own JSON or as Markdown."""

from __future__ import annotations

from typing import TypeAlias

from google.protobuf.json_format import MessageToDict

from heartrule.domain.json_value import JsonValue
from heartrule.wire.exports.session_markdown import markdown_of
from heartrule.wire.exports.session_pieces import LISTS, SINGLE, session_pieces
from heartrule_cli.executor_client import ExecutorClient

JsonObject: TypeAlias = "dict[str, JsonValue]"


async def session_json(executor: ExecutorClient, session_id: str) -> JsonObject:
    """Return a session with its state, messages, variables and durable events.

    Raises:
        Failure: There is no such session, or the executor cannot be reached.
    """
    found: dict[str, list[JsonValue]] = {section: [] for section in (*SINGLE, *LISTS)}
    async for piece in session_pieces(executor, session_id):
        found[piece.section].append(MessageToDict(piece.message))
    return {name: each[0] if name in SINGLE else each for name, each in found.items()}


async def session_markdown(executor: ExecutorClient, session_id: str) -> str:
    """Return a session as a transcript, in the language of the client of the executor.

    Raises:
        Failure: There is no such session, or the executor cannot be reached.
    """
    pieces = session_pieces(executor, session_id)
    return "".join([each async for each in markdown_of(pieces, executor.language)])
