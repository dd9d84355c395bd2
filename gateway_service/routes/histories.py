"""The stored histories of a session; every route pages through one of them."""

from __future__ import annotations

from fastapi import APIRouter

from gateway_service.bodies import CallsQuery, VariablesQuery
from gateway_service.route import GatewayRoute
from gateway_service.routes.read_route import add_read_route
from heartrule.v1 import (
    history_pb2,
    outline_pb2,
    plan_edit_pb2,
    session_pb2,
    strategy_pb2,
    timeline_pb2,
)

_SESSION = "/api/sessions/{sessionId}"

router = APIRouter(route_class=GatewayRoute)
add_read_route(
    router,
    f"{_SESSION}/messages",
    "ListMessages",
    (session_pb2.ListMessagesRequest, session_pb2.ListMessagesResponse),
    summary="List what was said, oldest first",
    tag="sessions",
)
add_read_route(
    router,
    f"{_SESSION}/variables",
    "ListVariables",
    (session_pb2.ListVariablesRequest, session_pb2.ListVariablesResponse),
    query=VariablesQuery,
    summary="List variables, with earlier values where asked",
    tag="variables",
)
add_read_route(
    router,
    f"{_SESSION}/variables/operations",
    "ListVariableOperations",
    (history_pb2.ListVariableOperationsRequest, history_pb2.ListVariableOperationsResponse),
    summary="List every write and deletion, oldest first",
    tag="variables",
)
add_read_route(
    router,
    f"{_SESSION}/variables/definitions",
    "ListVariableDefinitions",
    (history_pb2.ListVariableDefinitionsRequest, history_pb2.ListVariableDefinitionsResponse),
    summary="List what is declared or registered",
    tag="variables",
)
add_read_route(
    router,
    f"{_SESSION}/variables/snapshots",
    "ListScopeSnapshots",
    (history_pb2.ListScopeSnapshotsRequest, history_pb2.ListScopeSnapshotsResponse),
    summary="List what scopes held when they were left",
    tag="variables",
)
add_read_route(
    router,
    f"{_SESSION}/exits",
    "ListExitHistory",
    (history_pb2.ListExitHistoryRequest, history_pb2.ListExitHistoryResponse),
    summary="List the exit decision of each round",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/metrics",
    "ListActionMetrics",
    (history_pb2.ListActionMetricsRequest, history_pb2.ListActionMetricsResponse),
    summary="List metrics and progress suggestion of each round",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/feedback",
    "ListMonitorFeedback",
    (history_pb2.ListMonitorFeedbackRequest, history_pb2.ListMonitorFeedbackResponse),
    summary="List what the monitor made of each round, and what became of its advice",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/strategies",
    "ListStrategyDecisions",
    (strategy_pb2.ListStrategyDecisionsRequest, strategy_pb2.ListStrategyDecisionsResponse),
    summary="List what the strategy engine recommended",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/calls",
    "ListModelCalls",
    (timeline_pb2.ListModelCallsRequest, timeline_pb2.ListModelCallsResponse),
    query=CallsQuery,
    summary="List model calls, with prompt and reply",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/turns/{{turnId}}/timeline",
    "GetTurnTimeline",
    (timeline_pb2.GetTurnTimelineRequest, timeline_pb2.GetTurnTimelineResponse),
    inner="timeline",
    summary="Read what took place in a turn and beside it",
    tag="history",
)
add_read_route(
    router,
    f"{_SESSION}/outline",
    "GetScriptOutline",
    (outline_pb2.GetScriptOutlineRequest, outline_pb2.GetScriptOutlineResponse),
    inner="outline",
    summary="Read the session's script as a tree",
    tag="sessions",
)
add_read_route(
    router,
    f"{_SESSION}/plan",
    "GetPlan",
    (plan_edit_pb2.GetPlanRequest, plan_edit_pb2.GetPlanResponse),
    summary="Read the queue of the topic the session stands in",
    tag="plan",
)
add_read_route(
    router,
    f"{_SESSION}/plan/edits",
    "ListPlanEdits",
    (plan_edit_pb2.ListPlanEditsRequest, plan_edit_pb2.ListPlanEditsResponse),
    summary="List the edits of the session's queues",
    tag="plan",
)
