"""The OpenAI protocol around the rehearsal model, as pure functions over bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.answering import answer
from heartrule.model.rehearsal.task import Refusal

MODEL = "heartrule-rehearsal"
"""The one model this server has."""
CHUNK_CHARS = 4
"""Characters in one streamed piece, about what a token of Chinese text and JSON holds."""
_MAX_CHUNKS = 8192  # a reply with the largest input streams within seconds


class _Ignoring(BaseModel):
    """Base of what a request holds; parameters without a use here are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RehearsalCompletion(_Ignoring):
    """One answered request."""

    text: str
    model: str
    stream: bool
    include_usage: bool
    prompt_chars: int

    def usage(self) -> dict[str, JsonValue]:
        """Return the usage block; characters stand in for tokens."""
        prompt, own = self.prompt_chars, len(self.text)
        return {"prompt_tokens": prompt, "completion_tokens": own, "total_tokens": prompt + own}


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


def complete(body: bytes) -> RehearsalCompletion | Refusal:
    """Return the answer to the body of a chat request, or why there is none."""
    try:
        request = _Request.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        return Refusal(code="invalid_request", message=f"{place}: {first['msg']}")
    messages = [message.chat_message() for message in request.messages]
    reply = answer(messages)
    if isinstance(reply, Refusal):
        return reply
    return RehearsalCompletion(
        text=reply,
        model=request.model,
        stream=request.stream,
        include_usage=request.stream_options.include_usage,
        prompt_chars=sum(len(message.content) for message in messages),
    )


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
    if completion.include_usage:
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
    return {"id": number, "object": kind, "created": 0, "model": completion.model}


def _json(data: dict[str, JsonValue]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
