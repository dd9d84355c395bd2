"""The events of a chat completion: split out of bytes, then read, also those of careless servers.

Bytes may be cut anywhere, also inside a character: they are joined before anything is decoded.
Lines may end with LF, CR or CRLF; data may have several lines. The work is linear in the bytes.
"""

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
# One event larger than this ends the stream: a reply of 1 MiB fits, escaped as badly as can be.
MAX_EVENT_BYTES = 8 * 1024 * 1024
# Replaces an event that is named error, whatever its data: most servers send an error in this form.
ERROR_EVENT = b'{"error":"error"}'


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
        self._error = ""
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
            self._error = str(error)
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
        if reason := choice.get("finish_reason"):
            self._finish_reason = _text(reason)[:_LONGEST_REASON] or self._finish_reason
        if usage := _object(value.get("usage")):
            self._prompt_tokens = _count(usage.get("prompt_tokens")) or self._prompt_tokens
            written = _count(usage.get("completion_tokens"))
            self._completion_tokens = written or self._completion_tokens

    def chunk(self) -> ChatChunk:
        """Return it all as one."""
        return ChatChunk(
            text="".join(self._texts),
            finish_reason=self._finish_reason,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            error=self._error,
            exceeded=self._exceeded,
            last=self._last,
        )


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


class EventTooLarge(ValueError):
    """One event passes `MAX_EVENT_BYTES`."""


class EventSplitter:
    """Feed it bytes, it returns the data of whole events, lines of one event joined by LF."""

    def __init__(self) -> None:
        """Start before the first byte."""
        self._parts: list[bytes] = []
        self._size = 0
        self._skip_line_feed = False
        self._data: list[bytes] = []
        self._name = ""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the events that these bytes complete.

        Raises:
            EventTooLarge: An event grows past all bounds.
        """
        if self._skip_line_feed and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._skip_line_feed = False
        self._parts.append(chunk)
        self._size += len(chunk)
        if self._size > MAX_EVENT_BYTES:
            raise EventTooLarge(f"an event has more than {MAX_EVENT_BYTES} bytes")
        if b"\n" not in chunk and b"\r" not in chunk:
            return []
        text = b"".join(self._parts)
        self._skip_line_feed = text.endswith(b"\r")
        lines = text.splitlines()
        rest = b"" if not text or text.endswith((b"\n", b"\r")) else lines.pop()
        self._parts = [rest]
        return [event for line in lines if (event := self._line(line)) is not None]

    def finish(self) -> list[bytes]:
        """Return the event that was not closed by an empty line, when the stream has ended."""
        last = b"".join(self._parts)
        self._parts = []
        if last:
            self._line(last)
        event = self._line(b"")
        return [] if event is None else [event]

    def _line(self, line: bytes) -> bytes | None:
        if not line:
            return self._close()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        return None

    def _close(self) -> bytes | None:
        self._size = sum(map(len, self._parts))
        data, name = self._data, self._name
        self._data, self._name = [], ""
        if not data:
            return None
        joined = b"\n".join(data)
        # Data that says itself that it is an error may say why as well.
        return ERROR_EVENT if name == "error" and b'"error"' not in joined else joined
