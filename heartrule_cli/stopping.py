"""Signals that ask a command to leave, and waiting for the first of several tasks."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from heartrule.words.words import say
from heartrule_cli.failure import Failure

T = TypeVar("T")

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Stop:
    """Set once a signal asked the command to leave; each further signal calls `hurry`."""

    def __init__(self) -> None:
        """Create it with no signal received."""
        self.asked = asyncio.Event()
        self.hurry: Callable[[], None] | None = None
        self.instead: Callable[[], bool] | None = None
        """Called first at Ctrl-C: True where it has something else to stop."""

    def received(self, number: int) -> None:
        """Handle a signal."""
        if number == signal.SIGINT and self.instead is not None and self.instead():
            return
        if self.asked.is_set() and self.hurry is not None:
            self.hurry()
        self.asked.set()


@contextmanager
def stopping_on_signals() -> Iterator[Stop]:
    """Handle SIGINT, SIGTERM and SIGHUP in the running loop for the length of a block."""
    loop, stop = asyncio.get_running_loop(), Stop()
    handled = []
    for number in _SIGNALS:
        try:
            loop.add_signal_handler(number, stop.received, number)
        except NotImplementedError:  # Windows: Ctrl-C comes as KeyboardInterrupt
            continue
        handled.append(number)
    try:
        yield stop
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


async def first_done(
    *tasks: asyncio.Future[Any], seconds: float | None = None
) -> set[asyncio.Future[Any]]:
    """Wait until a task ends, cancel the others, and return those that had ended by then.

    Empty where none has ended within `seconds`.
    """
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def unless_stopped(stop: Stop, work: Awaitable[T]) -> T:
    """Return the result of the work.

    Raises:
        Failure: The command was asked to leave before.
    """
    task = asyncio.ensure_future(work)
    if task in await first_done(task, asyncio.ensure_future(stop.asked.wait())):
        return task.result()
    raise Failure(say("cli.service.stopped_early"))
