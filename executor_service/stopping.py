"""The token a running turn is stopped with: asked from outside, checked at safe points.

Where a turn merely waits (for a model, a strategy, an advice) the wait is cut short; a commit never
is (ARCHITECTURE rule 4).
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from session_store.records import StopKind, StopWish


class Stopped(Exception):
    """The turn is to stop here; nothing of the step under way was committed."""

    def __init__(self, wish: StopWish) -> None:
        """Say what was asked."""
        super().__init__(wish.kind.value)
        self.wish = wish


class StopToken:
    """What was asked of one attempt; entered around whatever may be given up.

    with token:          # Stopped, at once or as soon as somebody asks
        await something()
    """

    __slots__ = ("_cancelling", "_task", "_woken", "cut", "spoken", "wish")

    def __init__(self, wish: StopWish | None = None) -> None:
        """`wish` is what was asked before the attempt began."""
        self.wish = wish
        self.spoken = False
        """A draft was shown or a step committed: it is too late to begin anew."""
        self.cut = False
        """A reply was cut short, and what was heard of it is kept."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._woken = False

    @property
    def interrupted(self) -> bool:
        """Whether the turn is to end."""
        return self.wish is not None and self.wish.kind is StopKind.INTERRUPT

    def ask(self, wish: StopWish) -> None:
        """Ask it; the first interrupt counts, and a restart that comes too late asks nothing."""
        if self.interrupted or (wish.kind is StopKind.RESTART and self.spoken):
            return
        self.wish = wish
        task = self._task
        if task is None or self._woken or task is asyncio.current_task():
            return
        self._woken = True
        task.cancel()

    def absorb(self) -> bool:
        """Take the cancellation of this moment as one to keep what was heard.

        Returns False where something else cancels the task, too: then nothing is kept.
        """
        if self._task is None or not self._woken:
            return False
        self.cut = self._task.cancelling() == self._cancelling + 1
        return self.cut

    def __enter__(self) -> None:
        """Begin what may be given up; Stopped where that was asked before."""
        if self.wish is not None:
            if self.interrupted or not self.spoken:
                raise Stopped(self.wish)
            self.wish = None
        self._task = task = asyncio.current_task()
        assert task is not None, "only a task can be woken"
        self._cancelling = task.cancelling()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it; Stopped where it was given up, a foreign cancellation passes."""
        task, self._task = self._task, None
        if not self._woken:
            return
        self._woken = False
        assert task is not None, "it was entered"
        ours = task.uncancel() <= self._cancelling
        if ours and kind is asyncio.CancelledError and self.wish is not None:
            raise Stopped(self.wish) from error
