"""The executor on the network: its services, its health checks, and a graceful stop."""

from __future__ import annotations

from datetime import timedelta

from grpc import aio

from executor_service.bootstrap import Executor
from executor_service.readiness import Readiness
from executor_service.servicer import SERVICE_NAMES
from heartrule.chassis.health import Health
from heartrule.chassis.server import ServerSettings, build_server
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import GoingAway, SessionEvent
from heartrule.v1 import safety_pb2
from heartrule.wire.message_mapping import to_message

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
        self.port = 0
        self._readiness = Readiness(settings, executor.store)

    @property
    def health(self) -> Health:
        """Return what answers the health checks."""
        return self._readiness.health

    async def start(self) -> None:
        """Open the store, listen, and take up the turns and runs that a dead process left."""
        await self._readiness.start()
        await self._executor.store.start()
        self._server, self.port = build_server(
            self._settings,
            register=self._executor.register,
            service_names=SERVICE_NAMES,
            detail=_fallback,
        )
        await self._server.start()
        # Processes may share the port of the services, and then have one each for their health.
        self._executor.begin_background(
            self.health.port if self._settings.reuse_port else self.port
        )
        await self._readiness.ready()

    async def go_away(self) -> None:
        """Emit GoingAway on every stream; clients resume elsewhere by sequence."""
        body = GoingAway(reconnect_after=_RECONNECT_AFTER)
        self._executor.hub.broadcast(lambda key: SessionEvent(session_id=key.session_id, body=body))

    async def close(self) -> None:
        """Stop listening and close everything, the executor too."""
        await self._readiness.stop()
        await self._executor.end_background()
        if self._server is not None:
            await self._server.stop(grace=1.0)
        await self._executor.aclose()
        await self._readiness.close()
