"""The OpenAI protocol around the rehearsal model, as pure functions over bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.policy import answer
from heartrule.model.rehearsal.task import Refusal

MODEL = "heartrule-rehearsal"
"""The one model this server has."""
CHUNK_CHARS = 4
"""Characters in one streamed piece, about what a token of Chinese text and JSON holds."""
_MAX_CHUNKS = 8192
_DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answered request."""

    text: str
    model: str
    stream: bool
    include_usage: bool
    prompt_chars: int

    @property
    def completion_id(self) -> str:
        """Return an id that is the same for the same answer."""
        return f"chatcmpl-{zlib.crc32(self.text.encode()):08x}"

    def usage(self) -> dict[str, JsonValue]:
        """Return the usage block; characters stand in for tokens."""
        prompt, own = self.prompt_chars, len(self.text)
        return {"prompt_tokens": prompt, "completion_tokens": own, "total_tokens": prompt + own}


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")
    type: str
    text: str = ""


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[_Part] | None = None

    def chat_message(self) -> ChatMessage:
        text = self.content
        if not isinstance(text, str):
            text = "".join(part.text for part in text or () if part.type == "text")
        role = "system" if self.role == "developer" else self.role
        return ChatMessage(role=role, content=text)


class _StreamOptions(BaseModel):
    model_config = ConfigDict(extra="ignore")
    include_usage: bool = False


class _Request(BaseModel):
    """A chat request; every parameter this model has no use for is ignored."""

    model_config = ConfigDict(extra="ignore")
    messages: list[_Message]
    model: str = MODEL
    stream: bool = False
    stream_options: _StreamOptions | None = None


def complete(body: bytes) -> Completion | Refusal:
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
    options = request.stream_options or _StreamOptions()
    return Completion(
        text=reply,
        model=request.model,
        stream=request.stream,
        include_usage=options.include_usage,
        prompt_chars=sum(len(message.content) for message in messages),
    )


def whole_body(completion: Completion) -> bytes:
    """Return the body of an answer that is not streamed."""
    choice: JsonValue = {
        "index": 0,
        "message": {"role": "assistant", "content": completion.text},
        "finish_reason": "stop",
    }
    head = _head(completion, kind="chat.completion")
    return _json(head | {"choices": [choice], "usage": completion.usage()})


def frames(completion: Completion) -> Iterator[bytes]:
    """Yield the server-sent events of a streamed answer, `[DONE]` last."""
    head = _head(completion, kind="chat.completion.chunk")
    yield _frame(head, delta={"role": "assistant", "content": ""})
    for piece in pieces(completion.text):
        yield _frame(head, delta={"content": piece})
    yield _frame(head, delta={}, finish_reason="stop")
    if completion.include_usage:
        yield _event(head | {"choices": [], "usage": completion.usage()})
    yield _DONE


def pieces(text: str) -> Sequence[str]:
    """Cut a text into equal pieces, longer ones only where there would be too many."""
    size = max(CHUNK_CHARS, -(-len(text) // _MAX_CHUNKS))
    return [text[start : start + size] for start in range(0, len(text), size)]


def error_body(refusal: Refusal) -> bytes:
    """Return an error as OpenAI's clients read it."""
    error: dict[str, JsonValue] = {
        "message": refusal.message,
        "type": "invalid_request_error",
        "param": "messages",
        "code": refusal.code,
    }
    return _json({"error": error})


def models_body() -> bytes:
    """Return the list of models."""
    model: JsonValue = {"id": MODEL, "object": "model", "created": 0, "owned_by": "heartrule"}
    return _json({"object": "list", "data": [model]})


def _head(completion: Completion, *, kind: str) -> dict[str, JsonValue]:
    return {
        "id": completion.completion_id,
        "object": kind,
        "created": 0,
        "model": completion.model,
    }


def _frame(
    head: dict[str, JsonValue], *, delta: dict[str, JsonValue], finish_reason: str | None = None
) -> bytes:
    choice: JsonValue = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return _event(head | {"choices": [choice]})


def _event(data: dict[str, JsonValue]) -> bytes:
    return b"data: " + _json(data) + b"\n\n"


def _json(data: dict[str, JsonValue]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
