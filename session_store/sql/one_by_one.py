"""A session's transactions one after the other, where each goes by what the one before left.

Two at once would meet in the database: the second waits there for the first one's row, and finds
that what it knew of the session is old.
"""

from __future__ import annotations

import asyncio
from collections import deque

from heartrule.domain.keys import SessionKey


class OneByOne:
    """Lets one caller of a session in at a time, in the order of their asking."""

    def __init__(self) -> None:
        """Nobody is in."""
        self._waiting: dict[SessionKey, deque[asyncio.Future[None]]] = {}

    def of(self, key: SessionKey) -> _Place:
        """Return a place to be entered with `async with`."""
        return _Place(self, key)

    async def enter(self, key: SessionKey) -> None:
        """Return once nobody else of the session is in."""
        waiting = self._waiting.get(key)
        if waiting is None:
            self._waiting[key] = deque()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was this one's turn already
                self.leave(key)
            raise

    def leave(self, key: SessionKey) -> None:
        """Let the next in."""
        waiting = self._waiting[key]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[key]


class _Place:
    """What `async with` enters and leaves."""

    __slots__ = ("_key", "_those")

    def __init__(self, those: OneByOne, key: SessionKey) -> None:
        self._those = those
        self._key = key

    async def __aenter__(self) -> None:
        await self._those.enter(self._key)

    async def __aexit__(self, *_error: object) -> None:
        self._those.leave(self._key)
