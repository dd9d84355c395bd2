"""One connection to a model's server: a request out, the answer's body in, read at a chosen pace.

A body is read as seldom as its reader wants. Between two reads the socket rests: the kernel
gathers what the model writes, and nobody is woken for a token that nobody may be shown yet.
"""

from __future__ import annotations

import asyncio
from typing import cast

from heartrule.model.http_wire import AnswerReader, Head, NotHttp

_MOST_HELD = 262_144
"""Bytes that wait for a reader before the socket rests."""
_EARLY_S = 0.001
_TICK_S = 0.01
"""Waits end together at the ticks of one clock: one step of the loop serves many streams."""


class Connection(asyncio.Protocol):
    """Serves one request after the other; `idle` while it could take the next."""

    def __init__(self, read_s: float) -> None:
        """`read_s` is the longest silence while an answer is awaited."""
        self.idle_since = 0.0
        self._loop = asyncio.get_running_loop()
        self._read_s = read_s
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._error: BaseException | None = None
        self._answer: AnswerReader | None = None
        self._parts: list[bytes] = []
        self._held = 0
        self._asked = False
        self._heard = 0.0
        self._deadline = 0.0
        self._watch: asyncio.TimerHandle | None = None
        self._pause: asyncio.TimerHandle | None = None

    # --- what its user calls ----------------------------------------------------------------------

    @property
    def usable(self) -> bool:
        """Whether a further request may be sent."""
        return self._transport is not None and not self._asked and not self._transport.is_closing()

    @property
    def ended(self) -> bool:
        """Whether the answer has come to its end, read or not."""
        return self._answer is not None and self._answer.ended

    async def ask(self, request: bytes, *, deadline: float) -> Head:
        """Send a request and return the head of its answer.

        Raises:
            TimeoutError: Silence for too long, or `deadline` passed.
            ConnectionError: It was lost, or what came is no HTTP.
        """
        assert self._transport is not None, "it is connected"
        self._answer = AnswerReader()
        self._parts, self._held = [], 0
        self._asked, self._deadline = True, deadline
        self._heard = self._loop.time()
        self._watch = self._loop.call_at(min(deadline, self._heard + self._read_s), self._look)
        self._transport.write(request)
        while (head := self._answered()) is None:
            await self._wait()
        return head

    async def read(self, not_before: float = 0.0) -> bytes:
        """Return what came of the body, at once or at that time; b"" at its end.

        What has ended is returned without waiting.

        Raises:
            TimeoutError, ConnectionError: As `ask`; what came before was returned before.
        """
        if not_before and not self.ended and self._error is None:
            self._rest_until(not_before)
        while not self._parts or self._pause is not None:
            if self.ended or (self._error is not None and not self._parts):
                break
            await self._wait()
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            if self._held > _MOST_HELD:
                self._resume()
            self._held = 0
            return data
        if self._error is not None and not self.ended:
            raise self._error
        return b""

    def release(self) -> bool:
        """End the exchange; True where the connection may serve another, else it is closed."""
        self._asked = False
        for timer in (self._watch, self._pause):
            if timer is not None:
                timer.cancel()
        rested, self._watch, self._pause = self._pause is not None, None, None
        head = self._answered()
        if self._transport is None or self._error is not None:
            self.abort()
            return False
        if head is None or not head.keeps or not self.ended:
            self.abort()
            return False
        if rested or self._held > _MOST_HELD:
            self._resume()
        self.idle_since = self._loop.time()
        return self.usable

    def abort(self) -> None:
        """Close it at once."""
        if self._transport is not None:
            self._transport.abort()

    # --- what the loop calls ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        if not self._asked or self._error is not None:
            self.abort()  # nobody asked
            return
        self._heard = self._loop.time()
        assert self._answer is not None, "something was asked"
        try:
            data = self._answer.feed(data)
        except NotHttp as error:
            self._fail(error)
            return
        if data:
            self._parts.append(data)
            self._held += len(data)
            if self._held > _MOST_HELD:
                self._stop_reading()
        if self._answer.head is not None and (self._pause is None or self._answer.ended):
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end; it is the body's where nothing else ends that."""
        self._transport = None
        if self._answer is not None and self._answer.by_closing and exc is None:
            self._answer.ended = True
            self._wake()
        elif self._asked and not self.ended:
            self._fail(exc or ConnectionResetError("the answer broke off"))

    # --- inside -----------------------------------------------------------------------------------

    def _answered(self) -> Head | None:
        return None if self._answer is None else self._answer.head

    async def _wait(self) -> None:
        if self._error is not None:
            raise self._error
        self._waiter = self._loop.create_future()
        await self._waiter

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def _fail(self, error: BaseException) -> None:
        self._error = error
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self._wake()
        self.abort()

    def _rest_until(self, moment: float) -> None:
        """Let the socket rest; a little early, where that lets others be served in one step."""
        moment = moment // _TICK_S * _TICK_S
        if self._pause is None and moment > self._loop.time():
            self._stop_reading()
            self._heard = moment  # until then the silence is ours
            self._pause = self._loop.call_at(moment, self._rested)

    def _rested(self) -> None:
        self._pause = None
        self._resume()
        if self._parts:
            self._wake()

    def _stop_reading(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def _look(self) -> None:
        """Give up where nothing came for too long, or come again when that would be."""
        due = min(self._deadline, self._heard + self._read_s)
        if due - self._loop.time() > _EARLY_S:
            self._watch = self._loop.call_at(due, self._look)
        else:
            self._watch = None
            self._fail(TimeoutError("no answer in time"))
