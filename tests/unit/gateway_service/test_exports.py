"""The JSON of an exported session."""

from __future__ import annotations

from collections.abc import AsyncIterator

import orjson
import pytest

from gateway_service.routes.exports import json_of
from heartrule.v1 import event_pb2, execution_pb2, message_pb2, session_pb2
from heartrule.wire.exports.session_pieces import SessionPiece

HEAD = (
    SessionPiece("session", session_pb2.Session(session_id="ses_1")),
    SessionPiece("state", execution_pb2.ExecutionState()),
)
MESSAGE = SessionPiece("messages", message_pb2.Message(message_id="m"))
EVENT = SessionPiece("events", event_pb2.SessionEvent(sequence=1))


async def _each(pieces: tuple[SessionPiece, ...]) -> AsyncIterator[SessionPiece]:
    for piece in pieces:
        yield piece


@pytest.mark.parametrize("rest", [(), (MESSAGE, MESSAGE), (EVENT,), (MESSAGE, EVENT)])
async def test_every_section_is_there(rest: tuple[SessionPiece, ...]) -> None:
    """Also one of which the session has nothing."""
    text = b"".join([part async for part in json_of(_each((*HEAD, *rest)))])
    whole = orjson.loads(text)
    assert list(whole) == ["session", "state", "variables", "messages", "events"]
    assert whole["session"]["sessionId"] == "ses_1"
    assert len(whole["messages"]) == rest.count(MESSAGE)
    assert [each["sequence"] for each in whole["events"]] == [1] * rest.count(EVENT)
