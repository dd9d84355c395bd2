"""Server-sent events out of bytes that are cut anywhere, also inside a character.

Lines may end with LF, CR or CRLF, data may have several lines. Bytes are joined before anything is
decoded, so a cut inside a character does no harm. Work is linear in the bytes received.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_EVENT_BYTES = 8 * 1024 * 1024
"""One event larger than this ends the stream: a reply of 1 MiB fits, escaped as badly as can be."""


_PLAIN = re.compile(rb"(?:data: [^\r\n]++\n\n)++")
"""Whole events of one data line each, as nearly every server writes them."""


class EventTooLarge(ValueError):
    """One event passes `MAX_EVENT_BYTES`."""


class ServerEvent(NamedTuple):
    """One event; a tuple, since a reply has hundreds."""

    data: bytes
    """Its data lines, joined by LF."""
    name: str = ""
    """The `event:` field; empty for an ordinary one."""


class EventSplitter:
    """Feed it bytes, it returns whole events."""

    def __init__(self) -> None:
        """Begin before the first byte."""
        self._parts: list[bytes] = []
        self._size = 0
        self._skip_line_feed = False
        self._data: list[bytes] = []
        self._name = ""

    def feed(self, chunk: bytes) -> list[ServerEvent]:
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
        events: list[ServerEvent] = []
        if not self._data and not self._name and (plain := _PLAIN.match(text)):
            events = [ServerEvent(line[6:]) for line in plain[0][:-2].split(b"\n\n")]
            text = text[plain.end() :]
            self._size = len(text)
        self._skip_line_feed = text.endswith(b"\r")
        lines = text.splitlines()
        rest = b"" if not text or text.endswith((b"\n", b"\r")) else lines.pop()
        self._parts = [rest]
        events += [event for line in lines if (event := self._line(line)) is not None]
        return events

    def finish(self) -> list[ServerEvent]:
        """Return the event that was not closed by an empty line, when the stream has ended."""
        last = b"".join(self._parts)
        self._parts = []
        if last:
            self._line(last)
        event = self._line(b"")
        return [] if event is None else [event]

    def _line(self, line: bytes) -> ServerEvent | None:
        if not line:
            return self._close()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        return None

    def _close(self) -> ServerEvent | None:
        self._size = sum(map(len, self._parts))
        event = ServerEvent(b"\n".join(self._data), self._name) if self._data else None
        self._data = []
        self._name = ""
        return event
