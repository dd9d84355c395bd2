"""Waiting, for a moment, for the advice on the round before (RESOLUTIONS C11)."""

from __future__ import annotations

import asyncio
import logging

from executor_service.hub import SessionHub, Subscription
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.monitoring import Advice
from session_store.ports import MonitorStore
from session_store.records import MonitorTicket

LOG = logging.getLogger(__name__)


class AdviceWaiting:
    """Lets a turn wait for one analysis; nobody else notices."""

    def __init__(self, store: MonitorStore, hub: SessionHub) -> None:
        """Hear of analyses' ends from `hub`, in this process or another; read them in `store`."""
        self._store = store
        self._hub = hub

    async def wait(self, ticket: MonitorTicket, seconds: float) -> Advice | None:
        """Return the round's pending advice once it is there; None when none comes in time.

        Returns at once where no analysis of the round is open, or where the store does not say.
        """
        watcher = self._hub.subscribe(ticket.key)
        until = asyncio.get_running_loop().time() + seconds
        try:
            while True:
                outlook = await self._store.look_for_advice(ticket)
                if outlook.advice is not None or not outlook.open:
                    return outlook.advice
                async with asyncio.timeout_at(until):
                    await _something_new(watcher)
        except TimeoutError:
            return None
        except HeartRuleError as error:
            LOG.warning("no wait for advice", extra={"reason": error.reason})
            return None
        finally:
            watcher.close()


async def _something_new(watcher: Subscription) -> None:
    await watcher.wait()
    watcher.take_behind()
    while watcher.take() is not None:
        pass
