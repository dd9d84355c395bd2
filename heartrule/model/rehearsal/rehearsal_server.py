"""The rehearsal model behind HTTP: `/v1/chat/completions` and `/v1/models`."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.answering import answer
from heartrule.model.rehearsal.task import Refusal

# Environment variable: milliseconds after each streamed piece; 0 or absent is instant.
PACE_VARIABLE = "HEARTRULE_REHEARSAL_PACE_MS"
_MAX_BODY_BYTES = 64 * 1024 * 1024  # a prompt whose window holds the largest inputs
_JSON = "application/json"

# The one model this server has.
MODEL = "heartrule-rehearsal"
# Characters in one streamed piece, about what a token of Chinese text and JSON holds.
CHUNK_CHARS = 4
_MAX_CHUNKS = 8192  # a reply with the largest input streams within seconds


class _Ignoring(BaseModel):
    """Base of what a request holds; parameters without a use here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Part(_Ignoring):
    type: str
    text: str = ""


class _Message(_Ignoring):
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[_Part] | None = None

    def chat_message(self) -> ChatMessage:
        text = self.content
        if not isinstance(text, str):
            text = "".join(part.text for part in text or () if part.type == "text")
        return ChatMessage(role="system" if self.role == "developer" else self.role, content=text)


class _StreamOptions(_Ignoring):
    include_usage: bool = False


class _Request(_Ignoring):
    messages: list[_Message]
    model: str = MODEL
    stream: bool = False
    stream_options: _StreamOptions = _StreamOptions()


class RehearsalCompletion(_Ignoring):
    """One answered request."""

    text: str
    request: _Request

    def usage(self) -> dict[str, JsonValue]:
        """Return the usage block; characters stand in for tokens."""
        prompt = sum(len(message.chat_message().content) for message in self.request.messages)
        own = len(self.text)
        return {"prompt_tokens": prompt, "completion_tokens": own, "total_tokens": prompt + own}


def complete(body: bytes) -> RehearsalCompletion | Refusal:
    """Return the answer to the body of a chat request, or why there is none."""
    try:
        request = _Request.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        return Refusal(code="invalid_request", message=f"{place}: {first['msg']}")
    reply = answer([message.chat_message() for message in request.messages])
    if isinstance(reply, Refusal):
        return reply
    return RehearsalCompletion(text=reply, request=request)


def whole_body(completion: RehearsalCompletion) -> bytes:
    """Return the body of an answer that is not streamed."""
    message: JsonValue = {"role": "assistant", "content": completion.text}
    return _json(
        _head(completion, "chat.completion")
        | {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": completion.usage(),
        }
    )


def frames(completion: RehearsalCompletion) -> Iterator[bytes]:
    """Yield the server-sent events of a streamed answer, `[DONE]` last."""
    head = _head(completion, "chat.completion.chunk")

    def event(delta: dict[str, JsonValue], finish_reason: str | None = None) -> bytes:
        choice: JsonValue = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return b"data: %b\n\n" % _json(head | {"choices": [choice]})

    yield event({"role": "assistant", "content": ""})
    for piece in pieces(completion.text):
        yield event({"content": piece})
    yield event({}, "stop")
    if completion.request.stream_options.include_usage:
        yield b"data: %b\n\n" % _json(head | {"choices": [], "usage": completion.usage()})
    yield b"data: [DONE]\n\n"


def pieces(text: str) -> Sequence[str]:
    """Cut a text into equal pieces, longer ones only where there would be too many."""
    size = max(CHUNK_CHARS, -(-len(text) // _MAX_CHUNKS))
    return [text[start : start + size] for start in range(0, len(text), size)]


def error_body(refusal: Refusal) -> bytes:
    """Return an error as OpenAI's clients read it."""
    kind = {"type": "invalid_request_error", "param": "messages"}
    return _json({"error": {**kind, "message": refusal.message, "code": refusal.code}})


def models_body() -> bytes:
    """Return the list of models."""
    model: JsonValue = {"id": MODEL, "object": "model", "created": 0, "owned_by": "heartrule"}
    return _json({"object": "list", "data": [model]})


def _head(completion: RehearsalCompletion, kind: str) -> dict[str, JsonValue]:
    number = f"chatcmpl-{zlib.crc32(completion.text.encode()):08x}"
    return {"id": number, "object": kind, "created": 0, "model": completion.request.model}


def _json(data: dict[str, JsonValue]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A server that answers until it is closed."""

    host: str
    port: int
    runner: web.AppRunner

    @property
    def base_url(self) -> str:
        """Return the address for OPENAI_BASE_URL."""
        return f"http://{self.host}:{self.port}/v1"

    async def aclose(self) -> None:
        """Stop listening, cut what is still streaming, and free the port."""
        await self.runner.cleanup()


async def serve(host: str = "127.0.0.1", port: int = 0, *, pace_s: float = 0.0) -> RunningServer:
    """Start the server in the running loop.

    Args:
        host: Address to listen on.
        port: 0 takes any free one; the result holds the one taken.
        pace_s: Seconds after each streamed piece.

    Raises:
        OSError: The address is taken or not ours.
    """
    runner = web.AppRunner(application(pace_s=pace_s), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except BaseException:  # whatever stopped the start, the runner must not stay behind
        await runner.cleanup()
        raise
    return RunningServer(host=host, port=int(runner.addresses[0][1]), runner=runner)


def application(*, pace_s: float = 0.0) -> web.Application:
    """Return the routes."""
    app = web.Application(client_max_size=_MAX_BODY_BYTES)
    app.router.add_post("/v1/chat/completions", partial(_chat, pace_s=pace_s))
    app.router.add_get("/v1/models", _models)
    return app


def pace_from_environment(environment: Mapping[str, str]) -> float:
    """Return the pace in seconds that the environment asks for.

    Raises:
        InvalidRequest: The variable is no whole number of milliseconds from 0 to 60,000.
    """
    text = environment.get(PACE_VARIABLE, "").strip() or "0"
    if not (text.isascii() and text.isdigit()) or int(text) > 60_000:
        raise InvalidRequest(
            f"{PACE_VARIABLE} must be a whole number of milliseconds from 0 to 60000, not {text!r}",
            reason="INVALID_SETTING",
            metadata={"variable": PACE_VARIABLE},
        )
    return int(text) / 1000


async def _chat(request: web.Request, *, pace_s: float) -> web.StreamResponse:
    result = complete(await request.read())
    if isinstance(result, Refusal):
        return web.Response(status=400, body=error_body(result), content_type=_JSON)
    if not result.request.stream:
        return web.Response(body=whole_body(result), content_type=_JSON)
    return await _stream(request, result, pace_s=pace_s)


async def _stream(
    request: web.Request, completion: RehearsalCompletion, *, pace_s: float
) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
    )
    with suppress(ConnectionResetError):  # the caller closed the connection
        await response.prepare(request)
        if not pace_s:
            # All events in one write, so that the instant model costs next to nothing.
            await response.write(b"".join(frames(completion)))
        for frame in frames(completion) if pace_s else ():
            await response.write(frame)
            await asyncio.sleep(pace_s)
        await response.write_eof()
    return response


async def _models(_: web.Request) -> web.Response:
    return web.Response(body=models_body(), content_type=_JSON)
