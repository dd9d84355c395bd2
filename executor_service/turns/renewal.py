"""Keeps the lease of a running attempt; a turn that is quick enough never notices it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

from heartrule.domain.errors import LeaseLost, StoreUnavailable
from session_store.ports import TurnStore
from session_store.records import Lease

LOG = logging.getLogger(__name__)


class Renewal:
    """Prolongs one lease every third of its life, until it is ended or the lease is gone."""

    def __init__(self, store: TurnStore, lease: Lease, ttl: timedelta) -> None:
        """Nothing runs before `begin`."""
        self.failure: Exception | None = None
        """Why the attempt must stop: LeaseLost, or what went wrong with renewing."""
        self._store = store
        self._lease = lease
        self._ttl = ttl
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, stop: Callable[[], None]) -> None:
        """Start to renew; `stop` is called once, when there is a `failure`.

        No task is made before the first renewal: most turns are over by then.
        """
        self._timer = asyncio.get_running_loop().call_later(self._pause_s(), self._start, stop)

    async def end(self) -> None:
        """Stop renewing; nothing runs any more when this returns."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _start(self, stop: Callable[[], None]) -> None:
        self._task = asyncio.ensure_future(self._renew(stop))

    async def _renew(self, stop: Callable[[], None]) -> None:
        """Renew now and after every pause.

        A store that fails to answer costs nothing yet: the next step's commit is fenced anyway.
        """
        try:
            while True:
                try:
                    held = await self._store.renew_lease(self._lease, self._ttl)
                except StoreUnavailable:
                    LOG.warning("lease not renewed", extra={"error_class": "StoreUnavailable"})
                    held = True
                if not held:
                    raise LeaseLost("the session was taken over", reason="LEASE_LOST")
                await asyncio.sleep(self._pause_s())
        except Exception as error:  # noqa: BLE001  whatever it is, the attempt fails with it
            self.failure = error
            stop()

    def _pause_s(self) -> float:
        return self._ttl.total_seconds() / 3
