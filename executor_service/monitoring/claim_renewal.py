"""Claims on requests to the monitor, prolonged while the work on them lasts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from heartrule.domain.errors import HeartRuleError
from session_store.ports import Store
from session_store.records import MonitorTicket

LOG = logging.getLogger(__name__)


@asynccontextmanager
async def renewed(
    store: Store, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> AsyncIterator[None]:
    """Prolong a claim every third of its life until the block ends, so that no other takes it.

    A store that fails to answer costs nothing yet: the claim has two further chances.
    """
    task = asyncio.create_task(_renew(store, ticket, owner, ttl))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _renew(store: Store, ticket: MonitorTicket, owner: str, ttl: timedelta) -> None:
    held = True
    while held:
        await asyncio.sleep(ttl.total_seconds() / 3)
        try:
            held = await store.renew_claim(ticket, owner=owner, ttl=ttl)
        except HeartRuleError as error:
            LOG.warning("claim not renewed", extra={"reason": error.reason})
