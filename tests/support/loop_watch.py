"""How long the event loop is held by one callback, by the processor time of its thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class LongestStep:
    """The callback that held a loop longest since `clear`."""

    cpu_s: float = 0.0
    what: str = ""

    def note(self, cpu_s: float, handle: asyncio.Handle) -> None:
        """Keep the callback if none took longer."""
        if cpu_s > self.cpu_s:
            self.cpu_s, self.what = cpu_s, repr(handle)[:300]

    def clear(self) -> None:
        """Begin anew."""
        self.cpu_s, self.what = 0.0, ""


@contextmanager
def watched_loop() -> Iterator[LongestStep]:
    """Time every callback of this thread's loop; those of other threads' loops do not count.

    Processor time, since a busy machine makes the clock's meaningless.
    """
    longest, here, run = LongestStep(), threading.get_ident(), asyncio.events.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        if threading.get_ident() != here:
            run(handle)
            return
        began = time.thread_time()
        run(handle)
        longest.note(time.thread_time() - began, handle)

    asyncio.events.Handle._run = timed  # type: ignore[method-assign,assignment]
    try:
        yield longest
    finally:
        asyncio.events.Handle._run = run  # type: ignore[method-assign]
