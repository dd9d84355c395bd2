"""Sessions: begin, read, go back, erase, and inputs that are stored and answered elsewhere."""

from __future__ import annotations

import base64
from uuid import uuid4

from google.protobuf.struct_pb2 import Struct
from starlette.responses import Response

from gateway_service.bodies import (
    JsonObject,
    PartSent,
    SendInput,
    SessionsQuery,
    StartSession,
)
from gateway_service.endpoint import Answer, Call, Endpoint, told, told_json
from gateway_service.routes import samples
from gateway_service.routes.listing import listing, reading
from heartrule.chassis import telemetry
from heartrule.v1 import (
    conversation_pb2,
    erasure_pb2,
    message_pb2,
    session_pb2,
)
from heartrule.wire.json_values import fill_struct

_SESSION = "/api/sessions/{sessionId}"


async def start(call: Call) -> Response:
    """Begin a session; nothing is said yet."""
    body = call.sent(StartSession)
    given = body.model_dump(exclude_none=True, exclude={"imported_state"})
    request = session_pb2.StartSessionRequest(**given)
    if body.imported_state is not None:
        request.imported_state.CopyFrom(struct_of(body.imported_state))
    answer = await call.ask("StartSession", request, session_pb2.StartSessionResponse)
    return told(answer.session, status=201)


async def send_input(call: Call) -> Response:
    """Store an input; its turn is told on the session's events."""
    body = call.sent(SendInput)
    request = conversation_pb2.SubmitInputRequest(session_id=call.path("sessionId"))
    filled = request.input
    filled.client_message_id = body.client_message_id or f"gw_{uuid4().hex}"
    filled.input_request_id = body.input_request_id
    parent = call.header("traceparent")
    filled.traceparent = parent if telemetry.is_traceparent(parent) else telemetry.traceparent()
    if body.if_busy is not None:
        filled.if_busy = f"IF_BUSY_{body.if_busy.upper()}"  # type: ignore[assignment]  # by name
    for part in parts_of(body):
        filled.parts.append(part)
    answer = await call.ask("SubmitInput", request, conversation_pb2.SubmitInputResponse)
    return told(answer, status=202)


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


async def erase(call: Call) -> Response:
    """Erase a session for ever."""
    request = erasure_pb2.DeleteSessionRequest(session_id=call.path("sessionId"))
    await call.ask("DeleteSession", request, erasure_pb2.DeleteSessionResponse)
    return Response(status_code=204)


async def erase_user(call: Call) -> Response:
    """Erase all a person left."""
    request = erasure_pb2.DeleteUserDataRequest(user_id=call.path("userId"))
    answer = await call.ask("DeleteUserData", request, erasure_pb2.DeleteUserDataResponse)
    return told_json({"deletedSessionCount": answer.deleted_session_count})


_CREATED = Answer(
    description="The session.", status=201, kind=session_pb2.Session, example=samples.SESSION
)
_GONE = Answer(description="Erased.", status=204)

ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/sessions",
        handler=start,
        summary="Begin a session; nothing is said yet",
        tag="sessions",
        body=StartSession,
        body_examples={"a script": {"scriptId": "greeting"}},
        answer=_CREATED,
        errors=(404,),
    ),
    listing(
        "/api/sessions",
        "ListSessions",
        (session_pb2.ListSessionsRequest, session_pb2.ListSessionsResponse),
        query=SessionsQuery,
        summary="List sessions, newest first",
        tag="sessions",
        example={"sessions": [samples.SESSION], "nextPageToken": ""},
    ),
    reading(
        _SESSION,
        "GetSession",
        (session_pb2.GetSessionRequest, session_pb2.GetSessionResponse),
        inner="session",
        summary="Read one session",
        tag="sessions",
        example=samples.SESSION,
    ),
    Endpoint(
        method="DELETE",
        path=_SESSION,
        handler=erase,
        summary="Erase a session for ever; safe to repeat",
        tag="sessions",
        answer=_GONE,
        errors=(404,),
    ),
    Endpoint(
        method="DELETE",
        path="/api/users/{userId}/data",
        handler=erase_user,
        summary="Erase all a person left, for ever; safe to repeat",
        tag="sessions",
        answer=Answer(
            description="Erased.",
            kind=erasure_pb2.DeleteUserDataResponse,
            example={"deletedSessionCount": 2},
        ),
    ),
    reading(
        f"{_SESSION}/state",
        "GetExecutionState",
        (session_pb2.GetExecutionStateRequest, session_pb2.GetExecutionStateResponse),
        inner="state",
        summary="Read where a session stands, with its variables",
        tag="sessions",
    ),
    Endpoint(
        method="POST",
        path=f"{_SESSION}/inputs",
        handler=send_input,
        summary="Store an input; its turn is told on the session's events",
        tag="sessions",
        body=SendInput,
        body_examples={
            "words": {"text": "你好", "clientMessageId": "cm_1"},
            "a form": {"inputRequestId": "req_1", "form": {"睡眠": 3}},
        },
        answer=Answer(
            description="It is stored.", status=202, kind=conversation_pb2.SubmitInputResponse
        ),
        errors=(404, 409, 429),
    ),
)
