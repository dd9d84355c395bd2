"""Turns of sessions: inputs are accepted, and one worker task per session runs what waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TypeAlias

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.monitoring.analysis_metrics import count_events
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import (
    AcceptedInput,
    Interrupted,
    InterruptOrder,
    NoTurn,
    TurnLater,
    TurnSnapshot,
)

LOG = logging.getLogger(__name__)
# Sessions taken up by one sweep; the next sweep is within a third of a lease.
_SWEPT_AT_ONCE = 100
# A holder that lives has said where help is by then; the lease of one that died lasts much longer.
TAKE_OVER_AFTER_S = 1.0

# Runs one attempt; True when a further turn may begin at once.
RunAttempt: TypeAlias = Callable[[TurnSnapshot], Awaitable[bool]]
_Begun: TypeAlias = TurnSnapshot | TurnLater | NoTurn


@dataclass(slots=True)
class _Worker:
    """The task of one session, and the requests noted while it runs."""

    task: asyncio.Task[None] | None = None
    opening: bool = False
    again: bool = False
    takes_over: bool = False
    """The next turn begins also where another process has the lease and an urgent input waits."""
    hurry: asyncio.Event = field(default_factory=asyncio.Event)
    """Set where an urgent input waits, or the process leaves: no merge window is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingInput:
    """An input that starts a worker; `accepted` is what its sender waits for."""

    user_input: UserInput
    urgent: bool
    accepted: asyncio.Future[AcceptedInput] = field(default_factory=asyncio.Future)


class SessionWorkers:
    """Accepts inputs, and starts, wakes and drains the workers of one process."""

    def __init__(
        self,
        run: RunAttempt,
        *,
        store: Store,
        hub: SessionHub,
        stops: StopRegistry,
        failpoints: Failpoints,
        owner: str,
        ttl: timedelta,
        reopen_after_s: float = 1.0,
        take_over_after_s: float = TAKE_OVER_AFTER_S,
    ) -> None:
        """Create it with no workers.

        Args:
            run: Runs an attempt, after the events of its beginning were published.
            store: Where inputs are stored and turns begin.
            hub: Where events are published.
            stops: The attempts that can be stopped.
            failpoints: Where tests kill this process.
            owner: Names this process in leases.
            ttl: How long a lease lasts unrenewed.
            reopen_after_s: Pause before an opening that the store did not take is tried again.
            take_over_after_s: How long an urgent input waits for another holder of the lease.
        """
        self._run, self._failpoints = run, failpoints
        self._store, self._hub, self.stops = store, hub, stops
        self._owner, self._ttl = owner, ttl
        self._reopen_after_s = reopen_after_s
        self._take_over_after_s = take_over_after_s
        self._workers: dict[SessionKey, _Worker] = {}
        self._closing = False
        self.sweep_every = ttl / 3

    async def accept(
        self, key: SessionKey, user_input: UserInput, *, urgent: bool = False
    ) -> AcceptedInput:
        """Store an input, publish that, and make sure that it is run; an urgent one at once.

        All of it happens also where the caller is cancelled. In a session without a worker the
        turn begins in the same transaction (ADR 19).

        Raises:
            InvalidRequest: The id was used with other content.
            SessionBusy: Too many wait, or the input asked to be rejected while busy.
            SessionFinished: The script has ended.
            NotFound: There is no such session.
        """
        if self._closing or key in self._workers:
            said = self.stops.said(key)
            accepted = await self._store.accept_input(key, user_input, urgent=urgent, answers=said)
            self._publish_accepted(key, accepted)
            self.wake(key, urgent=urgent)
            return accepted
        pending = PendingInput(user_input=user_input, urgent=urgent)
        self._start(key, pending)
        return await pending.accepted

    async def interrupt(self, asked: InterruptOrder) -> Interrupted:
        """Stop a running turn at its next safe point, whichever process runs it.

        Raises:
            NotFound: There is no such session or turn.
        """
        done = await self._store.interrupt_turn(asked)
        self._failpoints.hit(Failpoint.AFTER_INTERRUPT)
        if done.request is not None:
            self.stops.ask(asked.key, done.request)
            if not self.stops.runs(asked.key):
                self.wake(asked.key)  # its holder may be dead
        return done

    def wake(self, key: SessionKey, *, opening: bool = False, urgent: bool = False) -> None:
        """Make sure that waiting inputs of the session are run, by this process or another.

        `opening` runs the opening turn too, where it has not been run; `urgent` waits for no more.
        """
        if self._closing:
            return
        worker = self._workers.get(key) or self._start(key)
        worker.opening, worker.again = worker.opening or opening, True
        if urgent:
            worker.hurry.set()

    async def sweep(self) -> None:
        """Take up orphaned turns and unanswered inputs of every session.

        A lease that ends before the next sweep is waited for: a holder that lives has renewed it
        by then. So a dead replica's turns are taken up as soon as their leases end.
        """
        for key in await self._store.find_work(_SWEPT_AT_ONCE):
            self.wake(key)
        for key, left in await self._store.find_lapsing(self.sweep_every, _SWEPT_AT_ONCE):
            if key not in self._workers:
                asyncio.get_running_loop().call_later(left.total_seconds(), self.wake, key)

    @property
    def running(self) -> int:
        """How many sessions have a turn here."""
        return len(self._workers)

    async def idle(self) -> None:
        """Return when no turn runs, those begun meanwhile included."""
        while tasks := [worker.task for worker in self._workers.values() if worker.task]:
            await asyncio.wait(tasks)

    async def drain(self, grace_s: float) -> None:
        """Begin no turn any more, wait for the running ones, cancel what outlasts the grace."""
        self._closing = True
        for worker in self._workers.values():
            worker.hurry.set()
        tasks = [worker.task for worker in self._workers.values() if worker.task]
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _start(self, key: SessionKey, pending: PendingInput | None = None) -> _Worker:
        worker = self._workers[key] = _Worker()
        worker.task = asyncio.create_task(self._work(key, worker, pending))
        return worker

    async def _work(self, key: SessionKey, worker: _Worker, pending: PendingInput | None) -> None:
        try:
            begun = None if pending is None else await self._accept_and_begin(key, pending)
            while begun is not None or worker.again:
                worker.again = False
                await self._run_all(key, worker, begun)
                begun = None
        except HeartRuleError as error:
            LOG.warning("worker stopped", extra={"reason": error.reason, "error": error.message})
            if error.retryable and worker.opening:
                # The store has no row of an opening that never began, for the sweep.
                wake = partial(self.wake, key, opening=True)
                asyncio.get_running_loop().call_later(self._reopen_after_s, wake)
        except Exception:  # the sweep takes the session up again; the log needs the reason
            LOG.exception("worker failed")
        finally:
            del self._workers[key]
            if worker.again:
                self.wake(key, opening=worker.opening)

    async def _accept_and_begin(self, key: SessionKey, pending: PendingInput) -> _Begun | None:
        """Store the input that started the worker, and return what has begun with it."""
        answer = pending.accepted
        try:
            accepted, begun = await self._store.accept_and_begin(
                key,
                pending.user_input,
                owner=self._owner,
                ttl=self._ttl,
                urgent=pending.urgent,
            )
        except asyncio.CancelledError:
            answer.cancel()
            raise
        except Exception as error:  # noqa: BLE001  it is for the one who sent the input
            if not answer.done():
                answer.set_exception(error)
            return None
        self._publish_accepted(key, accepted)
        if not accepted.duplicate:
            self._publish_begun(begun)
        if not answer.done():
            answer.set_result(accepted)
            # The sender runs first, so that it follows the turn from its first draft.
            await asyncio.sleep(0)
        if accepted.duplicate:  # by now the sender has replayed the earlier events
            self._publish_begun(begun)
        return begun

    async def _run_all(self, key: SessionKey, worker: _Worker, begun: _Begun | None) -> None:
        """Run turns until nothing waits, another holder has the lease, or an attempt failed.

        What has `begun` is run also while the process is leaving: its lease is taken.
        """
        while begun is not None or not self._closing:
            if begun is None:
                begun = await self._begin(key, worker)
                self._publish_begun(begun)
            if isinstance(begun, TurnSnapshot):
                if not await self._run(begun):
                    return
            elif isinstance(begun, TurnLater):
                await _pause(worker, begun.delay)
            elif begun is NoTurn.URGENT:
                await asyncio.sleep(self._take_over_after_s)
                worker.takes_over = True
            else:
                return
            begun = None

    async def _begin(self, key: SessionKey, worker: _Worker) -> _Begun:
        takes_over, worker.takes_over = worker.takes_over, False
        if worker.opening and not takes_over:
            begun = await self._store.begin_opening(key, owner=self._owner, ttl=self._ttl)
            worker.opening = False
            if begun is not NoTurn.IDLE:
                return begun
        return await self._store.begin_turn(
            key, owner=self._owner, ttl=self._ttl, takes_over=takes_over
        )

    def _publish_accepted(self, key: SessionKey, accepted: AcceptedInput) -> None:
        self._failpoints.hit(Failpoint.AFTER_ACCEPT)
        self._hub.publish(key, accepted.events)
        if accepted.stop is not None:
            self._failpoints.hit(Failpoint.AFTER_INTERRUPT)
            self.stops.ask(key, accepted.stop)

    def _publish_begun(self, begun: _Begun) -> None:
        """Publish the beginning of a turn without awaiting anything before.

        Events of a later transaction would otherwise come first, and leave a gap for watchers.
        """
        if isinstance(begun, TurnSnapshot):
            self._failpoints.hit(Failpoint.AFTER_BEGIN)
            self._hub.publish(begun.lease.key, begun.events)
            count_events(begun.events)


async def _pause(worker: _Worker, delay: timedelta) -> None:
    """Wait for a merge window to close, or for what does not wait for it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(delay.total_seconds()):
            await worker.hurry.wait()
    worker.hurry.clear()
