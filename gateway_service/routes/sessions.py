"""Routes of sessions: create, read, label, erase, and store an input."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any
from uuid import uuid4

import orjson
from fastapi import Body as InBody
from fastapi import Path, Query
from pydantic import Field, PlainSerializer
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gateway_service.bodies import (
    Body,
    Labels,
    Notes,
    PartSent,
    QueryParameters,
    Required,
    SendInput,
    StartSession,
    struct_of,
)
from gateway_service.client_text import client_text
from gateway_service.list_queries import SessionsQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.problems import HttpProblem
from gateway_service.responses import message_response
from gateway_service.route import Executor, GatewayServices, SessionId
from gateway_service.routes import samples
from gateway_service.routes.call_router import CallRouter
from heartrule.chassis import telemetry
from heartrule.v1 import conversation_pb2, erasure_pb2, message_pb2

_NDJSON = "application/x-ndjson"
_LINES = (
    'Lines of JSON: `{"table": …, "row": {…}}`, and at last `{"end": {"sessions": …, "rows": …}}`; '
    '`{"problem": …}` takes its place where the export failed.'
)
_EXPORT = (
    '{"table":"messages","row":{"session_id":"ses_01h4s8w9","sequence":7}}\n'
    '{"end":{"sessions":1,"rows":1}}\n'
)
_SESSION = f"{API}/sessions/{{sessionId}}"
_START: dict[str, Any] = {"a script": {"value": {"scriptId": "greeting"}}}
_CHANGE: dict[str, Any] = {
    "set one": {"value": {"labels": {"study": "autumn"}, "updateMask": "labels.study"}},
    "remove one": {"value": {"updateMask": "labels.study"}},
    "note at a turn": {"value": {"notes": {"trn_03": "停得好"}, "updateMask": "notes.trn_03"}},
}
_INPUT: dict[str, Any] = {
    "a text": {"value": {"text": "你好", "clientMessageId": "cm_1"}},
    "a form": {"value": {"inputRequestId": "req_1", "form": {"睡眠": 3}}},
}

# The JSON of a FieldMask is one text.
Mask = Annotated[
    Required, PlainSerializer(lambda text: {"paths": text.split(",")}, return_type=dict[str, Any])
]


class ExportQuery(QueryParameters):
    """What of an export is masked."""

    reveal: bool = False
    """True: with the values of sensitive variables, which are `•••` otherwise."""


class SessionQuery(QueryParameters):
    """What of a session."""

    with_notes: bool = False
    """True: with the notes at its turns, which are for operators and not for clients."""


class UpdateSession(Body):
    """Labels to change, or notes at turns."""

    labels: Labels = Field(default_factory=dict)
    """The labels that `updateMask` names, with their values."""
    notes: Notes = Field(default_factory=dict)
    """The notes of the turns that `updateMask` names, by their ids."""
    update_mask: Mask
    """Paths with commas between them: `labels` replaces all, `labels.NAME` sets one, or removes it
    where `labels` has none of the name; `notes.TURN_ID` does so with the note at a turn. Labels and
    notes are changed by two requests."""


router = CallRouter(tags=["sessions"])
router.add_call(
    f"POST {API}/sessions",
    "StartSession",
    inner="session",
    summary="Create a session; nothing runs yet",
    body=StartSession,
    body_examples=_START,
    failures=(404,),
    status=201,
    success="The session.",
    example=samples.SESSION,
)
router.add_call(
    f"GET {API}/sessions",
    "ListSessions",
    query=SessionsQuery,
    summary="List sessions, newest first",
    example={"sessions": [samples.SESSION], "nextPageToken": ""},
)
router.add_call(
    f"GET {_SESSION}",
    "GetSession",
    inner="session",
    query=SessionQuery,
    summary="Read one session",
    example=samples.SESSION,
)
router.add_call(
    f"PATCH {_SESSION}",
    "UpdateSession",
    inner="session",
    summary="Change a session's labels, or notes at its turns; safe to repeat",
    body=UpdateSession,
    body_examples=_CHANGE,
    success="The session as it is now.",
    example=samples.SESSION,
)
router.add_call(
    f"GET {_SESSION}/state",
    "GetExecutionState",
    inner="state",
    summary="Read a session's position, status and variables",
)
router.add_call(
    f"DELETE {API}/users/{{userId}}/data",
    "DeleteUserData",
    summary="Erase all data of a user for ever; safe to repeat",
    failures=(),
    success="Erased.",
    example={"deletedSessionCount": 2},
)


@router.get(
    f"{API}/users/{{userId}}/data",
    summary="Export what the erasure of a user's data would take, a line of JSON for each row",
    responses=returns(None, _LINES, media_type=_NDJSON, example=_EXPORT),
)
async def export(
    services: GatewayServices,
    user_id: Annotated[str, Path(alias="userId")],
    asked: Annotated[ExportQuery, Query()],
) -> Response:
    """Stream the export; where it fails in its midst, the last line is the problem."""
    request = erasure_pb2.ExportUserDataRequest(user_id=user_id, reveal=asked.reveal)
    pieces = services.executor.responses(request)
    first = await anext(pieces)  # a refusal is a problem, no stream
    return StreamingResponse(
        _written(first.chunk, pieces), media_type=_NDJSON, headers={"cache-control": "no-store"}
    )


async def _written(first: bytes, rest: AsyncGenerator[Any]) -> AsyncGenerator[bytes]:
    async with aclosing(rest) as pieces:
        yield first
        try:
            async for piece in pieces:
                yield piece.chunk
        except HttpProblem as error:
            yield b"\n%b\n" % orjson.dumps({"problem": error.as_json()})


@router.post(
    f"{_SESSION}/inputs",
    status_code=202,
    summary="Store an input; the events of its turn come on the session's stream",
    responses=returns(conversation_pb2.SubmitInputResponse, "The stored input.", status=202)
    | fails(404, 409, 429),
)
async def send_input(
    request: Request,
    services: GatewayServices,
    session_id: SessionId,
    body: Annotated[SendInput, InBody(openapi_examples=_INPUT)],
) -> Response:
    """Store an input; the events of its turn come on the session's stream."""
    submitted = conversation_pb2.SubmitInputRequest(session_id=session_id)
    filled = submitted.input
    filled.client_message_id = body.client_message_id or f"gw_{uuid4().hex}"
    filled.input_request_id = body.input_request_id
    parent = request.headers.get("traceparent", "")
    filled.traceparent = parent if telemetry.is_traceparent(parent) else telemetry.traceparent()
    if body.if_busy is not None:
        filled.if_busy = f"IF_BUSY_{body.if_busy.upper()}"  # type: ignore[assignment]  # by name
    for part in parts_of(body):
        filled.parts.append(part)
    words = "\n".join(part.text or part.fallback_text for part in filled.parts)
    answer = await client_text(services, request, words, session_id=session_id).answered(
        services.executor.ask(submitted, conversation_pb2.SubmitInputResponse)
    )
    return message_response(answer, status=202)


def parts_of(body: SendInput) -> list[message_pb2.Part]:
    """Return the parts of an input; the executor checks them."""
    if body.parts:
        return [_part(part) for part in body.parts]
    parts = [message_pb2.Part(text=body.text)] if body.text else []
    if body.form is not None:
        words = body.fallback_text or "\n".join(
            f"{name}: {value}" for name, value in body.form.items()
        )
        answer = message_pb2.FormAnswer(values=struct_of(body.form))
        parts.append(message_pb2.Part(fallback_text=words or "…", form=answer))
    return parts


def _part(sent: PartSent) -> message_pb2.Part:
    part = message_pb2.Part(fallback_text=sent.fallback_text)
    if sent.media is not None:
        part.media.mime_type = sent.media.mime_type
        part.media.caption = sent.media.caption
        if sent.media.uri is not None:
            part.media.uri = sent.media.uri
        elif sent.media.data is not None:
            part.media.data = base64.b64decode(sent.media.data)
    elif sent.form is not None:
        part.form.values.CopyFrom(struct_of(sent.form))
    else:
        part.text = sent.text or ""
    return part


@router.delete(
    _SESSION,
    status_code=204,
    response_description="Erased.",
    summary="Erase a session for ever; safe to repeat",
    responses=fails(404),
)
async def erase(executor: Executor, session_id: SessionId) -> Response:
    """Erase a session for ever."""
    request = erasure_pb2.DeleteSessionRequest(session_id=session_id)
    await executor.ask(request, erasure_pb2.DeleteSessionResponse)
    return Response(status_code=204)
