"""A session's events as server-sent events, resumable by sequence."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from gateway_service import sse
from gateway_service.bodies import WatchQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.problems import HttpProblem
from gateway_service.route import GatewayRoute, GatewayServices, SessionId
from gateway_service.routes import exports
from gateway_service.routes.chat import place_asked
from gateway_service.sse import HEARTBEAT, EventStream, frame
from gateway_service.turns import event_frame
from heartrule.v1 import conversation_pb2, event_pb2

_MEANS = (
    "Each frame names its kind as `event:` and, if it is durable, its sequence as "
    "`id:`, from which a browser resumes by itself. `data:` is a SessionEvent. "
    "`problem` is why the stream ends; after `goingAway` open it again."
)
_EXAMPLE = (
    "retry: 1000\n\n"
    'event: opened\ndata: {"sessionId":"ses_01h4s8w9","sequence":0}\n\n'
    'id: 7\nevent: messageCommitted\ndata: {"sequence":7,"messageCommitted":{}}\n\n'
)

router = APIRouter(route_class=GatewayRoute, tags=["sessions"])
router.include_router(exports.router)


@router.get(
    f"{API}/sessions/{{sessionId}}/events",
    summary="Follow a session's events until the reader disconnects",
    responses=returns(None, _MEANS, media_type=sse.MEDIA_TYPE, example=_EXAMPLE) | fails(404, 416),
)
async def watch(
    request: Request,
    services: GatewayServices,
    session_id: SessionId,
    query: Annotated[WatchQuery, Query()],
) -> Response:
    """Stream a session's events until the reader disconnects."""
    place = place_asked(request)
    after = place.sequence if place is not None else query.after
    watching = conversation_pb2.WatchSessionRequest(
        session_id=session_id,
        after_sequence=after,
        accepts=[f"FEATURE_{one.upper()}" for one in query.accepts],
        whole_messages_only=query.whole_messages_only,
        audiences=[f"AUDIENCE_{one.upper()}" for one in query.audience],
    )
    events = services.executor.stream(watching)
    first = await anext(events)  # an unknown session is a 404, no stream
    return EventStream(_frames(first, events), leaving=services.leaving)


async def _frames(
    first: event_pb2.SessionEvent, rest: AsyncGenerator[event_pb2.SessionEvent]
) -> AsyncGenerator[bytes]:
    async with aclosing(rest) as events:
        yield encode_frame(first)
        try:
            async for event in events:
                yield encode_frame(event)
        except HttpProblem as error:
            yield frame(error.as_json(), event="problem")


def encode_frame(event: event_pb2.SessionEvent) -> bytes:
    """Return the frame of an event; only durable events have an id to resume from."""
    kind = event.WhichOneof("event")
    if kind == "heartbeat" or kind is None:
        return HEARTBEAT
    return event_frame(event, str(event.sequence) if event.sequence else "")
