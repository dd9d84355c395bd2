"""Sweeps by age: sessions without input are ended (RESOLUTIONS C31), what is old is deleted."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from executor_service.hub import SessionHub
from executor_service.settings import StoreSettings
from session_store.ports import Store

LOG = logging.getLogger(__name__)
# Sessions ended in one sweep, each in a transaction; the rest waits for the next.
BATCH = 100
# A session ends at most a minute after its time, however long that time is.
_LONGEST_WAIT_S = 60.0


class IdleSweep:
    """Ends sessions that wait for a client longer than the setting allows."""

    def __init__(self, store: Store, hub: SessionHub, idle: timedelta) -> None:
        """Sweep one store; an `idle` of zero ends nothing."""
        self._store = store
        self._hub = hub
        self._idle = idle

    @property
    def enabled(self) -> bool:
        """Whether sessions end by time at all."""
        return self._idle > timedelta(0)

    @property
    def every_s(self) -> float:
        """Seconds between two sweeps."""
        return min(_LONGEST_WAIT_S, self._idle.total_seconds() / 4)

    async def sweep(self) -> int:
        """End idle sessions, publish that, and return how many there were."""
        ended = 0
        for key in await self._store.find_idle(self._idle, BATCH):
            events = await self._store.end_idle(key, self._idle)
            if events:
                ended += 1
                self._hub.publish(key, events)
        if ended:
            LOG.info("idle sessions were ended", extra={"count": ended})
        return ended


# Batches of one sweep, so that the first sweep over an old database leaves room for turns.
_MOST_BATCHES = 100


class RetentionSweep:
    """Deletes by age what the settings name; everything else stays until it is deleted."""

    def __init__(self, store: Store, settings: StoreSettings) -> None:
        """Sweep one store; 0 days keep a class, but for texts of the ledger and of runs."""
        self._store = store
        self._ledger = timedelta(days=settings.ledger_text_days)
        self._runs = timedelta(days=settings.run_output_days)
        self._classes: dict[str, tuple[float, Callable[[timedelta], Awaitable[int]]]] = {
            "sessions": (settings.session_days, store.delete_untouched),
            "events": (settings.event_days, store.delete_events),
            "metrics": (settings.metric_days, store.delete_observations),
        }

    async def sweep(self) -> None:
        """Delete what is older than its class is kept."""
        await self._store.trim_ledger(self._ledger)
        await self._store.trim_runs(self._runs)
        for name, (days, delete) in self._classes.items():
            if days > 0:
                await self._delete(name, timedelta(days=days), delete)

    async def _delete(
        self, name: str, age: timedelta, delete: Callable[[timedelta], Awaitable[int]]
    ) -> None:
        done = 0
        for _ in range(_MOST_BATCHES):
            some = await delete(age)
            done += some
            if not some:
                break
        if done:
            LOG.info("deleted by age", extra={"what": name, "sessions": done})
