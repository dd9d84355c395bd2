"""What a process answers to probes: alive from the start, ready while its database answers."""

from __future__ import annotations

import asyncio

from heartrule.chassis.background import every
from heartrule.chassis.health import READY, Health
from heartrule.chassis.server import ServerSettings
from heartrule.domain.errors import HeartRuleError
from session_store.ports import Store

# Between two pings of the database, and the time it has to answer: a database that is gone is
# reported within five seconds.
_READY_CHECK_S = 2.0


class Readiness:
    """The health checks of a process with a store."""

    def __init__(self, settings: ServerSettings, store: Store) -> None:
        """Bind the port of the health checks; nothing answers before `start`."""
        self.health = Health(settings.host, settings.health_port)
        self._store = store
        self._checking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Answer: alive, not yet ready."""
        await self.health.start()

    async def ready(self) -> None:
        """Answer that new work is welcome, while the database answers."""
        self._checking = asyncio.create_task(every(_READY_CHECK_S, self._check))
        await self.health.set(READY, serving=True)

    async def stop(self) -> None:
        """Look at the database no more; the checks are answered until `close`."""
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)

    async def close(self) -> None:
        """Answer no more."""
        await self.health.close()

    async def _check(self) -> None:
        """Report readiness; liveness does not depend on the database."""
        try:
            async with asyncio.timeout(_READY_CHECK_S):
                await self._store.ping()
        except (HeartRuleError, TimeoutError):
            await self.health.set(READY, serving=False)
        else:
            await self.health.set(READY, serving=True)
