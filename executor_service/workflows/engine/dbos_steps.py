"""The nodes of a run as steps of DBOS, which has an event loop of its own.

A node runs in the process's loop. Its step, in the other loop, waits for it and records that it
ended; the step of a node that broke off, or stands still, is given up unrecorded, and runs again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextvars import Context
from typing import TYPE_CHECKING

from executor_service.workflows.engine.driver_ports import NodeEnd
from executor_service.workflows.engine.run_clock import first_of

if TYPE_CHECKING:
    from dbos import StepReservation


class StepLost(Exception):
    """The step could not be recorded: another execution of the workflow has taken its place."""


# A node's id is an agent's word, and DBOS holds none.
_NAME = "node"


class DbosSteps:
    """The steps of one execution of a DBOS workflow."""

    def __init__(self, loop: asyncio.AbstractEventLoop, context: Context) -> None:
        """`loop` and `context` are those of the workflow's function."""
        self._loop, self._context = loop, context
        self._reserved: dict[str, StepReservation] = {}

    def reserve(self, order: Sequence[str]) -> None:
        """Number the nodes in this order; a number that is not used stays open."""
        from dbos import DBOS

        for node_id in order:
            self._reserved[node_id] = self._context.run(DBOS.reserve_step)

    async def run(self, node_id: str, node: Callable[[], Awaitable[NodeEnd]], /) -> NodeEnd:
        """Run a node, and return once its step is recorded.

        Raises:
            CancelledError: The workflow was cancelled in DBOS; the node is cancelled too.
            StepLost: Another execution of the workflow was begun, perhaps by this very process.
        """
        step = _Step(self._loop, self._reserved[node_id])
        self._loop.call_soon_threadsafe(step.begin, context=self._context.copy())
        recorded = asyncio.wrap_future(step.recorded)
        running = asyncio.ensure_future(node())
        try:
            await first_of(beside=(running, recorded))
            if not running.done():
                raise asyncio.CancelledError
            end = running.result()
            self._loop.call_soon_threadsafe(step.node_ended, str(end))
            await recorded
            return end
        finally:
            self._loop.call_soon_threadsafe(step.give_up)
            running.cancel()
            await asyncio.gather(running, recorded, return_exceptions=True)


class _Step:
    """One step; all but the constructor runs in the loop of DBOS."""

    def __init__(self, loop: asyncio.AbstractEventLoop, reserved: StepReservation) -> None:
        self._reserved = reserved
        self._ended: asyncio.Future[str] = loop.create_future()
        self._task: asyncio.Task[str] | None = None
        self.recorded: Future[None] = Future()
        """Done once nothing more comes of the step."""

    def begin(self) -> None:
        self._task = asyncio.ensure_future(
            self._reserved.run_async({"name": _NAME, "preemptible": True}, self._body)
        )
        self._task.add_done_callback(self._over)

    def node_ended(self, end: str) -> None:
        if not self._ended.done():
            self._ended.set_result(end)

    def give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _body(self) -> str:
        return await self._ended

    def _over(self, task: asyncio.Task[str]) -> None:
        if self.recorded.cancelled():
            return
        error = None if task.cancelled() else task.exception()
        if error is None:
            self.recorded.set_result(None)
        elif isinstance(error, Exception):
            self.recorded.set_exception(error)
        else:
            # Where it sees that one, DBOS has the workflow wait for the other execution's end: for
            # ever, as that one was given up where the run was driven already.
            self.recorded.set_exception(StepLost(str(error)))
