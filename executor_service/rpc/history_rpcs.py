"""The rpcs that read what is stored of a session: its paged lists, model calls and timelines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from google.protobuf.message import Message

from executor_service.ports import ScriptLibrary
from executor_service.recorded_conversation import conversation_text
from executor_service.recorded_session import recorded_session
from executor_service.rpc.requests import (
    Context,
    OfSessionPage,
    hidden_of,
    listed,
    page_of,
    session_of,
    slice_of,
)
from executor_service.scripts.loading.bundle import REHEARSALS_FOLDER
from executor_service.turn_timeline import timeline_of
from heartrule.domain.errors import NotReady
from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.domain.variables import (
    VariableHistoryEntry,
    VariableOperation,
    VariableOperationKind,
    VariableValue,
)
from heartrule.v1 import history_pb2, session_pb2, strategy_pb2, timeline_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import allow, allow_text, page_size, require
from session_store.ports import Store
from session_store.records import Page

# The contract's limit of earlier values for each variable.
LONGEST_HISTORY = 20
# Operations read for each value wanted: some are another scope's, or deletions.
_SPARE = 4
# Model calls read of one turn; no turn makes as many.
_CALLS = 500
# Events after the turn among which its analyses are looked for: they end within a few turns.
_LATER = 500
# Letters of a session's id by which its rehearsal is named.
_SHORT_ID = 6

R = TypeVar("R", bound=Message)
T = TypeVar("T")
_Rows: TypeAlias = Callable[[SessionKey, Page], Awaitable[tuple[list[T], str]]]


def _listing(
    response_class: type[R],
    rows: Callable[[Store], _Rows[T]],
    masked: Callable[[SensitiveVariables, T], T] | None = None,
) -> Callable[[HistoryRpcs, OfSessionPage, Context], Awaitable[R]]:
    """Return an rpc that lists a page of `rows`, each masked where it may hold sensitive values."""

    async def list_page(self: HistoryRpcs, request: OfSessionPage, _context: Context) -> R:
        key = session_of(request)
        found, token = await rows(self.store)(key, page_of(request))
        if masked is not None:
            hidden = await self.sensitive(key)
            found = [masked(hidden, row) for row in found]
        return listed(response_class, (found, token))

    return list_page


class HistoryRpcs:
    """The lists of what is stored of a session, and the timeline of a turn."""

    def __init__(self, store: Store, scripts: ScriptLibrary) -> None:
        """Read from `store`; `scripts` name which variables are sensitive."""
        self.store = store
        self._scripts = scripts

    async def sensitive(self, key: SessionKey) -> SensitiveVariables:
        """Return which variables of a session are sensitive."""
        return await hidden_of(self.store, self._scripts, key)

    ListMessages = _listing(session_pb2.ListMessagesResponse, lambda store: store.list_messages)
    ListVariableOperations = _listing(
        history_pb2.ListVariableOperationsResponse,
        lambda store: store.list_operations,
        SensitiveVariables.in_operation,
    )
    ListScopeSnapshots = _listing(
        history_pb2.ListScopeSnapshotsResponse,
        lambda store: store.list_snapshots,
        SensitiveVariables.in_snapshot,
    )
    ListExitHistory = _listing(history_pb2.ListExitHistoryResponse, lambda store: store.list_exits)
    ListActionMetrics = _listing(
        history_pb2.ListActionMetricsResponse, lambda store: store.list_metrics
    )
    ListMonitorFeedback = _listing(
        history_pb2.ListMonitorFeedbackResponse, lambda store: store.list_feedback
    )
    ListStrategyDecisions = _listing(
        strategy_pb2.ListStrategyDecisionsResponse,
        lambda store: store.list_strategies,
        SensitiveVariables.in_decision,
    )

    async def ListVariableDefinitions(  # noqa: N802  the contract's name
        self, request: history_pb2.ListVariableDefinitionsRequest, _context: Context
    ) -> history_pb2.ListVariableDefinitionsResponse:
        """Return declarations and registered outputs, by scope, scope id and name."""
        key, page = session_of(request), page_of(request)
        known = list(await self.store.list_definitions(key))
        return listed(history_pb2.ListVariableDefinitionsResponse, slice_of(known, page))

    async def ListVariables(  # noqa: N802
        self, request: session_pb2.ListVariablesRequest, _context: Context
    ) -> session_pb2.ListVariablesResponse:
        """Return live and archived variables by scope and name, sensitive ones masked."""
        key = session_of(request)
        values = sorted(
            await self.store.list_variables(key),
            key=lambda v: (v.archived, v.scope, v.scope_id, v.name),
        )
        found, token = slice_of(values, page_of(request))
        history = min(page_size(request.history_size, at="history_size"), LONGEST_HISTORY)
        wanted = history if request.history_size else 0
        hidden = SensitiveVariables() if request.reveal else await self.sensitive(key)
        shown = [hidden.in_variable(each) for each in await self._with_history(key, found, wanted)]
        return listed(session_pb2.ListVariablesResponse, (shown, token))

    async def ListModelCalls(  # noqa: N802
        self, request: timeline_pb2.ListModelCallsRequest, _context: Context
    ) -> timeline_pb2.ListModelCallsResponse:
        """Return the ledger, or what one turn has in it, oldest first."""
        key = session_of(request)
        allow(turn_id=request.turn_id)
        found = await self.store.list_ledger(key, page_of(request), turn_id=request.turn_id)
        return listed(timeline_pb2.ListModelCallsResponse, found)

    async def GetTurnTimeline(  # noqa: N802
        self, request: timeline_pb2.GetTurnTimelineRequest, _context: Context
    ) -> timeline_pb2.GetTurnTimelineResponse:
        """Return the timeline of a turn and of its analyses."""
        require(session_id=request.session_id, turn_id=request.turn_id)
        key, turn_id = session_of(request), request.turn_id
        events = await self.store.read_turn(key, turn_id)
        later = await self.store.read_events(key, events[-1].sequence, _LATER)
        calls, _ = await self.store.list_ledger(key, Page(size=_CALLS), turn_id=turn_id)
        response = timeline_pb2.GetTurnTimelineResponse()
        fill_message(timeline_of(turn_id, events, later, calls), response.timeline)
        return response

    async def GetRehearsal(  # noqa: N802
        self, request: history_pb2.GetRehearsalRequest, _context: Context
    ) -> history_pb2.GetRehearsalResponse:
        """Write a session as a conversation file.

        Raises:
            NotReady: No turn of it has ended.
        """
        key = session_of(request)
        allow_text(title=request.title)
        recorded = await recorded_session(self.store, key, await self.sensitive(key))
        name = recorded.session.script_id
        # A long session takes a second to write.
        text = await asyncio.to_thread(conversation_text, recorded, request.title or name)
        if not text:
            raise NotReady("no turn of the session has ended", reason="NOTHING_TO_REHEARSE")
        path = f"{REHEARSALS_FOLDER}{name}-{key.session_id[-_SHORT_ID:]}.yaml"
        return history_pb2.GetRehearsalResponse(content=text, path=path)

    async def _with_history(
        self, key: SessionKey, values: Sequence[VariableValue], wanted: int
    ) -> Sequence[VariableValue]:
        if not wanted or not values:
            return values
        names = list(dict.fromkeys(value.name for value in values))
        done = await self.store.latest_operations(key, names, most=_SPARE * (wanted + 1))
        return [replace(value, history=history_of(value, done, wanted)) for value in values]


def history_of(
    value: VariableValue, operations: Iterable[VariableOperation], most: int
) -> tuple[VariableHistoryEntry, ...]:
    """Return the values a variable had before, newest first, from its session's operations.

    Args:
        value: The variable as it is.
        operations: Operations on its name, newest first; other scopes' are passed over.
        most: Entries wanted.
    """
    own = [
        done
        for done in operations
        if (done.variable_name, done.scope, done.scope_id)
        == (value.name, value.scope, value.scope_id)
        and done.operation is not VariableOperationKind.DELETE
    ]
    if own and own[0].timestamp == value.last_updated:
        del own[0]
    return tuple(
        VariableHistoryEntry(
            value=e.value,
            source=e.action_id,
            last_updated=e.timestamp,
            support=e.support,
            quote=e.quote,
        )
        for e in own[:most]
    )
