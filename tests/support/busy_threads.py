"""A process whose threads for work beside the event loop are all busy."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Event


@asynccontextmanager
async def busy_threads() -> AsyncIterator[None]:
    """Keep the one thread busy that `asyncio.to_thread` has then."""
    ended, threads = Event(), ThreadPoolExecutor(1)
    asyncio.get_running_loop().set_default_executor(threads)
    threads.submit(ended.wait)
    try:
        yield
    finally:
        ended.set()
