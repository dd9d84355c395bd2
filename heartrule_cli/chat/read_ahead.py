"""A client's lines, read while turns run: each waits for its turn, except where it means danger."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from heartrule_cli.chat.client_lines import Lines

# Lines that wait at one time: a file of any size takes bounded memory.
_MOST_WAITING = 1_000
# Of a stream: what does not come within this time is not there yet.
_QUIET_S = 0.3

InDanger: TypeAlias = Callable[[Sequence[str]], Awaitable[bool]]
SendNow: TypeAlias = Callable[[Sequence[str]], Awaitable[None]]


class ReadAhead:
    """The lines that came and were not sent, oldest first."""

    def __init__(self, lines: Lines, in_danger: InDanger, send_now: SendNow) -> None:
        """Nothing is read before `run`.

        Args:
            lines: Where they come from.
            in_danger: Whether the last of some lines, behind the others, calls for help.
            send_now: Sends lines while a turn runs.
        """
        self._lines = lines
        self._in_danger = in_danger
        self._send_now = send_now
        self._waiting: deque[str] = deque()
        self._wanted = self._ended = False
        self._changed = asyncio.Condition()

    @property
    def waiting(self) -> tuple[str, ...]:
        """The lines that were read and not sent."""
        return tuple(self._waiting)

    async def run(self) -> None:
        """Read until the lines end; one in danger goes out with all that waits before it."""
        while (line := await self._lines.next()) is not None:
            wanted, self._wanted = self._wanted, False
            self._waiting.append(line)
            await self._tell()
            if not wanted and self._lines.live and line.strip():
                await self._help(tuple(self._waiting))
            # One that is wanted is taken before the next is read.
            await self._until_left(0 if wanted else _MOST_WAITING - 1)
        self._ended = True
        await self._tell()

    async def next(self) -> str | None:
        """Return the next line, now that its turn has come; None at the end."""
        if not self._waiting and not self._ended:
            self._wanted = True
            self._lines.ask()
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._waiting) or self._ended)
            self._changed.notify_all()
            return self._waiting.popleft() if self._waiting else None

    async def rest(self) -> list[str]:
        """Return the lines that are left; of a stream as far as they come without a pause."""
        while not (self._ended or self._lines.attended or len(self._waiting) >= _MOST_WAITING):
            try:
                async with asyncio.timeout(_QUIET_S), self._changed:
                    await self._changed.wait()
            except TimeoutError:
                break
        return list(self._waiting)

    async def _until_left(self, most: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._waiting) <= most)

    async def _help(self, waiting: Sequence[str]) -> None:
        """Send what waits where it calls for help, as far as it has not been sent meanwhile."""
        if await self._in_danger(waiting):
            lines = [line for line in self._waiting if line.strip()]
            self._waiting.clear()
            await self._tell()
            await self._send_now(lines)

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()
