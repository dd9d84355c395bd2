"""Requests and responses of OpenAI's chat completions, for the OpenAI API at /v1.

A scripted conversation needs three of their fields: the model, which is a script; the newest
message of the user; the name of the user. Every other parameter is accepted and has no effect,
because the script decides it.
"""

from __future__ import annotations

import time
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from heartrule.domain import json_value

Object = dict[str, json_value.JsonValue]


class Sent(BaseModel):
    """Base of the requests of such clients: unknown keys are no error."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, hide_input_in_errors=True, use_attribute_docstrings=True
    )


class TextPart(Sent):
    """A piece of a message."""

    type: str
    """Parts of other types than `text` are ignored."""
    text: str = ""
    """The text."""


class PastMessage(Sent, title="ChatMessage"):
    """A message of the history that such clients send."""

    role: str
    """`user` for the client; other roles are ignored, because the session stores its history."""
    content: str | tuple[TextPart, ...] | None = None
    """The text, or its parts."""

    def plain_text(self) -> str:
        """Return the text of the message."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content or ()
        return "\n".join(part.text for part in parts if part.type == "text" and part.text)


class StreamOptions(Sent):
    """Options of a stream."""

    include_usage: bool = False
    """Whether a last chunk holds the usage."""


class Completion(Sent):
    """A request for the next reply of the assistant."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=513)]
    """The script: its id, or its id, `@` and a version."""
    messages: Annotated[tuple[PastMessage, ...], Field(min_length=1)]
    """The conversation; the newest message of the user is sent to the session."""
    stream: bool | None = None
    """Whether the reply is streamed."""
    stream_options: StreamOptions | None = None
    """Options of the stream."""
    user: Annotated[str, StringConstraints(max_length=256)] | None = None
    """The conversation's name where no header gives one, and the user's."""
    n: Literal[1] | None = None
    """One reply; more are not supported."""

    def newest_text(self) -> str:
        """Return the newest text of the user; empty where there is none."""
        return next((m.plain_text() for m in reversed(self.messages) if m.role == "user"), "")

    def script(self) -> tuple[str, str]:
        """Return id and version of the script."""
        script_id, _, version = self.model.partition("@")
        return script_id, version


class Choice(BaseModel):
    """The reply of a completion."""

    index: int
    message: dict[str, JsonValue]
    finish_reason: str
    logprobs: None = None


class ChatCompletion(BaseModel):
    """A whole reply, as OpenAI's clients read it; made by `whole`."""

    id: str
    object: str
    created: int
    model: str
    choices: list[Choice]
    usage: dict[str, JsonValue] | None = None


class Models(BaseModel):
    """The scripts, as OpenAI's clients list models."""

    object: str
    data: list[dict[str, JsonValue]]


class OpenAIError(BaseModel, title="Refused"):
    """A failure, as OpenAI's clients read it; made by `error_body`."""

    error: dict[str, JsonValue]


def usage_of(prompt_tokens: int = 0, completion_tokens: int = 0) -> Object:
    """Return the tokens that models read and wrote for a reply, as OpenAI's clients read them."""
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }


def whole(name: str, model: str, content: str, usage: Object | None = None) -> Object:
    """Return a whole reply; without `usage` it says that no tokens were used."""
    message: Object = {"role": "assistant", "content": content, "refusal": None}
    choice: Object = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **_head(name, model, "chat.completion"),
        "choices": [choice],
        "usage": usage or usage_of(),
    }


def _head(name: str, model: str, kind: str) -> Object:
    return {"id": name, "object": kind, "created": int(time.time()), "model": model}


class Chunks:
    """Encodes the frames of one stream."""

    def __init__(self, name: str, model: str) -> None:
        """`name` is the id of the reply, `model` the requested one."""
        self._head = _head(name, model, "chat.completion.chunk")

    def first(self) -> bytes:
        """Return the first frame, which holds the role."""
        return self._line({"role": "assistant", "content": ""})

    def text(self, text: str) -> bytes:
        """Return the frame of a piece of text."""
        return self._line({"content": text})

    def last(self, usage: Object | None = None) -> bytes:
        """Return the frames that end the stream; the usage has one, where it is given."""
        frames = self._line({}, finish="stop")
        if usage is not None:
            frames += _data({**self._head, "choices": [], "usage": usage})
        return frames + DONE

    def _line(self, delta: Object, finish: str | None = None) -> bytes:
        choice: Object = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _data({**self._head, "choices": [choice]})


DONE = b"data: [DONE]\n\n"


def _data(body: Object) -> bytes:
    return b"data: %b\n\n" % orjson.dumps(body)


def error_body(status: int, message: str, code: str, *, param: str | None = None) -> Object:
    """Return a failure as OpenAI's clients read it; `param` is the field that is wrong."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def error_frame(status: int, message: str, code: str) -> bytes:
    """Return the frame of a failure inside a stream."""
    return _data(error_body(status, message, code)) + DONE
