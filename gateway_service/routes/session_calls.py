"""Routes below a session that pass a call through: its histories, its plan, going back in it."""

from __future__ import annotations

from typing import Any

from gateway_service.bodies import (
    CallsQuery,
    ForkBody,
    InterruptBody,
    RequestKey,
    RetryBody,
    VariablesQuery,
)
from gateway_service.paths import API
from gateway_service.rehearsal_bodies import RehearsalQuery
from gateway_service.routes.call_router import CallRouter

_SESSION = f"{API}/sessions/{{sessionId}}"
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
_INTERRUPT: dict[str, Any] = {
    "keep what was received": {
        "value": {"turnId": "trn_03", "heard": {"messageId": "msg_07", "offset": 12}}
    }
}
_FORK: dict[str, Any] = {
    "the newest place": {"value": {}},
    "another question": {
        "value": {
            "replacement": {
                "phaseId": "opening",
                "topicId": "acquaintance",
                "actionId": "ask_name",
                "config": {"content": "问来访者想怎么被称呼"},
            }
        }
    },
}
_RETRY: dict[str, Any] = {"other words": {"value": {"text": "其实我叫小红"}}}
_UNDO: dict[str, Any] = {"once": {"value": {"requestId": "undo-1"}}}

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
    f"GET {_SESSION}/rehearsal",
    "GetRehearsal",
    query=RehearsalQuery,
    summary="Write the session as a conversation file for rehearsals",
    tag="history",
)
router.add_call(
    f"GET {_SESSION}/outline",
    "GetScriptOutline",
    inner="outline",
    summary="Read the session's script as a tree",
    tag="sessions",
)
router.add_call(
    f"POST {_SESSION}/interrupt",
    "InterruptTurn",
    summary="Stop a running turn; safe to repeat",
    tag="going back",
    body=InterruptBody,
    body_examples=_INTERRUPT,
    failures=(404, 409),
    success="The turn stops, or had ended.",
)
router.add_call(
    f"POST {_SESSION}/fork",
    "ForkSession",
    summary="Create a session with the state of this one after a turn",
    tag="going back",
    body=ForkBody,
    body_examples=_FORK,
    failures=(404, 409),
    status=201,
    success="The new session.",
)
router.add_call(
    f"POST {_SESSION}/retry",
    "RetryTurn",
    summary="Remove the last turn and send its message again",
    tag="going back",
    body=RetryBody,
    body_examples=_RETRY,
    failures=(404, 409, 429),
    says="text",
    success="The removed message, and the one sent again.",
)
router.add_call(
    f"POST {_SESSION}/plan/edits/{{editId}}/undo",
    "UndoPlanEdit",
    summary="Undo the latest applied edit",
    tag="plan",
    body=RequestKey,
    body_examples=_UNDO,
    failures=(404, 409),
    success="The undo waits for the next turn.",
)
