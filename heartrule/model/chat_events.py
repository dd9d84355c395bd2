"""The events of a chat completion, read; also those of careless servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from heartrule.domain.json_value import JsonValue
from heartrule.model.context_errors import ContextExceeded, context_exceeded

_DONE = b"[DONE]"
_MOST_TOKENS = 2**31 - 1  # what the store's integer columns hold
_LONGEST_REASON = 64  # errors and the ledger show it


class MalformedChunk(ValueError):
    """An event is not the JSON it should be."""


@dataclass(slots=True, kw_only=True)
class ChatChunk:
    """The content of one event or of several; a field the server left out is empty."""

    text: str = ""
    """What the model wrote."""
    finish_reason: str = ""
    """Why it stopped; only in the last chunk with text."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_chars: int = 0
    """Characters of thoughts that came beside the text; the thoughts themselves are not kept."""
    reasoning_tokens: int = 0
    error: str = ""
    """The error that the server reported in mid-stream."""
    unreadable: bool = False
    """True where the error is that an event is no JSON object."""
    exceeded: ContextExceeded | None = None
    """What the error says of a prompt that is too long."""
    last: bool = False
    """True when the server sent `[DONE]`."""


def read_chunk(data: bytes) -> ChatChunk:
    """Read one event's data, or the whole answer of a server that does not stream.

    Raises:
        MalformedChunk: It is no JSON object.
    """
    chunk = ChatChunk()
    chunk.text = _take(data, chunk)
    return chunk


def read_events(events: Sequence[bytes]) -> ChatChunk:
    """Return the content of events up to [DONE]: all text, and the last of all else.

    The first error ends the reading; the text before it is kept.
    """
    chunk, texts = ChatChunk(), list[str]()
    for data in events:
        if data == _DONE:
            chunk.last = True
            break
        try:
            texts.append(_take(data, chunk))
        except MalformedChunk as error:
            chunk.error, chunk.unreadable = str(error), True
        if chunk.error:
            break
    chunk.text = "".join(texts)
    return chunk


def _take(data: bytes, into: ChatChunk) -> str:
    """Return the text of an event, and put all else that it says into the chunk.

    Raises:
        MalformedChunk: It is no JSON object.
    """
    value = _object(_load(data))
    if value is None:
        raise MalformedChunk("an event is not a JSON object")
    if error := value.get("error"):
        into.error, into.exceeded = _error_text(error), context_exceeded(error)
        return ""
    choice = _first_choice(value.get("choices"))
    delta = _object(choice.get("delta")) or _object(choice.get("message")) or {}
    into.reasoning_chars += reasoning_chars(delta)
    if reason := choice.get("finish_reason"):
        into.finish_reason = _text(reason)[:_LONGEST_REASON] or into.finish_reason
    if usage := _object(value.get("usage")):
        into.prompt_tokens = _count(usage.get("prompt_tokens")) or into.prompt_tokens
        into.completion_tokens = _count(usage.get("completion_tokens")) or into.completion_tokens
        details = _object(usage.get("completion_tokens_details")) or {}
        into.reasoning_tokens = _count(details.get("reasoning_tokens")) or into.reasoning_tokens
    return _text(delta.get("content"))


def reasoning_chars(delta: Mapping[str, JsonValue]) -> int:
    """Return the length of the thoughts in a delta; servers name them in two ways."""
    return len(_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")))


def _load(data: bytes) -> JsonValue:
    value: JsonValue
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            # orjson refuses lone surrogates, which some servers send in halves.
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise MalformedChunk("an event is not JSON") from error
    return value


def _object(value: JsonValue) -> Mapping[str, JsonValue] | None:
    return value if isinstance(value, dict) else None


def _first_choice(choices: JsonValue) -> Mapping[str, JsonValue]:
    return (_object(choices[0]) or {}) if isinstance(choices, list) and choices else {}


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _count(value: JsonValue) -> int:
    """Return a number of tokens as every store and every client takes it; nonsense counts 0."""
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else 0


def _error_text(error: JsonValue) -> str:
    fields = _object(error)
    return (_text(fields.get("message")) if fields else _text(error)) or "error"
