"""Services that start are waited for as long as they live; a slow machine is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from heartrule_cli.services.child import Child

# A cold start takes a few seconds; on a slow disk, or beside other work, tens of them.
TOLD_AFTER_S = 10.0

Slow: TypeAlias = Callable[[Sequence[str]], None]


async def all_ready(
    children: Mapping[int, Child], slow: Slow, *, told_after_s: float = TOLD_AFTER_S
) -> None:
    """Wait until every service is ready, however long its process takes.

    Args:
        children: By the port that tells whether one is ready.
        slow: Told the names of those that are not ready after so long.
        told_after_s: Seconds after which `slow` is told.

    Raises:
        Failure: One ended instead, or hangs.
    """
    waits = {child.name: asyncio.create_task(child.ready(port)) for port, child in children.items()}

    def tell() -> None:
        slow([name for name, wait in waits.items() if not wait.done()])

    telling = asyncio.get_running_loop().call_later(told_after_s, tell)
    try:
        await asyncio.gather(*waits.values())
    finally:
        telling.cancel()
        for wait in waits.values():
            wait.cancel()
        await asyncio.gather(*waits.values(), return_exceptions=True)
