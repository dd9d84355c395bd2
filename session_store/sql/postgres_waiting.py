"""Waiting for PostgreSQL: in a thread of its own, or in the event loop, which goes on meanwhile."""

from __future__ import annotations

import asyncio
import select
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import greenlet
import psycopg
from psycopg import pq

T = TypeVar("T")


class NeedsThread(Exception):
    """A transaction in the loop came to a statement that would hold the loop up."""


class Waiting(Protocol):
    """How one connection's transactions wait."""

    @property
    def in_loop(self) -> bool:
        """Whether nothing here may hold up the thread."""

    def watch(self, pg: pq.abc.PGconn) -> None:
        """Begin with a connection that was opened."""

    def stop(self) -> None:
        """End with it, before it is closed."""

    def wait(self, events: int) -> None:
        """Return once something came, which is taken in, or can be sent, where that is awaited.

        Errors:
            OperationalError: the connection is lost.
        """

    def blocking(self, call: Callable[[], T]) -> T:
        """Return what a call gave that takes its time."""


class InThread:
    """The thread is the transaction's alone."""

    in_loop = False

    def __init__(self) -> None:
        """Wait for nothing yet."""
        self._pg: pq.abc.PGconn | None = None
        self._poll = select.poll()

    def watch(self, pg: pq.abc.PGconn) -> None:
        """Begin with a connection that was opened."""
        self._pg, self._poll = pg, select.poll()

    def stop(self) -> None:
        """End with it."""
        self._pg = None

    def wait(self, events: int) -> None:
        """Give the interpreter up meanwhile: libpq's own waiting would keep it."""
        pg = self._pg
        assert pg is not None, "there is a connection"
        self._poll.register(pg.socket, events)
        for _, seen in self._poll.poll():
            if seen & ~select.POLLOUT:
                pg.consume_input()

    def blocking(self, call: Callable[[], T]) -> T:
        """Call it."""
        return call()


class InLoop:
    """The thread is the event loop's: what waits is a greenlet that `running` drives."""

    in_loop = True

    def __init__(self) -> None:
        """Be in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._pg: pq.abc.PGconn | None = None
        self._socket = -1
        self._waiter: asyncio.Future[None] | None = None
        self._lost: psycopg.OperationalError | None = None

    def watch(self, pg: pq.abc.PGconn) -> None:
        """Take in what comes from now on."""
        self._pg, self._socket, self._lost = pg, pg.socket, None
        self._loop.add_reader(self._socket, self._readable)

    def stop(self) -> None:
        """Listen no more."""
        if self._socket >= 0:
            self._loop.remove_reader(self._socket)
            self._socket = -1

    def wait(self, events: int) -> None:
        """Let the loop go on until something comes."""
        if self._lost is not None:
            raise self._lost
        self._waiter = waiter = self._loop.create_future()
        socket = self._socket
        if events & select.POLLOUT:
            self._loop.add_writer(socket, self._wake)
        try:
            awaited(waiter)
        finally:
            self._waiter = None
            if events & select.POLLOUT:
                self._loop.remove_writer(socket)
        if self._lost is not None:
            raise self._lost

    def blocking(self, call: Callable[[], T]) -> T:
        """Let a thread call it."""
        return awaited(asyncio.to_thread(call))

    def look(self) -> None:
        """See whether the connection that is waited for was lost; to be called now and then.

        Of a socket that was reset uvloop tells once, which may find the server's last words alone,
        and watches it no longer.
        """
        if self._waiter is not None and not self._waiter.done() and self._lost is None:
            self._readable()

    def _readable(self) -> None:
        assert self._pg is not None, "there is a connection"
        try:
            self._pg.consume_input()
        except psycopg.OperationalError as error:
            self._lost = error
            self.stop()  # a lost one is readable for ever
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


async def running(call: Callable[[], T]) -> T:
    """Return what a call gave that waits by `awaited` alone, or raise what it ended with."""
    work = greenlet.greenlet(call)
    work.gr_context = greenlet.getcurrent().gr_context
    given = work.switch()
    while not work.dead:
        try:
            answer = await given
        except BaseException as error:  # noqa: BLE001  it is the call's, cancellation too
            given = work.throw(error)
        else:
            given = work.switch(answer)
    done: T = given
    return done


def awaited(wanted: Awaitable[T]) -> T:
    """Return what an awaitable gives, in a call that `running` drives."""
    parent = greenlet.getcurrent().parent
    assert parent is not None, "it runs in a greenlet of its own"
    answer: T = parent.switch(wanted)
    return answer
