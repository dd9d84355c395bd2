"""The idle time-out: sessions without input for long are ended (RESOLUTIONS C31)."""

from __future__ import annotations

import logging
from datetime import timedelta

from executor_service.hub import SessionHub
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
            LOG.info("ended %d idle sessions", ended)
        return ended
