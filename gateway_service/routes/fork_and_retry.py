"""Going back in a session, stopping a turn, and taking edits of a plan back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path
from starlette.responses import Response

from gateway_service.bodies import ForkBody, InterruptBody, Replacement, RequestKey, RetryBody
from gateway_service.openapi import fails, returns
from gateway_service.responses import message_response
from gateway_service.route import Executor, GatewayRoute, SessionId
from gateway_service.routes.sessions import struct_of
from heartrule.v1 import conversation_pb2, fork_and_retry_pb2, plan_edit_pb2, replacement_pb2

_SESSION = "/api/sessions/{sessionId}"
_INTERRUPT: dict[str, Any] = {
    "keep what was heard": {
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

_NEWEST, _SAME, _NO_KEY = ForkBody(), RetryBody(), RequestKey()

router = APIRouter(route_class=GatewayRoute)


@router.post(
    f"{_SESSION}/interrupt",
    summary="Stop a running turn; safe to repeat",
    tags=["going back"],
    responses=returns(conversation_pb2.InterruptTurnResponse, "It stops, or had ended.")
    | fails(404, 409),
)
async def interrupt(
    executor: Executor,
    session_id: SessionId,
    body: Annotated[InterruptBody, Body(openapi_examples=_INTERRUPT)],
) -> Response:
    """Stop a running turn at its next safe point."""
    request = conversation_pb2.InterruptTurnRequest(
        session_id=session_id, turn_id=body.turn_id, request_id=body.request_id
    )
    if body.heard is not None:
        request.heard.message_id = body.heard.message_id
        request.heard.offset = body.heard.offset
    answer = await executor.ask("InterruptTurn", request, conversation_pb2.InterruptTurnResponse)
    return message_response(answer)


@router.post(
    f"{_SESSION}/fork",
    status_code=201,
    summary="Begin a session that stands where this one stood",
    tags=["going back"],
    responses=returns(fork_and_retry_pb2.ForkSessionResponse, "The new session.", status=201)
    | fails(404, 409),
)
async def fork(
    executor: Executor,
    session_id: SessionId,
    body: Annotated[ForkBody, Body(openapi_examples=_FORK)] = _NEWEST,
) -> Response:
    """Begin a session that stands where another stood."""
    request = fork_and_retry_pb2.ForkSessionRequest(
        session_id=session_id,
        from_turn_id=body.from_turn_id,
        request_id=body.request_id,
    )
    if body.replacement is not None:
        request.replacement.CopyFrom(_replacement(body.replacement))
    answer = await executor.ask("ForkSession", request, fork_and_retry_pb2.ForkSessionResponse)
    return message_response(answer, status=201)


def _replacement(body: Replacement) -> replacement_pb2.ActionReplacement:
    return replacement_pb2.ActionReplacement(
        phase_id=body.phase_id,
        topic_id=body.topic_id,
        action_id=body.action_id,
        config=struct_of(body.config),
    )


@router.post(
    f"{_SESSION}/retry",
    summary="Take the last turn back and say its message again",
    tags=["going back"],
    responses=returns(fork_and_retry_pb2.RetryTurnResponse, "What is gone, and what is said again.")
    | fails(404, 409, 429),
)
async def retry(
    executor: Executor,
    session_id: SessionId,
    body: Annotated[RetryBody, Body(openapi_examples=_RETRY)] = _SAME,
) -> Response:
    """Take the last turn back and say its message again."""
    request = fork_and_retry_pb2.RetryTurnRequest(session_id=session_id, **body.model_dump())
    answer = await executor.ask("RetryTurn", request, fork_and_retry_pb2.RetryTurnResponse)
    return message_response(answer)


@router.post(
    f"{_SESSION}/plan/edits/{{editId}}/undo",
    summary="Take back the latest edit that was applied",
    tags=["plan"],
    responses=returns(plan_edit_pb2.UndoPlanEditResponse, "It waits for the next turn.")
    | fails(404, 409),
)
async def undo_edit(
    executor: Executor,
    session_id: SessionId,
    edit_id: Annotated[str, Path(alias="editId")],
    body: Annotated[RequestKey, Body(openapi_examples=_UNDO)] = _NO_KEY,
) -> Response:
    """Take back the latest edit of a plan that was applied."""
    request = plan_edit_pb2.UndoPlanEditRequest(
        session_id=session_id,
        edit_id=edit_id,
        request_id=body.request_id,
    )
    answer = await executor.ask("UndoPlanEdit", request, plan_edit_pb2.UndoPlanEditResponse)
    return message_response(answer)
