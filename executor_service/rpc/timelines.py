"""The rpcs about what a turn took: its model calls, and its timeline."""

from __future__ import annotations

from typing import Any, TypeAlias

from grpc import aio

from executor_service.timeline import timeline_of
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import timeline_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, page_size, require
from session_store.ports import Store
from session_store.records import Page

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
_CALLS = 500
"""Model calls read of one turn; no turn makes as many."""
_LATER = 500
"""Events after the turn among which its analyses are sought: they end within a few turns."""


class TimelineRpcs:
    """ListModelCalls and GetTurnTimeline."""

    def __init__(self, store: Store) -> None:
        """Read from `store`."""
        self._timelines = store

    async def ListModelCalls(  # noqa: N802  the contract's name
        self, request: timeline_pb2.ListModelCallsRequest, _context: Context
    ) -> timeline_pb2.ListModelCallsResponse:
        """Return the ledger, or what one turn has in it, oldest first."""
        require(session_id=request.session_id)
        allow(turn_id=request.turn_id)
        page = Page(size=page_size(request.page_size), token=request.page_token)
        found, token = await self._timelines.list_ledger(
            SessionKey(DEFAULT_TENANT, request.session_id), page, turn_id=request.turn_id
        )
        response = timeline_pb2.ListModelCallsResponse(next_page_token=token)
        for made in found:
            fill_message(made, response.calls.add())
        return response

    async def GetTurnTimeline(  # noqa: N802
        self, request: timeline_pb2.GetTurnTimelineRequest, _context: Context
    ) -> timeline_pb2.GetTurnTimelineResponse:
        """Return what took place in a turn and beside it."""
        require(session_id=request.session_id, turn_id=request.turn_id)
        key, turn_id = SessionKey(DEFAULT_TENANT, request.session_id), request.turn_id
        told = await self._timelines.read_turn(key, turn_id)
        later = await self._timelines.read_events(key, told[-1].sequence, _LATER)
        calls, _ = await self._timelines.list_ledger(key, Page(size=_CALLS), turn_id=turn_id)
        response = timeline_pb2.GetTurnTimelineResponse()
        fill_message(timeline_of(turn_id, told, later, calls), response.timeline)
        return response
