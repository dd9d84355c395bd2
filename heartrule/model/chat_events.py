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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatChunk:
    """One event, read; a field the server left out is empty."""

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
    gathered = _Gathered()
    gathered.read(data)
    return gathered.chunk()


def read_events(events: Sequence[bytes]) -> ChatChunk:
    """Return the content of events up to [DONE]: all text, and the last of all else.

    The first error ends the reading; the text before it is kept.
    """
    gathered = _Gathered()
    for data in events:
        if not gathered.take(data):
            break
    return gathered.chunk()


class _Gathered:
    """The joined content of several events."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._finish_reason = ""
        self._prompt_tokens = 0
        self._completion_tokens = 0
        self._reasoning_chars = 0
        self._reasoning_tokens = 0
        self._error = ""
        self._unreadable = False
        self._exceeded: ContextExceeded | None = None
        self._last = False

    def take(self, data: bytes) -> bool:
        """Add an event of any kind; False where nothing that follows counts."""
        if data == _DONE:
            self._last = True
            return False
        try:
            self.read(data)
        except MalformedChunk as error:
            self._error, self._unreadable = str(error), True
        return not self._error

    def read(self, data: bytes) -> None:
        """Add an event that is a JSON object, else MalformedChunk; a reply has a hundred."""
        value = _object(_load(data))
        if value is None:
            raise MalformedChunk("an event is not a JSON object")
        if error := value.get("error"):
            self._error, self._exceeded = _error_text(error), context_exceeded(error)
            return
        choice = _first_choice(value.get("choices"))
        delta = _object(choice.get("delta")) or _object(choice.get("message")) or {}
        self._texts.append(_text(delta.get("content")))
        self._reasoning_chars += reasoning_chars(delta)
        if reason := choice.get("finish_reason"):
            self._finish_reason = _text(reason)[:_LONGEST_REASON] or self._finish_reason
        if usage := _object(value.get("usage")):
            self._prompt_tokens = _count(usage.get("prompt_tokens")) or self._prompt_tokens
            written = _count(usage.get("completion_tokens"))
            self._completion_tokens = written or self._completion_tokens
            details = _object(usage.get("completion_tokens_details")) or {}
            thought = _count(details.get("reasoning_tokens"))
            self._reasoning_tokens = thought or self._reasoning_tokens

    def chunk(self) -> ChatChunk:
        """Return it all as one."""
        return ChatChunk(
            text="".join(self._texts),
            finish_reason=self._finish_reason,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            reasoning_chars=self._reasoning_chars,
            reasoning_tokens=self._reasoning_tokens,
            error=self._error,
            unreadable=self._unreadable,
            exceeded=self._exceeded,
            last=self._last,
        )


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
