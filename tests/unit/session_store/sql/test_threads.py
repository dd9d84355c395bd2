"""Threads with something of their own: who worked last works next, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from heartrule.domain.errors import StoreUnavailable
from session_store.sql.threads import Threads


class Own:
    """What a thread has; it knows its number and whether it was closed."""

    def __init__(self, made: list[Own]) -> None:
        self.number = len(made)
        self.closed_in = 0
        made.append(self)

    def close(self) -> None:
        self.closed_in = threading.get_ident()


@asynccontextmanager
async def threads(made: list[Own], *, most: int = 3) -> AsyncIterator[Threads[Own]]:
    """Give threads that are stopped at the end."""
    those = Threads(lambda: Own(made), most=most, name="test")
    yield those
    await asyncio.to_thread(those.stop)


async def test_the_one_that_worked_last_is_asked_first() -> None:
    """One call after the other needs one thread: its connection is warm."""
    made: list[Own] = []
    async with threads(made) as those:
        assert [await those.run(lambda own: own.number) for _ in range(5)] == [0] * 5
    assert len(made) == 1


async def test_calls_run_beside_each_other_up_to_the_limit() -> None:
    """Three meet, a fourth waits for the first that is free, and gets its own answer."""
    made: list[Own] = []
    meeting = threading.Barrier(3, timeout=10)
    async with threads(made) as those:
        calls = [those.run(lambda _own: meeting.wait()) for _ in range(6)]
        assert sorted(await asyncio.gather(*calls)) == [0, 0, 1, 1, 2, 2]
    assert len(made) == 3


async def test_an_error_is_the_callers_alone() -> None:
    """The thread lives on and serves the next."""
    made: list[Own] = []

    def fail(_own: Own) -> None:
        raise ValueError("ours")

    async with threads(made, most=1) as those:
        with pytest.raises(ValueError, match="ours"):
            await those.run(fail)
        assert await those.run(lambda own: own.number) == 0


async def test_what_was_asked_for_is_done_before_the_end() -> None:
    """Stopping waits for calls that wait themselves; each thread frees what it has."""
    made: list[Own] = []
    async with threads(made, most=1) as those:
        calls = [asyncio.ensure_future(those.run(lambda own: own.number)) for _ in range(3)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*calls) == [0, 0, 0]
    assert made[0].closed_in not in {0, threading.get_ident()}
    with pytest.raises(StoreUnavailable):
        await those.run(lambda own: own.number)


async def test_a_cancelled_caller_leaves_its_call_to_its_end() -> None:
    """What was begun is done, and the thread is free for others."""
    made: list[Own] = []
    go, ran = threading.Event(), threading.Event()
    async with threads(made, most=1) as those:
        task = asyncio.ensure_future(those.run(lambda _own: _then(go, ran)))
        await asyncio.sleep(0)
        task.cancel()
        go.set()
        assert await those.run(lambda own: own.number) == 0
    assert ran.is_set()


def _then(first: threading.Event, second: threading.Event) -> None:
    """Set the second event once the first is set."""
    if first.wait(10):
        second.set()
