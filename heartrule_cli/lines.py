"""A client's lines: the interface, and lines of any stream that is not a terminal."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from typing import Protocol

# Bytes kept of a line; the rest of a longer one is dropped, since no server accepts it.
LONGEST_LINE = 2_097_152
_READ = 65_536
# Lines read ahead: a file of any size takes bounded memory.
_AHEAD = 1_000
_MOST_LEFT = 1_000
_QUIET_S = 0.3


class Lines(Protocol):
    """The client's messages, one after the other."""

    @property
    def attended(self) -> bool:
        """True where a person reads the answers and decides."""

    async def next(self) -> str | None:
        """Return the next message; None at the end."""

    async def rest(self) -> list[str]:
        """Return the messages that are left, as far as they are there already."""

    def close(self) -> None:
        """Stop reading."""


class StreamLines:
    """The lines of a file descriptor, read by a daemon thread that is never joined."""

    attended = False

    def __init__(self, descriptor: int | None) -> None:
        """Read nothing before the first `next`; None is an empty stream."""
        self._descriptor = descriptor
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(_AHEAD)
        self._started = False
        self._ended = descriptor is None

    async def next(self) -> str | None:
        """Return the next line that is not blank, without its line break; None at the end."""
        self._start()
        while not self._ended:
            line = await self._queue.get()
            self._room.release()
            if line is None:
                self._ended = True
            elif line.strip():
                return line
        return None

    async def rest(self) -> list[str]:
        """Return what is left, as far as it comes without a pause, a thousand lines at most."""
        found: list[str] = []
        while len(found) < _MOST_LEFT:
            try:
                line = await asyncio.wait_for(self.next(), _QUIET_S)
            except TimeoutError:
                break
            if line is None:
                break
            found.append(line)
        return found

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
        try:
            for line in split_lines(descriptor):
                self._room.acquire()
                loop.call_soon_threadsafe(self._queue.put_nowait, line)
            self._room.acquire()
            loop.call_soon_threadsafe(self._queue.put_nowait, None)
        except RuntimeError:  # the loop is closed
            return


def split_lines(descriptor: int) -> Iterator[str]:
    """Yield the lines of a descriptor as text; bytes that are no UTF-8 become U+FFFD.

    Read without Python's own buffers: a thread that waits in one of them would keep the process
    from ending.
    """
    kept = bytearray()
    first = True
    while chunk := _read(descriptor):
        *whole, last = chunk.split(b"\n")
        for part in whole:
            kept += part[: LONGEST_LINE - len(kept)]
            yield _text(kept, first=first)
            kept.clear()
            first = False
        kept += last[: LONGEST_LINE - len(kept)]
    if kept:
        yield _text(kept, first=first)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _READ)
    except OSError:  # closed, or not ours to read: nothing comes from it
        return b""


def _text(line: bytearray, *, first: bool) -> str:
    text = line.decode("utf-8", errors="replace").removesuffix("\r")
    return text.removeprefix("\ufeff") if first else text
