"""The routes of document 004: a message and its answer, whole or as it is written."""

from __future__ import annotations

from uuid import uuid4

import grpc
from starlette.responses import Response

from gateway_service import sse
from gateway_service.bodies import Chat
from gateway_service.endpoint import Answer, Call, Endpoint, told_json
from gateway_service.problems import problem
from gateway_service.replies import Reply
from gateway_service.routes import samples
from gateway_service.sse import EventStream
from gateway_service.turn_text import Place, TurnText, place_of
from gateway_service.turns import Turn
from heartrule.chassis import telemetry
from heartrule.v1 import conversation_pb2, feature_pb2, session_pb2

_FEATURES = (feature_pb2.FEATURE_FORM, feature_pb2.FEATURE_PICTURE)
_WHOLE = Answer(description="The turn is over.", kind=Reply, example=samples.REPLY)
_STREAM = Answer(
    description=(
        'The answer as it is written. `data: {"chunk": …}` are its words: joined, they are '
        "`aiMessage`. Named events tell more; `reply` is the body of the route without stream, "
        '`problem` takes its place where the turn failed. `data: {"done": true}` is the last. '
        "Sent again with the same clientMessageId and Last-Event-ID, the stream goes on where it "
        "was cut."
    ),
    media_type=sse.MEDIA_TYPE,
    example=samples.STREAM,
)


async def chat(call: Call) -> Response:
    """Say something and answer with the whole turn."""
    return told_json(await _said(call, TurnText(), whole=True).reply())


async def chat_stream(call: Call) -> Response:
    """Say something and answer with the turn as it is written."""
    place = place_asked(call)
    if place is not None and not call.sent(Chat).client_message_id:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST",
            "clientMessageId: is required where Last-Event-ID names a place in its turn",
        )  # fmt: skip
    turn = _said(call, TurnText(place or Place()), whole=False)
    return EventStream(await turn.begin())


async def initialize(call: Call) -> Response:
    """Run the opening turn, or tell it again."""
    streamed = sse.MEDIA_TYPE in call.header("accept")
    place = place_asked(call) if streamed else None
    session_id = call.path("sessionId")
    request = session_pb2.InitializeSessionRequest(
        session_id=session_id, accepts=_FEATURES, whole_messages_only=not streamed
    )
    turn = Turn(
        services=call.services,
        rpc="InitializeSession",
        request=request,
        session_id=session_id,
        text=TurnText(place or Place()),
    )
    return EventStream(await turn.begin()) if streamed else told_json(await turn.reply())


def place_asked(call: Call) -> Place | None:
    """Return where a stream goes on; None where it begins.

    Raises:
        HttpProblem: 400; Last-Event-ID is none that this gateway sent.
    """
    sent = call.header("last-event-id")
    place = place_of(sent)
    if sent and place is None:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST",
            "Last-Event-ID: is none that this gateway sent",
        )  # fmt: skip
    return place


def _said(call: Call, text: TurnText, *, whole: bool) -> Turn:
    body = call.sent(Chat)
    key = body.client_message_id or f"gw_{uuid4().hex}"
    parent = call.header("traceparent")
    request = conversation_pb2.SendMessageRequest(
        session_id=body.session_id,
        input=conversation_pb2.UserInput(
            client_message_id=key,
            traceparent=parent if telemetry.is_traceparent(parent) else telemetry.traceparent(),
        ),
        accepts=_FEATURES,
        whole_messages_only=whole,
    )
    request.input.parts.add(text=body.message)
    return Turn(
        services=call.services,
        rpc="SendMessage",
        request=request,
        session_id=body.session_id,
        client_message_id=key,
        text=text,
    )


_EXAMPLES = {
    "a message": {"sessionId": samples.SESSION_ID, "message": "你好"},
    "one that may be sent again": {
        "sessionId": samples.SESSION_ID, "message": "我叫小明", "clientMessageId": "cm_1",
    },
}  # fmt: skip
_TURN_ERRORS = (404, 409, 429, 503, 504)
ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/sessions/{sessionId}/initialize",
        handler=initialize,
        summary="Run the opening turn; safe to repeat",
        tag="chat",
        answer=_WHOLE,
        more_answers=(_STREAM,),
        errors=_TURN_ERRORS,
    ),
    Endpoint(
        method="POST",
        path="/api/chat",
        handler=chat,
        summary="Say something; the answer is the whole turn",
        tag="chat",
        body=Chat,
        body_examples=_EXAMPLES,
        answer=_WHOLE,
        errors=_TURN_ERRORS,
    ),
    Endpoint(
        method="POST",
        path="/api/chat/stream",
        handler=chat_stream,
        summary="Say something; the answer comes as it is written",
        tag="chat",
        body=Chat,
        body_examples=_EXAMPLES,
        answer=_STREAM,
        errors=_TURN_ERRORS,
    ),
)
