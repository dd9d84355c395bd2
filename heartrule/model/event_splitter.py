"""The events of a stream, split out of its bytes.

Bytes may be cut anywhere, also inside a character: they are joined before anything is decoded.
Lines may end with LF, CR or CRLF; data may have several lines. The work is linear in the bytes.
"""

from __future__ import annotations

# One event larger than this ends the stream: a reply of 1 MiB fits, escaped as badly as can be.
MAX_EVENT_BYTES = 8 * 1024 * 1024
# Replaces an event that is named error, whatever its data: most servers send an error in this form.
ERROR_EVENT = b'{"error":"error"}'


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
