"""The routes for clients of OpenAI's API: a script is a model, a session a conversation."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Body, Path
from starlette.requests import Request
from starlette.responses import Response

from gateway_service import sse
from gateway_service.chat_completions import (
    ChatCompletion,
    Chunks,
    Completion,
    Models,
    Object,
    OpenAIError,
    error_frame,
    usage_of,
    whole,
)
from gateway_service.client_text import client_text
from gateway_service.openai_api import SESSION_HEADER, Conversation, conversation_of
from gateway_service.openapi import fails, returns
from gateway_service.problems import HttpProblem
from gateway_service.responses import json_response
from gateway_service.route import Executor, GatewayServices, OpenAIRoute
from gateway_service.services import Services
from gateway_service.sse import EventStream
from gateway_service.task_requests import answer_to, task_of
from heartrule.domain.json_value import JsonValue
from heartrule.domain.request_limits import LARGEST_PAGE
from heartrule.v1 import script_pb2

# The executor's own limit: OpenAI's clients expect all models in one answer.
_MODEL: dict[str, JsonValue] = {
    "id": "greeting", "object": "model", "created": 1795322400, "owned_by": "heartrule",
    "name": "问候",
}  # fmt: skip
_COMPLETION: dict[str, Any] = {
    "a named conversation": {
        "value": {
            "model": "greeting",
            "user": "xiaoming",
            "messages": [{"role": "user", "content": "你好"}],
        }
    }
}
_STREAM: dict[str, JsonValue] = {
    "schema": {"type": "string"},
    "example": 'data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n',
}

router = APIRouter(
    route_class=OpenAIRoute, tags=["openai"], responses={500: {"model": OpenAIError}}
)


@router.post(
    "/v1/chat/completions",
    summary="Hold a scripted conversation with a client of OpenAI's API",
    responses=returns(
        ChatCompletion,
        "The script's reply.",
        example=whole("chatcmpl-1", "greeting", "您好，怎么称呼您？"),
    )
    | fails(404, 409, 429, 503, 504),
    openapi_extra={"responses": {"200": {"content": {sse.MEDIA_TYPE: _STREAM}}}},
)
async def complete(
    request: Request,
    services: GatewayServices,
    sent: Annotated[Completion, Body(openapi_examples=_COMPLETION)],
) -> Response:
    """Send the newest message to the script's session and return its reply."""
    name = f"chatcmpl-{uuid4().hex}"
    task = task_of(request, sent, services.settings.requests)
    if task is not None:
        return await _of_task(request, services, sent, task)
    newest = client_text(services, request, sent.newest_text())
    try:
        conversation = await newest.answered(conversation_of(request, services, sent, newest))
    except HttpProblem as error:
        if error.card is None:
            raise
        return _said(name, sent, error.card.text)
    headers = {SESSION_HEADER: conversation.session_id}
    if not sent.stream:
        text = await conversation.whole()
        return json_response(
            whole(name, sent.model, text, await _usage(conversation)), headers=headers
        )
    frames = _frames(conversation, Chunks(name, sent.model), usage=_wants_usage(sent))
    first = await anext(frames)  # a failure before the first text has an HTTP status
    return EventStream(_after(first, frames), opening=b"", headers=headers)


def _wants_usage(sent: Completion) -> bool:
    return sent.stream_options is not None and sent.stream_options.include_usage


async def _of_task(request: Request, services: Services, sent: Completion, task: str) -> Response:
    """Answer what a front end asks for itself; no session is begun, named or touched."""
    refused = services.callers.input_refusal(request)
    if refused is not None:
        raise refused
    script_id, version = sent.script()
    asked = script_pb2.GetScriptRequest(script_id=script_id, version=version)
    answer = await services.executor.ask(asked, script_pb2.GetScriptResponse)
    title = answer.script.session_name or answer.script.script_id
    return _said(f"chatcmpl-{uuid4().hex}", sent, answer_to(task, title))


async def _usage(conversation: Conversation) -> Object | None:
    """Return the turn's tokens; a reply that is there is not lost for the lack of them."""
    try:
        return await conversation.usage()
    except HttpProblem:
        return None


def _said(name: str, sent: Completion, text: str) -> Response:
    """Return a text as the reply of a call that has no session."""
    if not sent.stream:
        return json_response(whole(name, sent.model, text))
    chunks = Chunks(name, sent.model)

    async def frames() -> AsyncGenerator[bytes]:
        usage = usage_of() if _wants_usage(sent) else None
        yield chunks.first() + chunks.text(text) + chunks.last(usage)

    return EventStream(frames(), opening=b"")


async def _frames(
    conversation: Conversation, chunks: Chunks, *, usage: bool
) -> AsyncGenerator[bytes]:
    """Yield the frames of the reply; a failure before the first of them is raised."""
    begun = False
    try:
        async with aclosing(conversation.texts()) as texts:
            async for text in texts:
                if not begun:
                    yield chunks.first()
                    begun = True
                yield chunks.text(text)
    except HttpProblem as error:
        if not begun:
            raise
        yield error_frame(error.status, error.detail, error.reason)
        return
    yield chunks.last(await _usage(conversation) if usage else None)


async def _after(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(rest) as frames:
        yield first
        async for each in frames:
            yield each


@router.get(
    "/v1/models",
    summary="List scripts as models",
    responses=returns(Models, "The scripts.", example={"object": "list", "data": [_MODEL]}),
)
async def models(executor: Executor) -> Response:
    """List scripts as models."""
    found: list[JsonValue] = []
    token = ""
    while True:
        request = script_pb2.ListScriptsRequest(page_size=LARGEST_PAGE, page_token=token)
        page = await executor.ask(request, script_pb2.ListScriptsResponse)
        found += [_model(script) for script in page.scripts]
        token = page.next_page_token
        if not token:
            return json_response({"object": "list", "data": found})


@router.get(
    "/v1/models/{model}",
    summary="Read a script as a model",
    responses=returns(None, "The script.", example=_MODEL) | fails(404),
)
async def model(executor: Executor, script_id: Annotated[str, Path(alias="model")]) -> Response:
    """Read one script as a model."""
    request = script_pb2.GetScriptRequest(script_id=script_id)
    answer = await executor.ask(request, script_pb2.GetScriptResponse)
    return json_response(_model(answer.script))


def _model(script: script_pb2.Script) -> JsonValue:
    return {
        "id": script.script_id,
        "object": "model",
        "created": script.create_time.seconds,
        "owned_by": "heartrule",
        "name": script.session_name or script.script_id,
    }
