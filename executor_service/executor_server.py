"""The executor on the network: its services, its health checks, and a graceful stop."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from grpc import aio

from executor_service.bootstrap import Executor
from executor_service.servicer import SERVICE_NAMES
from heartrule.chassis.background import every
from heartrule.chassis.health import READY, Health
from heartrule.chassis.server import ServerSettings, build_server
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import GoingAway, SessionEvent
from heartrule.v1 import safety_pb2
from heartrule.wire.message_mapping import to_message

# Between two pings of the database, and the time it has to answer: a database that is gone is
# reported within five seconds.
_READY_CHECK_S = 2.0
_RECONNECT_AFTER = timedelta(seconds=1)


def _fallback(error: HeartRuleError) -> safety_pb2.SafetyFallback | None:
    """Return what a client is shown in place of a refusal, as a detail of its status."""
    return to_message(error.fallback, safety_pb2.SafetyFallback) if error.fallback else None


class ExecutorServer:
    """Serves an executor's sessions over gRPC."""

    def __init__(self, settings: ServerSettings, executor: Executor) -> None:
        """Bind the port of the health checks; nothing answers before `start`."""
        self._settings = settings
        self._executor = executor
        self._server: aio.Server | None = None
        self._ready_check: asyncio.Task[None] | None = None
        self.port = 0
        self.health = Health(settings.host, settings.health_port)

    async def start(self) -> None:
        """Open the store, listen, and take up the turns that a dead process left."""
        await self.health.start()
        await self._executor.store.start()
        self._server, self.port = build_server(
            self._settings,
            register=self._executor.register,
            service_names=SERVICE_NAMES,
            detail=_fallback,
        )
        await self._server.start()
        self._executor.begin_background()
        self._ready_check = asyncio.create_task(every(_READY_CHECK_S, self._check_ready))
        await self.health.set(READY, serving=True)

    async def go_away(self) -> None:
        """Emit GoingAway on every stream; clients resume elsewhere by sequence."""
        body = GoingAway(reconnect_after=_RECONNECT_AFTER)
        self._executor.hub.broadcast(lambda key: SessionEvent(session_id=key.session_id, body=body))

    async def close(self) -> None:
        """Stop listening and close everything, the executor too."""
        if self._ready_check is not None:
            self._ready_check.cancel()
            await asyncio.gather(self._ready_check, return_exceptions=True)
        await self._executor.end_background()
        if self._server is not None:
            await self._server.stop(grace=1.0)
        await self._executor.aclose()
        await self.health.close()

    async def _check_ready(self) -> None:
        """Report readiness while the database answers; liveness does not depend on it."""
        try:
            async with asyncio.timeout(_READY_CHECK_S):
                await self._executor.store.ping()
        except (HeartRuleError, TimeoutError):
            await self.health.set(READY, serving=False)
        else:
            await self.health.set(READY, serving=True)
