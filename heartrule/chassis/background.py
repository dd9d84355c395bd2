"""Work beside the conversation: bounded or periodic, its failures logged, awaited at the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta

log = logging.getLogger(__name__)


class Background:
    """Runs coroutines as tasks, at most `limit` at a time; a failure affects no other task."""

    def __init__(self, name: str, *, limit: int) -> None:
        """`name` is what the log calls this group."""
        self._name = name
        self._limit = limit
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[object, object, object], *, label: str) -> bool:
        """Start the work and return True; when full or closed, drop it and return False.

        The task inherits the caller's ids and span.
        """
        if self._closed or len(self._tasks) >= self._limit:
            work.close()
            log.warning("dropped work", extra={"group": self._name, "label": label})
            return False
        task = asyncio.get_running_loop().create_task(self._guard(work, label), name=label)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def idle(self) -> None:
        """Return when nothing runs any more, work started meanwhile included."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def drain(self, grace_s: float) -> None:
        """Take no more work, let what runs end for `grace_s` seconds, then cancel the rest."""
        self._closed = True
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=grace_s)
        for task in late:
            task.cancel()
        if late:
            log.warning("cancelled work", extra={"group": self._name, "count": len(late)})
            await asyncio.wait(late)

    async def _guard(self, work: Coroutine[object, object, object], label: str) -> None:
        try:
            await work
        except Exception:  # one failing task must not end the others
            log.exception("work failed", extra={"group": self._name, "label": label})


async def every(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do the work now and then every so often; a failure waits for the next time."""
    while True:
        try:
            await work()
        except Exception:  # the next round must come, whatever this one met
            log.exception("periodic work failed")
        await asyncio.sleep(seconds)


def pause_after(failures: int, *, first: timedelta, most: int) -> timedelta:
    """Return the pause after so many failures: `first`, then twice as long, up to `most` times."""
    times: int = min(2 ** min(failures - 1, most), most)
    return first * times
