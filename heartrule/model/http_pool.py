"""The connections to one address: those that rest are used again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from heartrule.model.http_connection import Connection
from heartrule.model.http_wire import Head, address_of, post_head

if TYPE_CHECKING:
    import ssl

_MOST = 1000
"""Requests at one time, as the SDK allows; others wait."""
_IDLE_S = 5.0
"""After so long an unused connection is closed, as the SDK does."""


class Answer:
    """The answer to one request; released exactly once."""

    __slots__ = ("_connection", "_pool", "headers", "read", "status")

    def __init__(self, head: Head, connection: Connection, pool: Pool) -> None:
        """Its body is still to be read."""
        self.status = head.status
        self.headers: Mapping[str, str] = head.headers
        self.read = connection.read
        self._connection = connection
        self._pool = pool

    @property
    def ended(self) -> bool:
        """Whether all of the body is here."""
        return self._connection.ended

    def release(self) -> None:
        """Give the connection back, or close it where the answer was not read to its end."""
        self._pool.release(self._connection)


class Pool:
    """Sends requests to one address."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        *,
        trusted: ssl.SSLContext | None,
        connect_s: float,
        read_s: float,
    ) -> None:
        """Nothing is connected before the first request.

        Raises:
            ValueError: The URL or a header cannot be sent.
        """
        self._address = address_of(url)
        self._head = post_head(self._address, headers)
        self._trusted = trusted
        self._connect_s = connect_s
        self._read_s = read_s
        self._resting: list[Connection] = []
        self._busy: set[Connection] = set()
        self._places = asyncio.Semaphore(_MOST)
        self._sweep: asyncio.TimerHandle | None = None

    async def post(self, body: bytes, *, deadline: float) -> Answer:
        """Send a request and return its answer; release that.

        Raises:
            TimeoutError: No connection or no answer in time.
            OSError: None could be made, or it was lost.
        """
        await self._take_place(deadline)
        connection: Connection | None = None
        try:
            connection = self._rested() or await self._connect(deadline)
            self._busy.add(connection)
            request = b"%b%d\r\n\r\n%b" % (self._head, len(body), body)
            return Answer(await connection.ask(request, deadline=deadline), connection, self)
        except BaseException:
            if connection is None:
                self._places.release()
            else:
                self.release(connection)
            raise

    def release(self, connection: Connection) -> None:
        """Keep a connection for the next request, where it can serve one."""
        self._busy.discard(connection)
        self._places.release()
        if connection.release():
            self._resting.append(connection)
            if self._sweep is None:
                loop = asyncio.get_running_loop()
                self._sweep = loop.call_later(_IDLE_S, self._close_unused)

    async def aclose(self) -> None:
        """Close every connection."""
        if self._sweep is not None:
            self._sweep.cancel()
        for connection in (*self._resting, *self._busy):
            connection.abort()
        self._resting.clear()
        await asyncio.sleep(0)  # the loop closes the sockets

    async def _take_place(self, deadline: float) -> None:
        if not self._places.locked():
            await self._places.acquire()  # at once: no timer for what nearly never waits
            return
        async with asyncio.timeout_at(deadline):
            await self._places.acquire()

    def _rested(self) -> Connection | None:
        """Return the connection used last, which the server is least likely to have left."""
        while self._resting:
            connection = self._resting.pop()
            if connection.usable:
                return connection
        return None

    async def _connect(self, deadline: float) -> Connection:
        loop, address = asyncio.get_running_loop(), self._address
        async with asyncio.timeout_at(min(deadline, loop.time() + self._connect_s)):
            _, connection = await loop.create_connection(
                lambda: Connection(self._read_s),
                address.host,
                address.port,
                ssl=self._trusted,
                server_hostname=address.host if self._trusted else None,
            )
        return connection

    def _close_unused(self) -> None:
        self._sweep = None
        loop = asyncio.get_running_loop()
        oldest = loop.time() - _IDLE_S
        for connection in self._resting:
            if connection.idle_since <= oldest:
                connection.abort()
        self._resting = [each for each in self._resting if each.idle_since > oldest]
        if self._resting:
            self._sweep = loop.call_later(_IDLE_S, self._close_unused)
