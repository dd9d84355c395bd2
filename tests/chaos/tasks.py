"""Work done at once: none of it outlives what it was begun for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

_T = TypeVar("_T")


@asynccontextmanager
async def as_they_end(works: Iterable[Coroutine[Any, Any, _T]]) -> AsyncIterator[AsyncIterator[_T]]:
    """Do all at once and give results as they come; the block's end cancels what is left."""
    tasks = [asyncio.create_task(work) for work in works]

    async def results() -> AsyncIterator[_T]:
        for task in asyncio.as_completed(tasks):
            yield await task

    try:
        yield results()
    finally:
        await ended(tasks)


async def ended(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
