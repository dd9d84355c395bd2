"""How long the database keeps sessions and what belongs to them, by class."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from executor_service.settings import StoreSettings
from session_store.ports import Store

LOG = logging.getLogger(__name__)
# Batches of one sweep, so that the first sweep over an old database leaves room for turns.
_MOST_BATCHES = 100


class RetentionSweep:
    """Deletes by age what the settings name; everything else stays until it is deleted."""

    def __init__(self, store: Store, settings: StoreSettings) -> None:
        """Sweep one store; 0 days keep a class, but for the ledger's texts."""
        self._store = store
        self._ledger = timedelta(days=settings.ledger_text_days)
        self._classes: dict[str, tuple[float, Callable[[timedelta], Awaitable[int]]]] = {
            "sessions": (settings.session_days, store.delete_untouched),
            "events": (settings.event_days, store.delete_events),
            "metrics": (settings.metric_days, store.delete_observations),
        }

    async def sweep(self) -> None:
        """Delete what is older than its class is kept."""
        await self._store.trim_ledger(self._ledger)
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
            LOG.info("retention: %s of %d sessions deleted", name, done)
