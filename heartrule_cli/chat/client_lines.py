"""A client's lines: the interface, and lines of any stream that is not a terminal."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from collections.abc import Iterator
from typing import Protocol

# Bytes kept of a line: of a longer one its beginning and its end, since no server accepts it.
LONGEST_LINE = 2_097_152
_READ = 65_536
# Lines read ahead: a file of any size takes bounded memory.
_AHEAD = 1_000
# Nobody writes so fast: lines without such a pause between them were prepared.
_PAUSE_S = 0.3


class Lines(Protocol):
    """The client's messages, one after the other."""

    @property
    def attended(self) -> bool:
        """True where a person reads the answers and decides."""

    @property
    def live(self) -> bool:
        """True where somebody wrote the last message now; False for a prepared conversation."""

    def ask(self) -> None:
        """Show that the next message is wanted now, where there is somebody to show it to."""

    async def next(self) -> str | None:
        """Return the next message; None at the end."""

    def close(self) -> None:
        """Stop reading."""


class StreamLines:
    """The lines of a file descriptor, read by a daemon thread that is never joined.

    What comes before the first pause was prepared, each line to answer the turn before it: a
    file, the words of a `printf`. Except for a single line behind which the stream stays open.
    """

    attended = False

    def __init__(self, descriptor: int | None) -> None:
        """Read nothing before the first `next`; None is an empty stream."""
        self.live = False
        self._descriptor = descriptor
        self._queue: asyncio.Queue[tuple[str | None, bool]] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._started = False
        self._ended = descriptor is None

    def ask(self) -> None:
        """Nobody watches."""

    async def next(self) -> str | None:
        """Return the next line that is not blank, without its line break; None at the end."""
        self._start()
        while not self._ended:
            line, self.live = await self._queue.get()
            self._room.release()
            if line is None:
                self._ended = True
            elif line.strip():
                return line
        return None

    def close(self) -> None:
        """Stop reading; the thread ends with the process."""
        self._ended = True

    def _start(self) -> None:
        if self._started or self._descriptor is None:
            return
        self._started = True
        loop = asyncio.get_running_loop()
        reader = threading.Thread(
            target=self._read_all, args=(loop, self._descriptor), name="stdin", daemon=True
        )
        reader.start()

    def _read_all(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        def put(line: str | None, *, live: bool) -> None:
            self._room.acquire()
            loop.call_soon_threadsafe(self._queue.put_nowait, (line, live))

        try:
            live, count = os.isatty(descriptor), 0
            for lines in batches(descriptor):
                count += len(lines)
                paused = live or _pauses(descriptor)
                for line in lines:
                    put(line, live=live or (paused and count == 1))
                live = paused
            put(None, live=live)
        except RuntimeError:  # the loop is closed
            return


def _pauses(descriptor: int) -> bool:
    """Return whether nothing comes for a while, not even the end."""
    try:
        return not select.select([descriptor], [], [], _PAUSE_S)[0]
    except (OSError, ValueError):  # Windows waits for sockets alone
        return False


def batches(descriptor: int) -> Iterator[list[str]]:
    """Yield the lines that each read completes; bytes that are no UTF-8 become U+FFFD.

    Read without Python's own buffers: a thread that waits in one of them would keep the process
    from ending.
    """
    kept = bytearray()
    first = True
    while chunk := _read(descriptor):
        *whole, last = chunk.split(b"\n")
        lines = []
        for part in whole:
            _add(kept, part)
            lines.append(_text(kept, first=first))
            kept.clear()
            first = False
        _add(kept, last)
        yield lines
    if kept:
        yield [_text(kept, first=first)]


def shortened(line: str, most_bytes: int) -> str:
    """Return the beginning and the end of a longer line, in so many bytes and a line break."""
    if len(line) <= most_bytes // 4 or len(data := line.encode(errors="replace")) <= most_bytes:
        return line
    begun, end = data[: most_bytes // 2], data[-(most_bytes // 2) :]
    return "\n".join(part.decode(errors="ignore") for part in (begun, end))


def _add(kept: bytearray, more: bytes) -> None:
    """Add to a line, whose middle is dropped where it is too long."""
    kept += more
    if len(kept) > LONGEST_LINE:
        del kept[LONGEST_LINE // 2 : -LONGEST_LINE // 2]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ)
    except OSError:  # closed, or not ours to read: nothing comes from it
        return b""


def without_surrogates(line: str) -> str:
    """Return a line of a terminal in which bytes that are no text are marked.

    In the C locale Python keeps them as lone surrogates, which no message can hold.
    """
    return line.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def _text(line: bytearray, *, first: bool) -> str:
    text = line.decode("utf-8", errors="replace").removesuffix("\r")
    return text.removeprefix("\ufeff") if first else text
