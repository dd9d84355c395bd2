"""A time-out that is used again and again."""

from __future__ import annotations

import asyncio

import pytest

from heartrule.chassis.time_limit import TimeLimit


class Clock:
    """The running loop's clock and timers, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, asyncio.TimerHandle]] = []
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: self.now)
        monkeypatch.setattr(loop, "call_at", self._call_at)

    def _call_at(self, when: float, callback: object, *args: object) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        handle = asyncio.TimerHandle(when, callback, args, loop)  # type: ignore[arg-type]
        self.timers.append((when, handle))
        return handle

    def move(self, seconds: float) -> None:
        """Let time pass and fire what is due."""
        self.now += seconds
        due = [handle for when, handle in self.timers if when <= self.now]
        self.timers = [(when, handle) for when, handle in self.timers if when > self.now]
        for handle in due:
            if not handle.cancelled():
                handle._run()


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def endless(limit: TimeLimit) -> None:
    with limit:
        await asyncio.get_running_loop().create_future()


async def begun(limit: TimeLimit) -> asyncio.Task[None]:
    """Return a task that waits within the limit."""
    task = asyncio.ensure_future(endless(limit))
    await asyncio.sleep(0)
    return task


async def test_a_wait_that_lasts_too_long_ends(clock: Clock) -> None:
    """With TimeoutError, at its time and not before."""
    task = await begun(TimeLimit(30))
    clock.move(29.9)
    await asyncio.sleep(0)
    assert not task.done()
    clock.move(0.1)
    with pytest.raises(TimeoutError):
        await task
    assert not task.cancelled()


async def test_each_wait_has_the_whole_time(clock: Clock) -> None:
    """What earlier waits took is not counted, though one timer serves them all."""
    limit = TimeLimit(30)
    with limit:
        clock.move(20)
    with limit:
        clock.move(20)
    task = await begun(limit)
    clock.move(29)
    await asyncio.sleep(0)
    assert (task.done(), len(clock.timers)) == (False, 1)
    clock.move(1)
    with pytest.raises(TimeoutError):
        await task


async def test_nothing_happens_between_waits(clock: Clock) -> None:
    """A timer that finds no wait is over; the next wait has its own."""
    limit = TimeLimit(30)
    with limit:
        pass
    clock.move(100)
    assert clock.timers == []
    task = await begun(limit)
    clock.move(30)
    with pytest.raises(TimeoutError):
        await task


async def test_a_foreign_cancellation_passes(clock: Clock) -> None:
    """Who cancels the task gets a cancelled task, also when the limit was reached too."""
    for seconds in (0, 30):
        task = await begun(TimeLimit(30))
        clock.move(seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_other_errors_pass(clock: Clock) -> None:
    """An error of the work itself is told, though the limit was reached with it."""

    async def failing() -> None:
        with TimeLimit(30):
            clock.move(30)
            raise KeyError

    with pytest.raises(KeyError):
        await asyncio.ensure_future(failing())


async def test_closing_leaves_no_timer(clock: Clock) -> None:
    """A closed limit may be used again."""
    limit = TimeLimit(30)
    with limit:
        pass
    limit.close()
    limit.close()
    assert all(handle.cancelled() for _, handle in clock.timers)
    with limit:
        assert len(clock.timers) == 2
