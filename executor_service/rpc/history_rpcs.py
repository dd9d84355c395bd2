"""The rpcs that read what a session left behind: its paged lists, model calls and timelines."""

from __future__ import annotations

from typing import Any, TypeAlias

from grpc import aio

from executor_service.ports import ScriptLibrary
from executor_service.sensitive_lookup import SensitiveLookup
from executor_service.turn_timeline import timeline_of
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.v1 import history_pb2, session_pb2, strategy_pb2, timeline_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, page_size, require
from session_store.ports import Store
from session_store.records import Page

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
_Request: TypeAlias = (
    session_pb2.ListMessagesRequest
    | history_pb2.ListVariableOperationsRequest
    | history_pb2.ListScopeSnapshotsRequest
    | history_pb2.ListVariableDefinitionsRequest
    | history_pb2.ListExitHistoryRequest
    | history_pb2.ListActionMetricsRequest
    | history_pb2.ListMonitorFeedbackRequest
    | strategy_pb2.ListStrategyDecisionsRequest
)


class HistoryRpcs:
    """The paged lists of a session, apart from its variables and model calls."""

    def __init__(self, store: Store, scripts: ScriptLibrary) -> None:
        """Read from `store`; `scripts` name which variables are sensitive."""
        self._histories = store
        self._library = scripts

    async def ListMessages(  # noqa: N802  the contract's name
        self, request: session_pb2.ListMessagesRequest, _context: Context
    ) -> session_pb2.ListMessagesResponse:
        """Return committed messages by sequence."""
        key, page = _asked(request)
        found, token = await self._histories.list_messages(key, page)
        response = session_pb2.ListMessagesResponse(next_page_token=token)
        for message in found:
            fill_message(message, response.messages.add())
        return response

    async def ListVariableOperations(  # noqa: N802
        self, request: history_pb2.ListVariableOperationsRequest, _context: Context
    ) -> history_pb2.ListVariableOperationsResponse:
        """Return every write and deletion, oldest first."""
        key, page = _asked(request)
        found, token = await self._histories.list_operations(key, page)
        response = history_pb2.ListVariableOperationsResponse(next_page_token=token)
        hidden = await self._sensitive(key)
        for operation in found:
            fill_message(hidden.in_operation(operation), response.operations.add())
        return response

    async def ListScopeSnapshots(  # noqa: N802
        self, request: history_pb2.ListScopeSnapshotsRequest, _context: Context
    ) -> history_pb2.ListScopeSnapshotsResponse:
        """Return what each scope held when it was left, oldest first."""
        key, page = _asked(request)
        found, token = await self._histories.list_snapshots(key, page)
        response = history_pb2.ListScopeSnapshotsResponse(next_page_token=token)
        hidden = await self._sensitive(key)
        for snapshot in found:
            fill_message(hidden.in_snapshot(snapshot), response.snapshots.add())
        return response

    async def ListVariableDefinitions(  # noqa: N802
        self, request: history_pb2.ListVariableDefinitionsRequest, _context: Context
    ) -> history_pb2.ListVariableDefinitionsResponse:
        """Return declarations and registered outputs, by scope, scope id and name."""
        key, page = _asked(request)
        known = await self._histories.list_definitions(key)
        start = int(page.token) if page.token.isdecimal() else 0
        end = start + page.size
        response = history_pb2.ListVariableDefinitionsResponse(
            next_page_token=str(end) if end < len(known) else ""
        )
        for definition in known[start:end]:
            fill_message(definition, response.definitions.add())
        return response

    async def ListExitHistory(  # noqa: N802
        self, request: history_pb2.ListExitHistoryRequest, _context: Context
    ) -> history_pb2.ListExitHistoryResponse:
        """Return the decision on each judged round, oldest first."""
        key, page = _asked(request)
        found, token = await self._histories.list_exits(key, page)
        response = history_pb2.ListExitHistoryResponse(next_page_token=token)
        for entry in found:
            fill_message(entry, response.entries.add())
        return response

    async def ListActionMetrics(  # noqa: N802
        self, request: history_pb2.ListActionMetricsRequest, _context: Context
    ) -> history_pb2.ListActionMetricsResponse:
        """Return the metrics of each judged round, oldest first."""
        key, page = _asked(request)
        found, token = await self._histories.list_metrics(key, page)
        response = history_pb2.ListActionMetricsResponse(next_page_token=token)
        for entry in found:
            fill_message(entry, response.entries.add())
        return response

    async def ListMonitorFeedback(  # noqa: N802
        self, request: history_pb2.ListMonitorFeedbackRequest, _context: Context
    ) -> history_pb2.ListMonitorFeedbackResponse:
        """Return what the monitor made of judged rounds, with the advice as it stands now."""
        key, page = _asked(request)
        found, token = await self._histories.list_feedback(key, page)
        response = history_pb2.ListMonitorFeedbackResponse(next_page_token=token)
        for entry in found:
            fill_message(entry, response.entries.add())
        return response

    async def ListStrategyDecisions(  # noqa: N802
        self, request: strategy_pb2.ListStrategyDecisionsRequest, _context: Context
    ) -> strategy_pb2.ListStrategyDecisionsResponse:
        """Return what the strategy engine recommended, oldest first."""
        key, page = _asked(request)
        found, token = await self._histories.list_strategies(key, page)
        response = strategy_pb2.ListStrategyDecisionsResponse(next_page_token=token)
        hidden = await self._sensitive(key)
        for decision in found:
            fill_message(hidden.in_decision(decision), response.decisions.add())
        return response

    async def _sensitive(self, key: SessionKey) -> SensitiveVariables:
        return await SensitiveLookup(self._histories, self._library, key).found()


def _asked(request: _Request) -> tuple[SessionKey, Page]:
    """Return the session and the page a request asks for."""
    require(session_id=request.session_id)
    page = Page(size=page_size(request.page_size), token=request.page_token)
    return SessionKey(DEFAULT_TENANT, request.session_id), page


#: Model calls read of one turn; no turn makes as many.
_CALLS = 500
#: Events after the turn among which its analyses are sought: they end within a few turns.
_LATER = 500


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
        events = await self._timelines.read_turn(key, turn_id)
        later = await self._timelines.read_events(key, events[-1].sequence, _LATER)
        calls, _ = await self._timelines.list_ledger(key, Page(size=_CALLS), turn_id=turn_id)
        response = timeline_pb2.GetTurnTimelineResponse()
        fill_message(timeline_of(turn_id, events, later, calls), response.timeline)
        return response
