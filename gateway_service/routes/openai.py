"""The door for clients of OpenAI's API: a script is a model, its session holds the conversation."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import uuid4

from starlette.responses import Response

from gateway_service import sse
from gateway_service.bodies import NoQuery
from gateway_service.completions import (
    ChatCompletion,
    Chunks,
    Completion,
    Models,
    Refused,
    error_body,
    error_frame,
    whole,
)
from gateway_service.door import SESSION_HEADER, Conversation, conversation_of
from gateway_service.endpoint import Answer, Call, Endpoint, told_json
from gateway_service.problems import HttpProblem
from gateway_service.sse import EventStream
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import script_pb2

_NEVER_AGAIN = {"x-should-retry": "false"}
"""OpenAI's clients repeat a failed call by themselves, which here would say a thing twice."""
_LARGEST_PAGE = 500


async def complete(call: Call) -> Response:
    """Say the newest message to the script's session and answer with what it says."""
    sent = call.sent(Completion)
    name = f"chatcmpl-{uuid4().hex}"
    conversation = await conversation_of(call, sent)
    headers = {SESSION_HEADER: conversation.session_id}
    if not sent.stream:
        async with aclosing(conversation.words()) as words:
            content = "".join([word async for word in words])
        return told_json(whole(name, sent.model, content), headers=headers)
    wanted = sent.stream_options is not None and sent.stream_options.include_usage
    frames = _frames(conversation, Chunks(name, sent.model), usage=wanted)
    first = await anext(frames)  # what fails before the first word has a status of its own
    return EventStream(_after(first, frames), opening=b"", headers=headers)


async def _frames(
    conversation: Conversation, chunks: Chunks, *, usage: bool
) -> AsyncGenerator[bytes]:
    """Yield the answer's frames; a failure before the first of them is raised."""
    begun = False
    try:
        async with aclosing(conversation.words()) as words:
            async for text in words:
                if not begun:
                    yield chunks.first()
                    begun = True
                yield chunks.words(text)
    except HttpProblem as error:
        if not begun:
            raise
        yield error_frame(error.facts.status, error.facts.detail, error.facts.reason)
        return
    yield chunks.last(usage=usage)


async def _after(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(rest) as frames:
        yield first
        async for told in frames:
            yield told


async def models(call: Call) -> Response:
    """List scripts as models."""
    found: list[JsonValue] = []
    token = ""
    while True:
        request = script_pb2.ListScriptsRequest(page_size=_LARGEST_PAGE, page_token=token)
        page = await call.ask("ListScripts", request, script_pb2.ListScriptsResponse)
        found += [_model(script) for script in page.scripts]
        token = page.next_page_token
        if not token:
            return told_json({"object": "list", "data": found})


async def model(call: Call) -> Response:
    """Read one script as a model."""
    request = script_pb2.GetScriptRequest(script_id=call.path("model"))
    answer = await call.ask("GetScript", request, script_pb2.GetScriptResponse)
    return told_json(_model(answer.script))


def _model(script: script_pb2.Script) -> JsonValue:
    return {
        "id": script.script_id,
        "object": "model",
        "created": script.create_time.seconds,
        "owned_by": "heartrule",
    }


def refused(error: HttpProblem) -> Response:
    """Return a failure as OpenAI's clients read it."""
    facts = error.facts
    return told_json(
        error_body(facts.status, facts.detail, facts.reason),
        status=facts.status,
        headers={**facts.headers(), **_NEVER_AGAIN},
    )


_MODEL: dict[str, JsonValue] = {
    "id": "greeting", "object": "model", "created": 1795322400, "owned_by": "heartrule",
}  # fmt: skip
_WHOLE = Answer(
    description="What the script says.",
    kind=ChatCompletion,
    example=whole("chatcmpl-1", "greeting", "您好，怎么称呼您？"),
)
_STREAM = Answer(
    description="With `stream`: chunks as OpenAI writes them, then `data: [DONE]`.",
    media_type=sse.MEDIA_TYPE,
    example='data: {"object":"chat.completion.chunk","choices":[]}\n\ndata: [DONE]\n\n',
)
ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/v1/chat/completions",
        handler=complete,
        summary="Hold a scripted conversation with a client of OpenAI's API",
        tag="openai",
        body=Completion,
        body_examples={
            "a named conversation": {
                "model": "greeting",
                "user": "xiaoming",
                "messages": [{"role": "user", "content": "你好"}],
            }
        },
        answer=_WHOLE,
        more_answers=(_STREAM,),
        errors=(404, 409, 429, 503, 504),
        refusal=Refused,
        refuse=refused,
    ),
    Endpoint(
        method="GET",
        path="/v1/models",
        handler=models,
        summary="List scripts as models",
        tag="openai",
        query=NoQuery,
        answer=Answer(
            description="The scripts.", kind=Models, example={"object": "list", "data": [_MODEL]}
        ),
        refusal=Refused,
        refuse=refused,
    ),
    Endpoint(
        method="GET",
        path="/v1/models/{model}",
        handler=model,
        summary="Read a script as a model",
        tag="openai",
        answer=Answer(description="The script.", example=_MODEL),
        errors=(404,),
        refusal=Refused,
        refuse=refused,
    ),
)
