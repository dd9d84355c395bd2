"""Going back in a session, stopping a turn, and taking edits of a plan back."""

from __future__ import annotations

from starlette.responses import Response

from gateway_service.bodies import Fork, Interrupt, Replacement, RequestKey, Retry
from gateway_service.endpoint import Answer, Call, Endpoint, told
from gateway_service.routes.sessions import struct_of
from heartrule.v1 import conversation_pb2, fork_and_retry_pb2, plan_edit_pb2, replacement_pb2

_SESSION = "/api/sessions/{sessionId}"


async def interrupt(call: Call) -> Response:
    """Stop a running turn at its next safe point."""
    body = call.sent(Interrupt)
    request = conversation_pb2.InterruptTurnRequest(
        session_id=call.path("sessionId"), turn_id=body.turn_id, request_id=body.request_id
    )
    if body.heard is not None:
        request.heard.message_id = body.heard.message_id
        request.heard.offset = body.heard.offset
    return told(await call.ask("InterruptTurn", request, conversation_pb2.InterruptTurnResponse))


async def fork(call: Call) -> Response:
    """Begin a session that stands where another stood."""
    body = call.sent(Fork)
    request = fork_and_retry_pb2.ForkSessionRequest(
        session_id=call.path("sessionId"),
        from_turn_id=body.from_turn_id,
        request_id=body.request_id,
    )
    if body.replacement is not None:
        request.replacement.CopyFrom(_replacement(body.replacement))
    answer = await call.ask("ForkSession", request, fork_and_retry_pb2.ForkSessionResponse)
    return told(answer, status=201)


def _replacement(body: Replacement) -> replacement_pb2.ActionReplacement:
    return replacement_pb2.ActionReplacement(
        phase_id=body.phase_id,
        topic_id=body.topic_id,
        action_id=body.action_id,
        config=struct_of(body.config),
    )


async def retry(call: Call) -> Response:
    """Take the last turn back and say its message again."""
    body = call.sent(Retry)
    request = fork_and_retry_pb2.RetryTurnRequest(
        session_id=call.path("sessionId"), **body.model_dump()
    )
    answer = await call.ask("RetryTurn", request, fork_and_retry_pb2.RetryTurnResponse)
    return told(answer)


async def undo_edit(call: Call) -> Response:
    """Take back the latest edit of a plan that was applied."""
    request = plan_edit_pb2.UndoPlanEditRequest(
        session_id=call.path("sessionId"),
        edit_id=call.path("editId"),
        request_id=call.sent(RequestKey).request_id,
    )
    answer = await call.ask("UndoPlanEdit", request, plan_edit_pb2.UndoPlanEditResponse)
    return told(answer)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path=f"{_SESSION}/interrupt",
        handler=interrupt,
        summary="Stop a running turn; safe to repeat",
        tag="going back",
        body=Interrupt,
        body_examples={
            "keep what was heard": {
                "turnId": "trn_03",
                "heard": {"messageId": "msg_07", "offset": 12},
            }
        },
        answer=Answer(
            description="It stops, or had ended.", kind=conversation_pb2.InterruptTurnResponse
        ),
        errors=(404, 409),
    ),
    Endpoint(
        method="POST",
        path=f"{_SESSION}/fork",
        handler=fork,
        summary="Begin a session that stands where this one stood",
        tag="going back",
        body=Fork,
        body_required=False,
        body_examples={
            "the newest place": {},
            "another question": {
                "replacement": {
                    "phaseId": "opening",
                    "topicId": "acquaintance",
                    "actionId": "ask_name",
                    "config": {"content": "问来访者想怎么被称呼"},
                }
            },
        },
        answer=Answer(
            description="The new session.", status=201, kind=fork_and_retry_pb2.ForkSessionResponse
        ),
        errors=(404, 409),
    ),
    Endpoint(
        method="POST",
        path=f"{_SESSION}/retry",
        handler=retry,
        summary="Take the last turn back and say its message again",
        tag="going back",
        body=Retry,
        body_required=False,
        body_examples={"other words": {"text": "其实我叫小红"}},
        answer=Answer(
            description="What is gone, and what is said again.",
            kind=fork_and_retry_pb2.RetryTurnResponse,
        ),
        errors=(404, 409, 429),
    ),
    Endpoint(
        method="POST",
        path=f"{_SESSION}/plan/edits/{{editId}}/undo",
        handler=undo_edit,
        summary="Take back the latest edit that was applied",
        tag="plan",
        body=RequestKey,
        body_required=False,
        body_examples={"once": {"requestId": "undo-1"}},
        answer=Answer(
            description="It waits for the next turn.", kind=plan_edit_pb2.UndoPlanEditResponse
        ),
        errors=(404, 409),
    ),
)
