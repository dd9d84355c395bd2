"""What is read of a session besides itself: its histories, its script as a tree, its plan."""

from __future__ import annotations

from gateway_service.bodies import CallsQuery, VariablesQuery
from gateway_service.routes.call_router import CallRouter

_SESSION = "/api/sessions/{sessionId}"
# Path below the session, rpc, tag, summary: lists of which a query names nothing but the page.
_LISTS = (
    ("messages", "ListMessages", "sessions", "List the messages, oldest first"),
    (
        "variables/operations", "ListVariableOperations", "variables",
        "List every write and deletion, oldest first",
    ),
    (
        "variables/definitions", "ListVariableDefinitions", "variables",
        "List the declared and registered variables",
    ),
    (
        "variables/snapshots", "ListScopeSnapshots", "variables",
        "List the variables of each scope at its end",
    ),
    ("exits", "ListExitHistory", "history", "List the exit decision of each round"),
    (
        "metrics", "ListActionMetrics", "history",
        "List metrics and progress suggestion of each round",
    ),
    (
        "feedback", "ListMonitorFeedback", "history",
        "List the monitor's analysis of each round, and the state of its advice",
    ),
    ("strategies", "ListStrategyDecisions", "history", "List the strategy's recommendations"),
    ("plan", "GetPlan", "plan", "Read the queue of the session's current topic"),
    ("plan/edits", "ListPlanEdits", "plan", "List the edits of the session's queues"),
)  # fmt: skip

router = CallRouter()
for _path, _rpc, _tag, _summary in _LISTS:
    router.add_call(f"GET {_SESSION}/{_path}", _rpc, summary=_summary, tag=_tag)
router.add_call(
    f"GET {_SESSION}/variables",
    "ListVariables",
    query=VariablesQuery,
    summary="List variables, with earlier values where asked",
    tag="variables",
)
router.add_call(
    f"GET {_SESSION}/calls",
    "ListModelCalls",
    query=CallsQuery,
    summary="List model calls, with prompt and reply",
    tag="history",
)
router.add_call(
    f"GET {_SESSION}/turns/{{turnId}}/timeline",
    "GetTurnTimeline",
    inner="timeline",
    summary="Read the timeline of a turn and of its analyses",
    tag="history",
)
router.add_call(
    f"GET {_SESSION}/outline",
    "GetScriptOutline",
    inner="outline",
    summary="Read the session's script as a tree",
    tag="sessions",
)
