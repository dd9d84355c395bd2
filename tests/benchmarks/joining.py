"""The floor's drafts: sent at least a window apart, as the executor's are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

WINDOW_S = 0.05
"""The executor's default, `HEARTRULE_DRAFT_WINDOW_MS`."""


class Joining:
    """Sends the first piece at once, what follows within the window together at its end."""

    def __init__(self, tell: Callable[[int, str], Awaitable[None]]) -> None:
        """`tell` writes a text and its offset; never two at a time."""
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._held = ""
        self._told = 0
        self._opens_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Future[None] | None = None

    async def add(self, text: str) -> None:
        """Tell a piece, or hold it until the window ends."""
        self._held += text
        if self._writing is not None and self._writing.done():
            await self._written()
        if self._loop.time() >= self._opens_at:
            await self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_at(self._opens_at, self._time_is_up)

    async def flush(self) -> None:
        """Send what is held, after what is being sent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self._written()
        if self._held:
            await self._write()

    async def _written(self) -> None:
        """Wait for what is being sent, and fail with it."""
        writing, self._writing = self._writing, None
        if writing is not None:
            await writing

    def _time_is_up(self) -> None:
        self._timer = None
        if self._writing is None:  # else the next piece goes on: one write at a time
            self._writing = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        text, self._held = self._held, ""
        offset, self._told = self._told, self._told + len(text)
        self._opens_at = self._loop.time() + WINDOW_S
        await self._tell(offset, text)
