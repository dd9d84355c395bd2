"""Watching a service's probes while something is wrong with what it needs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from heartrule.domain.events import InputAccepted
from tests.chaos.history import History, ReceivedEvent, now
from tests.chaos.services import Replica

LONG_S = 120.0
"""What has not come by then does not come, however busy the machine."""
_EVERY_S = 0.1


@dataclass(slots=True)
class Probes:
    """The answers of a process's probes."""

    ready: list[tuple[float, bool]] = field(default_factory=list)
    alive: list[tuple[float, bool]] = field(default_factory=list)

    def first(self, after: float, *, ready: bool) -> float | None:
        """Return seconds after a moment until it was first ready, or not ready."""
        times = (at - after for at, answer in self.ready if at >= after and answer is ready)
        return next(times, None)

    def always_alive(self) -> bool:
        """Whether it never failed to say that it lives."""
        return all(answer for _, answer in self.alive)


@asynccontextmanager
async def watched(replica: Replica) -> AsyncIterator[Probes]:
    """Probe a process ten times a second for the length of a block."""
    probes = Probes()

    async def probe() -> None:
        while True:
            probes.ready.append((now(), await replica.health("ready")))
            probes.alive.append((now(), await replica.health("")))
            await asyncio.sleep(_EVERY_S)

    task = asyncio.create_task(probe())
    try:
        yield probes
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(holds: Callable[[], Awaitable[bool]], *, within_s: float) -> bool:
    """Wait until something holds; False where it does not in time."""
    try:
        async with asyncio.timeout(within_s):
            while not await holds():
                await asyncio.sleep(0.05)
    except TimeoutError:
        return False
    return True


def acknowledged_between(history: History, begin: float, end: float) -> int:
    """Return how many inputs were acknowledged in a span of time."""
    return sum(
        isinstance(record, ReceivedEvent)
        and isinstance(record.event.body, InputAccepted)
        and begin <= record.at < end
        for record in history.records
    )
