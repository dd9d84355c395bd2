"""One driver task per session of this process: it runs turns as long as there are any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from session_store.ports import TurnStore
from session_store.records import AcceptedInput, NoTurn, TurnLater, TurnSnapshot

LOG = logging.getLogger(__name__)

RunAttempt = Callable[[TurnSnapshot], Awaitable[bool]]
"""Runs one attempt; True when a further turn may begin at once."""
_Begun: TypeAlias = TurnSnapshot | TurnLater | NoTurn


def _nobody(_begun: TurnSnapshot) -> None:
    """Nobody watches."""


@dataclass(slots=True)
class _Driver:
    """The task of one session and what was asked of it meanwhile."""

    task: asyncio.Task[None] | None = None
    opening: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """An input that starts a driver, and who waits to hear what became of it."""

    user_input: UserInput
    stored: Callable[[AcceptedInput], None]
    """Called once it is durable, before anything of its turn is told."""
    answer: asyncio.Future[AcceptedInput]


class Drivers:
    """Starts, wakes and drains the drivers."""

    def __init__(
        self,
        store: TurnStore,
        run: RunAttempt,
        *,
        owner: str,
        ttl: timedelta,
        told: Callable[[TurnSnapshot], None] = _nobody,
        again_s: float = 1.0,
    ) -> None:
        """Begin with none.

        Args:
            store: Where turns begin.
            run: Runs an attempt; called after `told`.
            owner: Names this process in leases.
            ttl: How long a lease lasts unrenewed.
            told: Called at once when an attempt has begun, to tell those who watch.
            again_s: Seconds after which an opening is tried again that the store did not take.
        """
        self._store = store
        self._run = run
        self._told = told
        self._again_s = again_s
        self._owner = owner
        self._ttl = ttl
        self._drivers: dict[SessionKey, _Driver] = {}
        self._closing = asyncio.Event()

    async def accept(
        self, key: SessionKey, user_input: UserInput, stored: Callable[[AcceptedInput], None]
    ) -> AcceptedInput:
        """Store an input and make sure that it is run, also where the caller is cancelled.

        In a session without a driver the turn begins in the same transaction (ADR 19). `stored` is
        called once the input is durable, before anything of its turn is told.
        """
        if self._closing.is_set() or key in self._drivers:
            accepted = await self._store.accept_input(key, user_input)
            stored(accepted)
            self.drive(key)
            return accepted
        answer: asyncio.Future[AcceptedInput] = asyncio.get_running_loop().create_future()
        self._start(key, Arrival(user_input=user_input, stored=stored, answer=answer))
        return await answer

    def drive(self, key: SessionKey, *, opening: bool = False) -> None:
        """Make sure that what waits in the session is run, by this process or another."""
        if self._closing.is_set():
            return
        driver = self._drivers.get(key) or self._start(key)
        driver.opening = driver.opening or opening
        driver.again = True

    async def sweep(self) -> None:
        """Take up what dead processes left, and inputs nobody answers.

        A lease that ends before the next sweep is waited for: a holder that lives has renewed it
        by then. So a dead replica's turns are taken up as soon as their leases end.
        """
        for key in await self._store.find_work(100):
            self.drive(key)
        loop = asyncio.get_running_loop()
        for key, left in await self._store.find_lapsing(self._ttl / 3, 100):
            if key not in self._drivers:
                loop.call_later(left.total_seconds(), self.drive, key)

    @property
    def are_idle(self) -> bool:
        """True while no turn runs."""
        return not self._drivers

    async def idle(self) -> None:
        """Return when no turn runs, those begun meanwhile included."""
        while tasks := [driver.task for driver in self._drivers.values() if driver.task]:
            await asyncio.wait(tasks)

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

    def _start(self, key: SessionKey, arrival: Arrival | None = None) -> _Driver:
        driver = self._drivers[key] = _Driver()
        driver.task = asyncio.create_task(self._drive(key, driver, arrival))
        return driver

    async def _drive(self, key: SessionKey, driver: _Driver, arrival: Arrival | None) -> None:
        try:
            begun = None if arrival is None else await self._take_in(key, arrival)
            while begun is not None or driver.again:
                driver.again = False
                await self._run_all(key, driver, begun)
                begun = None
        except HeartRuleError as error:
            LOG.warning("driver stopped", extra={"reason": error.reason, "error": error.message})
            if error.retryable and driver.opening:
                self._open_later(key)
        except Exception:  # the sweep takes the session up again; the log must tell why
            LOG.exception("driver failed")
        finally:
            del self._drivers[key]
            if driver.again:
                self.drive(key, opening=driver.opening)

    async def _take_in(self, key: SessionKey, arrival: Arrival) -> _Begun | None:
        """Store the input that started the driver, and return what has begun with it."""
        answer = arrival.answer
        try:
            accepted, begun = await self._store.accept_and_begin(
                key, arrival.user_input, owner=self._owner, ttl=self._ttl
            )
        except asyncio.CancelledError:
            answer.cancel()
            raise
        except Exception as error:  # noqa: BLE001  it is for the one who sent the input
            if not answer.done():
                answer.set_exception(error)
            return None
        arrival.stored(accepted)
        if not accepted.duplicate:
            self._tell(begun)
        if not answer.done():
            answer.set_result(accepted)
            await asyncio.sleep(0)  # the sender goes first: it follows the turn from its first word
        if accepted.duplicate:  # the sender has told again what was before
            self._tell(begun)
        return begun

    async def _run_all(self, key: SessionKey, driver: _Driver, begun: _Begun | None) -> None:
        """Run turns until nothing waits, another holder has the lease, or an attempt failed.

        What has `begun` is run also while the process is leaving: its lease is taken.
        """
        while begun is not None or not self._closing.is_set():
            if begun is None:
                begun = await self._begin(key, driver)
                self._tell(begun)
            if isinstance(begun, TurnSnapshot):
                if not await self._run(begun):
                    return
            elif isinstance(begun, TurnLater):
                await self._pause(begun.delay)
            else:
                return
            begun = None

    def _open_later(self, key: SessionKey) -> None:
        """Try again soon: of an opening that never began the store knows nothing to be swept up."""
        loop = asyncio.get_running_loop()
        loop.call_later(self._again_s, lambda: self.drive(key, opening=True))

    def _tell(self, begun: _Begun) -> None:
        """Tell that a turn has begun, in the breath in which it is known.

        What a later transaction tells would else come before, and leave a gap for every watcher.
        """
        if isinstance(begun, TurnSnapshot):
            self._told(begun)

    async def _pause(self, delay: timedelta) -> None:
        """Wait for a merge window to close; leaving does not wait for it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(delay.total_seconds()):
                await self._closing.wait()

    async def _begin(self, key: SessionKey, driver: _Driver) -> _Begun:
        if driver.opening:
            begun = await self._store.begin_opening(key, owner=self._owner, ttl=self._ttl)
            driver.opening = False
            if begun is not NoTurn.IDLE:
                return begun
        return await self._store.begin_turn(key, owner=self._owner, ttl=self._ttl)
