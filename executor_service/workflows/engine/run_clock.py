"""The time of a process as its runs see it; deadlines that outlive it are the store's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from typing import Any, Protocol


class RunClock(Protocol):
    """A clock that only goes forward."""

    def now(self) -> float:
        """Return seconds since some moment."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds; zero or less: at once."""
        ...


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        """Return its seconds."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding up the loop."""
        await asyncio.sleep(max(0.0, seconds))


async def first_of(*waits: Awaitable[object], beside: Collection[asyncio.Future[Any]] = ()) -> None:
    """Return once one of the waits is over, or one of the futures beside them; end the waits."""
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        await asyncio.wait([*tasks, *beside], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
