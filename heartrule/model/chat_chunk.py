"""What one event of a chat completion says, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

import orjson

from heartrule.domain.json_value import JsonValue

_DONE = b"[DONE]"


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
    """What the server says went wrong in mid-stream."""
    last: bool = False
    """True when the server said that nothing follows."""


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
    said = _object(choice.get("delta")) or _object(choice.get("message")) or {}
    return ChatChunk(
        text=_text(said.get("content")),
        finish_reason=_text(choice.get("finish_reason")),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def read_events(events: Iterable[bytes]) -> ChatChunk:
    """Return what events up to [DONE] say together: all text, and the last of all else.

    The first error ends the reading; it is told beside what was said before it.
    """
    texts: list[str] = []
    finish_reason, prompt_tokens, completion_tokens = "", 0, 0
    error, last = "", False
    for data in events:
        if data == _DONE:
            last = True
            break
        chunk = _read(data)
        if isinstance(chunk, str):
            texts.append(chunk)
            continue
        if chunk.error:
            error = chunk.error
            break
        texts.append(chunk.text)
        finish_reason = chunk.finish_reason or finish_reason
        prompt_tokens = chunk.prompt_tokens or prompt_tokens
        completion_tokens = chunk.completion_tokens or completion_tokens
    return ChatChunk(
        text="".join(texts),
        finish_reason=finish_reason,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        error=error,
        last=last,
    )


def _read(data: bytes) -> ChatChunk | str:
    """Return what one event says; its text alone where it has nothing else, as hundreds do."""
    try:
        value = orjson.loads(data)
        choice = value["choices"][0]
        text = choice["delta"]["content"]
        bare = type(text) is str and not choice.get("finish_reason")
        if bare and not value.get("usage") and not value.get("error"):
            return cast("str", text)
    except (ValueError, LookupError, TypeError, AttributeError):
        pass  # the careful reader tells what it is
    try:
        return read_chunk(data)
    except MalformedChunk as error:
        return ChatChunk(error=str(error))


class SurrogateJoiner:
    """Joins a character whose two halves a server sent as two deltas."""

    def __init__(self) -> None:
        """Hold nothing yet."""
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
    return value if isinstance(value, int) else 0


def _error_text(error: JsonValue) -> str:
    fields = _object(error)
    return (_text(fields.get("message")) if fields else _text(error)) or "error"
