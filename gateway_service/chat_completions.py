"""Requests and responses of OpenAI's chat completions, for the OpenAI API at /v1.

Only what a scripted conversation needs is read: the model, which is a script; the newest message of
the user; the name of the user. Every other parameter is accepted and has no effect, because the
script decides it.
"""

from __future__ import annotations

import time
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from heartrule.domain import json_value

Object = dict[str, json_value.JsonValue]


class Sent(BaseModel):
    """Base of what such clients send: unknown keys are no error."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, hide_input_in_errors=True, use_attribute_docstrings=True
    )


class TextPart(Sent):
    """A piece of a message."""

    type: str
    """Only `text` is heard."""
    text: str = ""
    """What is said."""


class PastMessage(Sent, title="ChatMessage"):
    """A message of the history such clients send along."""

    role: str
    """`user` for the person; the others are the history's, which the session knows better."""
    content: str | tuple[TextPart, ...] | None = None
    """What is said."""

    def words(self) -> str:
        """Return what is said in words."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content or ()
        return "\n".join(part.text for part in parts if part.type == "text" and part.text)


class StreamOptions(Sent):
    """How a stream is told."""

    include_usage: bool = False
    """Whether a last chunk with usage is wanted."""


class Completion(Sent):
    """A request for what the assistant says next."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=513)]
    """The script: its id, or its id, `@` and a version."""
    messages: Annotated[tuple[PastMessage, ...], Field(min_length=1)]
    """The conversation; the newest message of the user is said to the session."""
    stream: bool | None = None
    """Whether the answer is wanted as it is written."""
    stream_options: StreamOptions | None = None
    """How."""
    user: Annotated[str, StringConstraints(max_length=256)] | None = None
    """Names the conversation, where no header does; and the person."""
    n: Literal[1] | None = None
    """One answer, no more."""

    def newest_words(self) -> str:
        """Return the newest words of the user; empty where there are none."""
        return next((m.words() for m in reversed(self.messages) if m.role == "user"), "")

    def script(self) -> tuple[str, str]:
        """Return id and version of the script."""
        script_id, _, version = self.model.partition("@")
        return script_id, version


class Choice(BaseModel):
    """The one answer."""

    index: int
    message: dict[str, JsonValue]
    finish_reason: str
    logprobs: None = None


class ChatCompletion(BaseModel):
    """A whole answer, as OpenAI's clients read it; made by `whole`."""

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


def whole(name: str, model: str, content: str) -> Object:
    """Return a whole answer."""
    message: Object = {"role": "assistant", "content": content, "refusal": None}
    choice: Object = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {**_head(name, model, "chat.completion"), "choices": [choice], "usage": _usage()}


def _head(name: str, model: str, kind: str) -> Object:
    return {"id": name, "object": kind, "created": int(time.time()), "model": model}


def _usage() -> Object:
    """Return zeros: a script's turn may call several models, and the ledger has their figures."""
    return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


class Chunks:
    """Writes the frames of one stream; what never changes is written once."""

    def __init__(self, name: str, model: str) -> None:
        """`name` is the answer's id, `model` what was asked for."""
        self._head = _head(name, model, "chat.completion.chunk")
        # One chunk is encoded here and split at a mark, so that a token costs one small encoding.
        before, after = self._line({"content": "\x00"}).split(rb'"\u0000"')
        self._before, self._after = before, after

    def first(self) -> bytes:
        """Return the first frame, which holds the role."""
        return self._line({"role": "assistant", "content": ""})

    def words(self, text: str) -> bytes:
        """Return the frame of some words."""
        return b"%b%b%b" % (self._before, orjson.dumps(text), self._after)

    def last(self, *, usage: bool) -> bytes:
        """Return the frames that end the stream."""
        frames = self._line({}, finish="stop")
        if usage:
            frames += _data({**self._head, "choices": [], "usage": _usage()})
        return frames + DONE

    def _line(self, delta: Object, finish: str | None = None) -> bytes:
        choice: Object = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _data({**self._head, "choices": [choice]})


DONE = b"data: [DONE]\n\n"


def _data(body: Object) -> bytes:
    return b"data: %b\n\n" % orjson.dumps(body)


def error_body(status: int, message: str, code: str) -> Object:
    """Return a failure as OpenAI's clients read it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def error_frame(status: int, message: str, code: str) -> bytes:
    """Return the frame of a failure inside a stream."""
    return _data(error_body(status, message, code)) + DONE
