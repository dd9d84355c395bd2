"""One driver task per session of this process: it runs turns as long as there are any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from session_store.ports import TurnStore
from session_store.records import NoTurn, TurnLater, TurnSnapshot

LOG = logging.getLogger(__name__)

RunAttempt = Callable[[TurnSnapshot], Awaitable[bool]]
"""Runs one attempt; True when a further turn may begin at once."""


@dataclass(slots=True)
class _Driver:
    """The task of one session and what was asked of it meanwhile."""

    task: asyncio.Task[None] | None = None
    opening: bool = False
    again: bool = False


class Drivers:
    """Starts, wakes and drains the drivers."""

    def __init__(self, store: TurnStore, run: RunAttempt, *, owner: str, ttl: timedelta) -> None:
        """`owner` names this process in leases; `ttl` is how long one lasts unrenewed."""
        self._store = store
        self._run = run
        self._owner = owner
        self._ttl = ttl
        self._drivers: dict[SessionKey, _Driver] = {}
        self._closing = asyncio.Event()

    def drive(self, key: SessionKey, *, opening: bool = False) -> None:
        """Make sure that what waits in the session is run, by this process or another."""
        if self._closing.is_set():
            return
        driver = self._drivers.setdefault(key, _Driver())
        driver.opening = driver.opening or opening
        driver.again = True
        if driver.task is None:
            driver.task = asyncio.create_task(self._drive(key, driver))

    async def sweep(self) -> None:
        """Take up what dead processes left, and inputs nobody answers."""
        for key in await self._store.find_work(100):
            self.drive(key)

    async def drain(self, grace_s: float) -> None:
        """Begin no turn any more, wait for the running ones, cancel what outlasts the grace."""
        self._closing.set()
        tasks = [driver.task for driver in self._drivers.values() if driver.task]
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _drive(self, key: SessionKey, driver: _Driver) -> None:
        try:
            while driver.again:
                driver.again = False
                await self._run_all(key, driver)
        except HeartRuleError as error:
            LOG.warning("driver stopped", extra={"reason": error.reason, "error": error.message})
        except Exception:  # the sweep takes the session up again; the log must tell why
            LOG.exception("driver failed")
        finally:
            del self._drivers[key]
            if driver.again:
                self.drive(key, opening=driver.opening)

    async def _run_all(self, key: SessionKey, driver: _Driver) -> None:
        """Run turns until nothing waits, another holder has the lease, or an attempt failed."""
        while not self._closing.is_set():
            begun = await self._begin(key, driver)
            if isinstance(begun, TurnSnapshot):
                if not await self._run(begun):
                    return
            elif isinstance(begun, TurnLater):
                await self._pause(begun.delay)
            else:
                return

    async def _pause(self, delay: timedelta) -> None:
        """Wait for a merge window to close; leaving does not wait for it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(delay.total_seconds()):
                await self._closing.wait()

    async def _begin(self, key: SessionKey, driver: _Driver) -> TurnSnapshot | TurnLater | NoTurn:
        if driver.opening:
            driver.opening = False
            begun = await self._store.begin_opening(key, owner=self._owner, ttl=self._ttl)
            if begun is not NoTurn.IDLE:
                return begun
        return await self._store.begin_turn(key, owner=self._owner, ttl=self._ttl)
