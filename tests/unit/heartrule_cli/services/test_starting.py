"""A service that starts slowly is waited for, as long as its process lives."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from heartrule.words.words import Words, say
from heartrule_cli.failure import Failure
from heartrule_cli.services.child import Child
from heartrule_cli.services.starting import all_ready


@dataclass(slots=True)
class SlowChild(Child):
    """A service that is ready, or ends, when a test says so."""

    name: str
    is_ready: asyncio.Event = field(default_factory=asyncio.Event)
    is_gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def ready(self, health_port: int, *, longest_s: float = 0.0) -> None:
        """Wait for the test's word."""
        await self.is_ready.wait()
        if self.is_gone.is_set():
            raise Failure(say("cli.service.did_not_start", service=self.called, reason="gone"))

    @property
    def called(self) -> Words:
        """Its name in sentences."""
        return say("cli.service.executor")


@dataclass(slots=True)
class Heard:
    """What was told of slow services."""

    names: list[str] = field(default_factory=list)
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def slow(self, names: Sequence[str]) -> None:
        """Take note."""
        self.names += names
        self.told.set()


async def test_a_slow_start_is_told_once_and_waited_for() -> None:
    """Only those that are not ready are named; nothing gives up a process that lives."""
    slow, fast, heard = SlowChild("executor"), SlowChild("monitor"), Heard()
    fast.is_ready.set()
    start = asyncio.create_task(all_ready({1: slow, 2: fast}, heard.slow, told_after_s=0.0))
    await heard.told.wait()
    assert (heard.names, start.done()) == (["executor"], False)
    slow.is_ready.set()
    await start


async def test_a_service_that_ends_while_it_starts_ends_the_waiting() -> None:
    """The others are waited for no longer."""
    gone, heard = SlowChild("executor"), Heard()
    gone.is_gone.set()
    gone.is_ready.set()
    with pytest.raises(Failure, match="the executor did not start: gone"):
        await all_ready({1: gone, 2: SlowChild("monitor")}, heard.slow)
    assert heard.names == []
