"""The threads in which longer texts of clients are screened.

They do nothing else: what fills the threads of the process may hold up any other work, but not the
words of a client in danger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")

# A text takes milliseconds, and threads share one interpreter: more of them screen no faster.
# They begin with the first long text, and the interpreter joins them when it ends.
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="screen")


async def in_screening_thread(read: Callable[[], T]) -> T:
    """Return what the reading of a text returns, or raise what it raises."""
    # As `asyncio.to_thread` does: logs and counters know by the context where they belong.
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(_THREADS, context.run, read)
