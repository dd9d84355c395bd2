"""The rpcs of the crisis path: where sessions are on it, what was found, what operators decide."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

from executor_service.hub import SessionHub
from executor_service.rpc.requests import Context, listed, page_of, refused, session_of
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.safety import SafetyLevel, SafetySource, Subject
from heartrule.safety.screen import ScreenContext, Screening
from heartrule.safety.screening_threads import in_screening_thread
from heartrule.v1 import safety_pb2, safety_request_pb2
from heartrule.wire.enums import members, numbers
from heartrule.wire.inbound import Reading, check_name, check_text
from heartrule.wire.message_mapping import fill_message, refuse
from heartrule.wire.request_parsing import allow, require
from heartrule.wire.times import read_timestamp
from session_store.ports import Store
from session_store.records import SafetyClosing, SafetyFilter

# An operator's note; what is longer belongs into the service's own records.
LONGEST_NOTE = 2_000
# Of a dry run's texts together: as long as a client's input may be, some milliseconds of work.
LONGEST_TEXT = 16_000
MOST_EARLIER = 20
# Returns what a text means, such as `SafetyScreen.screen`.
Screens: TypeAlias = Callable[[str, ScreenContext], Screening]
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


class SafetyRpcs:
    """The rpcs of SafetyService."""

    def __init__(self, store: Store, hub: SessionHub, screen: Screens) -> None:
        """Read and write `store`; what a decision emits is published to `hub`."""
        self._store = store
        self._hub = hub
        self._screen = screen

    async def ScreenText(  # noqa: N802  the contract's name
        self, request: safety_request_pb2.ScreenTextRequest, _context: Context
    ) -> safety_request_pb2.ScreenTextResponse:
        """Return what the rules find in a text; nothing is stored."""
        _check_texts(request)
        context = ScreenContext(question=request.question, earlier=tuple(request.earlier))
        found = await in_screening_thread(partial(self._screen, request.text, context))
        hit = found.level > SafetyLevel.NONE
        response = safety_request_pb2.ScreenTextResponse(
            level=numbers(SafetyLevel, safety_pb2.SafetyLevel.DESCRIPTOR)[found.level],  # type: ignore[arg-type]  # a number
            rules=found.rules,
            language=found.language or "",
        )
        if hit:
            sources = numbers(SafetySource, safety_pb2.SafetySource.DESCRIPTOR)
            subjects = numbers(Subject, safety_pb2.SafetySubject.DESCRIPTOR)
            response.source = sources[found.source]  # type: ignore[assignment]  # a number
            response.subject = subjects[found.subject]  # type: ignore[assignment]  # a number
        return response

    async def GetSafetyState(  # noqa: N802
        self, request: safety_request_pb2.GetSafetyStateRequest, _context: Context
    ) -> safety_request_pb2.GetSafetyStateResponse:
        """Return where a session is on the crisis path."""
        state = await self._store.get_safety(session_of(request))
        response = safety_request_pb2.GetSafetyStateResponse()
        fill_message(state, response.state)
        return response

    async def ListSafetyEvents(  # noqa: N802
        self, request: safety_request_pb2.ListSafetyEventsRequest, _context: Context
    ) -> safety_request_pb2.ListSafetyEventsResponse:
        """Return hits and operators' decisions, newest first."""
        allow(session_id=request.session_id)
        wanted = SafetyFilter(
            session_id=request.session_id,
            unacknowledged=request.unacknowledged,
            alerts=request.alerts,
        )
        found = await self._store.list_safety_events(DEFAULT_TENANT, page_of(request), wanted)
        return listed(safety_request_pb2.ListSafetyEventsResponse, found)

    async def AcknowledgeSafetyEvent(  # noqa: N802
        self, request: safety_request_pb2.AcknowledgeSafetyEventRequest, _context: Context
    ) -> safety_request_pb2.AcknowledgeSafetyEventResponse:
        """Note that an operator has seen an event."""
        require(safety_event_id=request.safety_event_id)
        _check_decision(request)
        event = await self._store.acknowledge_safety(
            DEFAULT_TENANT, request.safety_event_id, operator=request.operator, note=request.note
        )
        response = safety_request_pb2.AcknowledgeSafetyEventResponse()
        fill_message(event, response.event)
        return response

    async def CloseSafety(  # noqa: N802
        self, request: safety_request_pb2.CloseSafetyRequest, _context: Context
    ) -> safety_request_pb2.CloseSafetyResponse:
        """Lower a session's level."""
        key = session_of(request)
        _check_decision(request)
        closing = SafetyClosing(operator=request.operator, level=_level(request), note=request.note)
        state, events = await self._store.close_safety(key, closing)
        self._hub.publish(key, events)
        response = safety_request_pb2.CloseSafetyResponse()
        fill_message(state, response.state)
        return response

    async def GetSafetyReport(  # noqa: N802
        self, request: safety_request_pb2.GetSafetyReportRequest, _context: Context
    ) -> safety_request_pb2.GetSafetyReportResponse:
        """Return counts of hits by month, level, source and language."""
        response = safety_request_pb2.GetSafetyReportResponse()
        for count in await self._store.safety_report(DEFAULT_TENANT, _since(request)):
            fill_message(count, response.counts.add())
        return response


def _check_texts(request: safety_request_pb2.ScreenTextRequest) -> None:
    """Check the texts of a dry run."""
    reading = Reading()
    if not request.text:
        reading.wrong("text", "is required")
    if sum(map(len, (request.text, request.question, *request.earlier))) > LONGEST_TEXT:
        reading.wrong("text", f"must have at most {LONGEST_TEXT} characters, with all before it")
    if len(request.earlier) > MOST_EARLIER:
        reading.wrong("earlier", f"must have at most {MOST_EARLIER} inputs")
    refuse(reading)


def _check_decision(
    request: safety_request_pb2.AcknowledgeSafetyEventRequest
    | safety_request_pb2.CloseSafetyRequest,
) -> None:
    """Check who decides, and the note."""
    reading = Reading()
    check_name(request.operator, "operator", reading)
    if len(request.note) > LONGEST_NOTE:
        reading.wrong("note", f"must have at most {LONGEST_NOTE} characters")
    check_text(request.note, "note", reading)
    refuse(reading)


def _level(request: safety_request_pb2.CloseSafetyRequest) -> SafetyLevel:
    """Return the level to set; InvalidRequest where it is unknown, CRISIS or above."""
    known = members(SafetyLevel, safety_pb2.SafetyLevel.DESCRIPTOR)
    level = known.get(request.level) if request.level else SafetyLevel.NONE
    if level is None:
        raise refused("level", f"unknown value {request.level}")
    if level >= SafetyLevel.CRISIS:
        raise refused("level", "must be below CRISIS")
    return level


def _since(request: safety_request_pb2.GetSafetyReportRequest) -> datetime:
    """Return the time from which on hits are counted; InvalidRequest where it is none."""
    if not request.HasField("since"):
        return _EVER
    try:
        return read_timestamp(request.since)
    except ValueError as error:
        raise refused("since", "must lie in the years 1 to 9999") from error
