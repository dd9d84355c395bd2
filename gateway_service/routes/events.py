"""A session's events as server-sent events, resumable by sequence."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import Response

from gateway_service import sse
from gateway_service.bodies import WatchQuery
from gateway_service.endpoint import Answer, Call, Endpoint
from gateway_service.following import events_of
from gateway_service.problems import HttpProblem
from gateway_service.routes.chat import place_asked
from gateway_service.sse import HEARTBEAT, EventStream, frame
from gateway_service.turns import event_frame
from heartrule.v1 import conversation_pb2, event_pb2


async def watch(call: Call) -> Response:
    """Follow a session until the reader leaves."""
    query = call.asked(WatchQuery)
    place = place_asked(call)
    after = place.sequence if place is not None else query.after
    request = conversation_pb2.WatchSessionRequest(
        session_id=call.path("sessionId"),
        after_sequence=after,
        accepts=[f"FEATURE_{one.upper()}" for one in query.accepts],
        whole_messages_only=query.whole_messages_only,
        audiences=[f"AUDIENCE_{one.upper()}" for one in query.audience],
    )
    events = events_of(call.services.executor, "WatchSession", request)
    first = await anext(events)  # a session that is not there is a 404, no stream
    return EventStream(_frames(first, events), leaving=call.services.leaving)


async def _frames(
    first: event_pb2.SessionEvent, rest: AsyncGenerator[event_pb2.SessionEvent]
) -> AsyncGenerator[bytes]:
    async with aclosing(rest) as events:
        yield told(first)
        try:
            async for event in events:
                yield told(event)
        except HttpProblem as error:
            yield frame(error.facts.as_json(), event="problem")


def told(event: event_pb2.SessionEvent) -> bytes:
    """Return the frame of an event; only what is durable has an id to resume from."""
    kind = event.WhichOneof("event")
    if kind == "heartbeat" or kind is None:
        return HEARTBEAT
    return event_frame(event, str(event.sequence) if event.sequence else "")


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/sessions/{sessionId}/events",
        handler=watch,
        summary="Follow a session's events until you leave",
        tag="sessions",
        query=WatchQuery,
        answer=Answer(
            description=(
                "Each event bears its kind as `event:` and, where it is durable, its sequence as "
                "`id:`, from which a browser resumes by itself. `data:` is a SessionEvent. "
                "`problem` says why the stream ends, `goingAway` that it should be opened again."
            ),
            media_type=sse.MEDIA_TYPE,
            example=(
                "retry: 1000\n\n"
                'event: opened\ndata: {"sessionId":"ses_01h4s8w9","sequence":0}\n\n'
                'id: 7\nevent: messageCommitted\ndata: {"sequence":7,"messageCommitted":{}}\n\n'
            ),
        ),
        errors=(404, 416),
    ),
)
