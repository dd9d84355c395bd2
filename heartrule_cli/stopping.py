"""Signals that ask a command to leave."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from heartrule_cli.failure import Failure

T = TypeVar("T")

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Stop:
    """Set once a signal asked the command to leave; further signals ask whoever runs to hurry."""

    def __init__(self) -> None:
        """Begin with nobody in a hurry."""
        self.asked = asyncio.Event()
        self.hurry: list[Callable[[], None]] = []
        self.instead: Callable[[], bool] | None = None
        """Asked at Ctrl-C first: True where it has something else to stop."""

    def heard(self, number: int) -> None:
        """Note a signal."""
        if number == signal.SIGINT and self.instead is not None and self.instead():
            return
        if self.asked.is_set():
            for hurry in self.hurry:
                hurry()
        self.asked.set()


@contextmanager
def stopping_on_signals() -> Iterator[Stop]:
    """Hear SIGINT, SIGTERM and SIGHUP in the running loop for the length of a block."""
    loop, stop = asyncio.get_running_loop(), Stop()
    heard = []
    for number in _SIGNALS:
        try:
            loop.add_signal_handler(number, stop.heard, number)
        except NotImplementedError:  # Windows: Ctrl-C comes as KeyboardInterrupt
            continue
        heard.append(number)
    try:
        yield stop
    finally:
        for number in heard:
            loop.remove_signal_handler(number)


async def unless_stopped(stop: Stop, work: Awaitable[T]) -> T:
    """Return what the work gives.

    Raises:
        Failure: The command was asked to leave before.
    """
    task = asyncio.ensure_future(work)
    asked = asyncio.ensure_future(stop.asked.wait())
    try:
        await asyncio.wait({task, asked}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise Failure("stopped before everything was ready")
    finally:
        for each in (task, asked):
            each.cancel()
        await asyncio.gather(task, asked, return_exceptions=True)
