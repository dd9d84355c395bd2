"""Routes that stop a turn, go back in a session, and undo edits of a plan."""

from __future__ import annotations

from typing import Any

from gateway_service.bodies import ForkBody, InterruptBody, RequestKey, RetryBody
from gateway_service.routes.call_router import CallRouter

_SESSION = "/api/sessions/{sessionId}"
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
