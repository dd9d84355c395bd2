"""Sessions: begin, read, go back, erase, and inputs that are stored and answered elsewhere."""

from __future__ import annotations

import base64
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Body, Path
from google.protobuf.struct_pb2 import Struct
from starlette.requests import Request
from starlette.responses import Response

from gateway_service.bodies import (
    JsonObject,
    PartSent,
    SendInput,
    SessionsQuery,
    StartSession,
)
from gateway_service.openapi import fails, returns
from gateway_service.responses import json_response, message_response
from gateway_service.route import Executor, GatewayRoute, SessionId
from gateway_service.routes import samples
from gateway_service.routes.read_route import add_read_route
from heartrule.chassis import telemetry
from heartrule.v1 import (
    conversation_pb2,
    erasure_pb2,
    message_pb2,
    session_pb2,
)
from heartrule.wire.json_values import fill_struct

_SESSION = "/api/sessions/{sessionId}"


_START: dict[str, Any] = {"a script": {"value": {"scriptId": "greeting"}}}
_INPUT: dict[str, Any] = {
    "words": {"value": {"text": "你好", "clientMessageId": "cm_1"}},
    "a form": {"value": {"inputRequestId": "req_1", "form": {"睡眠": 3}}},
}

router = APIRouter(route_class=GatewayRoute, tags=["sessions"])


@router.post(
    "/api/sessions",
    status_code=201,
    summary="Begin a session; nothing is said yet",
    responses=returns(session_pb2.Session, "The session.", status=201, example=samples.SESSION)
    | fails(404),
)
async def start(
    executor: Executor, body: Annotated[StartSession, Body(openapi_examples=_START)]
) -> Response:
    """Begin a session; nothing is said yet."""
    given = body.model_dump(exclude_none=True, exclude={"imported_state"})
    request = session_pb2.StartSessionRequest(**given)
    if body.imported_state is not None:
        request.imported_state.CopyFrom(struct_of(body.imported_state))
    answer = await executor.ask("StartSession", request, session_pb2.StartSessionResponse)
    return message_response(answer.session, status=201)


add_read_route(
    router,
    "/api/sessions",
    "ListSessions",
    (session_pb2.ListSessionsRequest, session_pb2.ListSessionsResponse),
    query=SessionsQuery,
    summary="List sessions, newest first",
    example={"sessions": [samples.SESSION], "nextPageToken": ""},
)
add_read_route(
    router,
    _SESSION,
    "GetSession",
    (session_pb2.GetSessionRequest, session_pb2.GetSessionResponse),
    inner="session",
    summary="Read one session",
    example=samples.SESSION,
)
add_read_route(
    router,
    f"{_SESSION}/state",
    "GetExecutionState",
    (session_pb2.GetExecutionStateRequest, session_pb2.GetExecutionStateResponse),
    inner="state",
    summary="Read where a session stands, with its variables",
)


@router.post(
    f"{_SESSION}/inputs",
    status_code=202,
    summary="Store an input; its turn is told on the session's events",
    responses=returns(conversation_pb2.SubmitInputResponse, "It is stored.", status=202)
    | fails(404, 409, 429),
)
async def send_input(
    request: Request,
    executor: Executor,
    session_id: SessionId,
    body: Annotated[SendInput, Body(openapi_examples=_INPUT)],
) -> Response:
    """Store an input; its turn is told on the session's events."""
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
    answer = await executor.ask("SubmitInput", submitted, conversation_pb2.SubmitInputResponse)
    return message_response(answer, status=202)


def parts_of(body: SendInput) -> list[message_pb2.Part]:
    """Return the pieces of an input; what is wrong with them the executor says."""
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


def struct_of(values: JsonObject) -> Struct:
    """Return free data as the contract has it."""
    told_as = Struct()
    fill_struct(values, told_as)
    return told_as


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
    await executor.ask("DeleteSession", request, erasure_pb2.DeleteSessionResponse)
    return Response(status_code=204)


@router.delete(
    "/api/users/{userId}/data",
    summary="Erase all a person left, for ever; safe to repeat",
    responses=returns(
        erasure_pb2.DeleteUserDataResponse, "Erased.", example={"deletedSessionCount": 2}
    ),
)
async def erase_user(executor: Executor, user_id: Annotated[str, Path(alias="userId")]) -> Response:
    """Erase all a person left."""
    request = erasure_pb2.DeleteUserDataRequest(user_id=user_id)
    answer = await executor.ask("DeleteUserData", request, erasure_pb2.DeleteUserDataResponse)
    return json_response({"deletedSessionCount": answer.deleted_session_count})
