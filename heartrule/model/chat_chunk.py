"""Reads the events of a chat completion, also those of careless servers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from heartrule.domain.json_value import JsonValue

_DONE = b"[DONE]"
_UNUSUAL = (ValueError, LookupError, TypeError, AttributeError)
_loads = orjson.loads
_MOST_TOKENS = 2**31 - 1  # what the store's integer columns hold
_LONGEST_REASON = 64  # it stands in errors and in the ledger


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
    error: str = ""
    """The error that the server reported in mid-stream."""
    last: bool = False
    """True when the server sent `[DONE]`."""


def read_chunk(data: bytes) -> ChatChunk:
    """Read one event's data, or the whole answer of a server that does not stream.

    Raises:
        MalformedChunk: It is no JSON object.
    """
    value = _object(_load(data))
    if value is None:
        raise MalformedChunk("an event is not a JSON object")
    error = value.get("error")
    if error:
        return ChatChunk(error=_error_text(error))
    usage = _object(value.get("usage")) or {}
    choice = _first_choice(value.get("choices"))
    delta = _object(choice.get("delta")) or _object(choice.get("message")) or {}
    return ChatChunk(
        text=_text(delta.get("content")),
        finish_reason=_text(choice.get("finish_reason"))[:_LONGEST_REASON],
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def read_events(events: Sequence[bytes]) -> ChatChunk:
    """Return what events up to [DONE] say together: all text, and the last of all else.

    The first error ends the reading; it stands beside the text before it.
    """
    gathered = _Gathered()
    for data in events:
        plain = _plain_text(data)
        if plain is not None:
            gathered.texts.append(plain)
        elif not gathered.take(data):
            break
    return gathered.chunk()


def _plain_text(data: bytes) -> str | None:
    """Return the text of an event that holds nothing else that counts; None for any other."""
    try:
        value = _loads(data)
        choice = value["choices"][0]
        text = choice["delta"]["content"]
        more = choice.get("finish_reason") or value.get("usage") or value.get("error")
    except _UNUSUAL:
        return None
    return text if text.__class__ is str and not more else None


class _Gathered:
    """The joined content of several events."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._finish_reason = ""
        self._prompt_tokens = 0
        self._completion_tokens = 0
        self._error = ""
        self._last = False

    def take(self, data: bytes) -> bool:
        """Add an event of any kind; False where nothing that follows counts."""
        if data == _DONE:
            self._last = True
            return False
        try:
            chunk = read_chunk(data)
        except MalformedChunk as error:
            chunk = ChatChunk(error=str(error))
        self.texts.append(chunk.text)
        self._finish_reason = chunk.finish_reason or self._finish_reason
        self._prompt_tokens = chunk.prompt_tokens or self._prompt_tokens
        self._completion_tokens = chunk.completion_tokens or self._completion_tokens
        self._error = chunk.error
        return not chunk.error

    def chunk(self) -> ChatChunk:
        """Return it all as one."""
        return ChatChunk(
            text="".join(self.texts),
            finish_reason=self._finish_reason,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            error=self._error,
            last=self._last,
        )


class SurrogateJoiner:
    """Joins a character whose two halves a server sent as two deltas."""

    def __init__(self) -> None:
        """Start with nothing held."""
        self._high = ""

    def join(self, text: str) -> str:
        """Return the text without a half character at its end, which waits for the next call."""
        if text.isascii() and not self._high:
            return text
        whole = self._high + text
        self._high = ""
        if whole and "\ud800" <= whole[-1] <= "\udbff":
            whole, self._high = whole[:-1], whole[-1]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


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
