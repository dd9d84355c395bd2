"""The token that stops a running turn: requested from outside, checked at safe points.

Where a turn merely waits (for a model, a strategy, an advice) the wait is cut short; a commit is
never interrupted.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from session_store.records import StopKind, StopRequest


class Stopped(Exception):
    """The turn is to stop here; nothing of the step under way was committed."""

    def __init__(self, request: StopRequest) -> None:
        """Keep the request."""
        super().__init__(request.kind.value)
        self.request = request


class StopToken:
    """The stop request of one attempt; entered around steps that may be given up.

    with token:          # raises Stopped, at once or when asked
        await something()
    """

    __slots__ = ("_cancelling", "_task", "_woken", "cut", "held", "request", "said", "visible")

    def __init__(self, request: StopRequest | None = None) -> None:
        """`request` was noted before the attempt began."""
        self.request = request
        self.visible = False
        """A draft was shown or a step committed: it is too late to begin anew."""
        self.cut = False
        """A reply was cut short, and the received part of it is kept."""
        self.said = False
        """The client has the whole text of the step under way: what it writes from now on is an
        answer to that text, and does not cut short how the reply is kept."""
        self.held = False
        """The step under way is committed whatever is asked; it takes no time."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._woken = False

    @property
    def entered(self) -> bool:
        """Whether a step that may be given up is under way."""
        return self._task is not None

    @property
    def interrupted(self) -> bool:
        """Whether the turn is to end."""
        return self.request is not None and self.request.kind is StopKind.INTERRUPT

    def ask(self, request: StopRequest) -> None:
        """Note a request; the first interrupt counts, and a late restart has no effect."""
        if self.interrupted or (request.kind is StopKind.RESTART and self.visible):
            return
        self.request = request
        task = self._task
        if task is None or self._woken or self.held or task is asyncio.current_task():
            return
        # An answer stops the turn behind the step; danger and InterruptTurn stop it at once.
        if self.said and request.keeps_shown and not request.urgent:
            return
        self._woken = True
        task.cancel()

    def absorb(self) -> bool:
        """Take the current cancellation as one that keeps the received part of a reply.

        Returns False where something else cancels the task, too: then nothing is kept.
        """
        if self._task is None or not self._woken:
            return False
        self.cut = self._task.cancelling() == self._cancelling + 1
        return self.cut

    def __enter__(self) -> None:
        """Begin a step that may be given up; Stopped if a request was noted before."""
        if self.request is not None and not self.held:
            if self.interrupted or not self.visible:
                raise Stopped(self.request)
            self.request = None
        self._task = task = asyncio.current_task()
        assert task is not None, "only a task can be woken"
        self._cancelling = task.cancelling()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the step; Stopped if it was given up, a foreign cancellation passes."""
        task, self._task = self._task, None
        if not self._woken:
            return
        self._woken = False
        assert task is not None, "it was entered"
        ours = task.uncancel() <= self._cancelling
        if ours and kind is asyncio.CancelledError and self.request is not None:
            raise Stopped(self.request) from error
