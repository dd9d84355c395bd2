"""A time-out for waits that follow each other: entering and leaving costs no timer."""

from __future__ import annotations

import asyncio
from types import TracebackType

_EARLY_S = 0.001
"""A loop's timer may fire so much before its time."""


class TimeLimit:
    """Ends a wait that lasts longer than `seconds`; used again and again by one task.

        limit = TimeLimit(30)
        with limit:
            await something()   # TimeoutError after 30 s, as with asyncio.timeout

    One timer serves all waits. It fires once per `seconds`, and starts anew where the wait of that
    moment began later. Not reentrant.
    """

    __slots__ = ("_cancelling", "_due", "_late", "_seconds", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        """Nothing runs before the first wait."""
        self._seconds = seconds
        self._due = 0.0
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._late = False
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        """Begin a wait of the current task."""
        loop = asyncio.get_running_loop()
        self._task = task = asyncio.current_task()
        assert task is not None, "only a task can be woken"
        self._cancelling = task.cancelling()
        self._due = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_at(self._due, self._look)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the wait; TimeoutError where the limit ended it, a foreign cancellation passes."""
        task, self._task = self._task, None
        if not self._late:
            return
        self._late = False
        assert task is not None, "it was entered"
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def close(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """End the wait of this moment, or come again when it will have lasted too long."""
        self._timer = None
        if self._task is None or self._late:
            return
        loop = asyncio.get_running_loop()
        if self._due - loop.time() > _EARLY_S:
            self._timer = loop.call_at(self._due, self._look)
        else:
            self._late = True
            self._task.cancel()
