"""The routes of a conversation: a message and its reply, whole or streamed.

Each stands twice: as a route of this API, and as document 004 names path and fields.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Annotated, Any
from uuid import uuid4

import grpc
from fastapi import APIRouter, Body
from starlette.requests import Request
from starlette.responses import Response

from gateway_service import sse
from gateway_service.bodies import Chat
from gateway_service.client_text import client_text
from gateway_service.openapi import fails, returns
from gateway_service.paths import API, DOCUMENTED
from gateway_service.problems import problem
from gateway_service.replies import DocumentedReply, Reply, ReplyJson, as_documented
from gateway_service.responses import json_response
from gateway_service.route import GatewayRoute, GatewayServices, SessionId
from gateway_service.routes import samples
from gateway_service.sse import EventStream
from gateway_service.turn_text import ReadPosition, TurnText, place_of
from gateway_service.turns import Turn
from heartrule.chassis import telemetry
from heartrule.v1 import conversation_pb2, feature_pb2, session_pb2

_FEATURES = (feature_pb2.FEATURE_FORM, feature_pb2.FEATURE_PICTURE)
_ENDED = "The turn has ended."
_WHOLE = returns(Reply, _ENDED, example=samples.REPLY)
_DOCUMENTED = returns(DocumentedReply, _ENDED, example=as_documented(samples.REPLY))
_STREAM_MEANS = (
    'The reply as it is generated. `data: {"chunk": …}` holds its text: joined, the chunks are '
    "`aiMessage`. Further events have names; `reply` is the body of the route without stream, "
    '`problem` takes its place where the turn failed. `data: {"done": true}` is the last. '
    "A repeated request with the same clientMessageId and Last-Event-ID resumes the stream."
)
_STREAM = returns(None, _STREAM_MEANS, media_type=sse.MEDIA_TYPE, example=samples.STREAM)
_EXAMPLES: dict[str, Any] = {
    "a message": {"value": {"sessionId": samples.SESSION_ID, "message": "你好"}},
    "one that may be sent again": {
        "value": {
            "sessionId": samples.SESSION_ID, "message": "我叫小明", "clientMessageId": "cm_1",
        }
    },
}  # fmt: skip
_TURN_FAILS = fails(404, 409, 429, 503, 504)
_BOTH_FORMS: dict[str, Any] = {"responses": {"200": {"content": _STREAM[200]["content"]}}}
_AS_NAMED = "; as document 004 names it"
Message = Annotated[Chat, Body(openapi_examples=_EXAMPLES)]

router = APIRouter(route_class=GatewayRoute, tags=["chat"])


@router.post(
    f"{DOCUMENTED}/sessions/{{sessionId}}/initialize",
    summary=f"Run the opening turn; safe to repeat{_AS_NAMED}",
    responses=_DOCUMENTED | _TURN_FAILS,
    openapi_extra=_BOTH_FORMS,
)
@router.post(
    f"{API}/sessions/{{sessionId}}/initialize",
    summary="Run the opening turn; safe to repeat",
    responses=_WHOLE | _TURN_FAILS,
    openapi_extra=_BOTH_FORMS,
)
async def initialize(
    request: Request, services: GatewayServices, session_id: SessionId
) -> Response:
    """Run the opening turn, or replay it."""
    streamed = sse.MEDIA_TYPE in request.headers.get("accept", "")
    place = place_asked(request) if streamed else None
    opening = session_pb2.InitializeSessionRequest(
        session_id=session_id, accepts=_FEATURES, whole_messages_only=not streamed
    )
    turn = Turn(
        services=services,
        request=opening,
        text=TurnText(place or ReadPosition()),
        named=_names_for(request),
    )
    return EventStream(await turn.begin()) if streamed else json_response(await turn.reply())


@router.post(
    f"{DOCUMENTED}/chat",
    summary=f"Send a message and receive the whole turn{_AS_NAMED}",
    responses=_DOCUMENTED | _TURN_FAILS,
)
@router.post(
    f"{API}/chat",
    summary="Send a message and receive the whole turn",
    responses=_WHOLE | _TURN_FAILS,
)
async def chat(request: Request, services: GatewayServices, body: Message) -> Response:
    """Store a message, run its turn and return the reply."""
    sent = _send_message(request, body, whole=True)
    text = client_text(services, request, body.message, session_id=body.session_id)
    turn = Turn(services=services, request=sent, answers=text, named=_names_for(request))
    return json_response(await turn.reply())


@router.post(
    f"{DOCUMENTED}/chat/stream",
    summary=f"Send a message and receive the turn as a stream{_AS_NAMED}",
    responses=_STREAM | _TURN_FAILS,
)
@router.post(
    f"{API}/chat/stream",
    summary="Send a message and receive the turn as a stream",
    responses=_STREAM | _TURN_FAILS,
)
async def chat_stream(request: Request, services: GatewayServices, body: Message) -> Response:
    """Store a message, run its turn and stream the reply."""
    place = place_asked(request)
    if place is not None and not body.client_message_id:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST",
            "clientMessageId: is required where Last-Event-ID names a place in its turn",
        )  # fmt: skip
    sent = _send_message(request, body, whole=False)
    turn = Turn(
        services=services,
        request=sent,
        text=TurnText(place or ReadPosition()),
        answers=client_text(services, request, body.message, session_id=body.session_id),
        named=_names_for(request),
    )
    return EventStream(await turn.begin())


def _names_for(request: Request) -> Callable[[ReplyJson], ReplyJson]:
    """Return what names a reply as the route does that was called."""
    return copy if request.url.path.startswith(f"{API}/") else as_documented


def place_asked(request: Request) -> ReadPosition | None:
    """Return the position from which a stream is resumed; None for a new one.

    Raises:
        HttpProblem: 400 if Last-Event-ID is none of this gateway's ids.
    """
    sent = request.headers.get("last-event-id", "")
    place = place_of(sent)
    if sent and place is None:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST",
            "Last-Event-ID: is none that this gateway sent",
        )  # fmt: skip
    return place


def _send_message(
    request: Request, body: Chat, *, whole: bool
) -> conversation_pb2.SendMessageRequest:
    parent = request.headers.get("traceparent", "")
    sent = conversation_pb2.SendMessageRequest(
        session_id=body.session_id,
        input=conversation_pb2.UserInput(
            client_message_id=body.client_message_id or f"gw_{uuid4().hex}",
            traceparent=parent if telemetry.is_traceparent(parent) else telemetry.traceparent(),
        ),
        accepts=_FEATURES,
        whole_messages_only=whole,
    )
    sent.input.parts.add(text=body.message)
    return sent
