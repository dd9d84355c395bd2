"""Health: grpc.health.v1 on a server of its own, so that a full service still answers probes."""

from __future__ import annotations

from grpc import aio
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health import aio as grpc_health
from grpc_health.v1.health_pb2 import HealthCheckResponse

from heartrule.chassis.server import bind_port

# The check of the process itself: SERVING as long as it runs.
LIVE = ""
# The check a load balancer asks: SERVING while new work is welcome.
READY = "ready"


class Health:
    """Answers probes; `port` is where."""

    def __init__(self, host: str, port: int, *, variable: str = "HEARTRULE_HEALTH_PORT") -> None:
        """Bind the address, which `variable` sets; nothing answers before `start`.

        Raises:
            SettingsError: The address cannot be had.
        """
        self._servicer = grpc_health.HealthServicer()
        self._server = aio.server()
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, self._server)
        self.port = bind_port(self._server, host, port, variable=variable)
        self._checks = {LIVE: True, READY: False}
        self._leaving = False

    async def start(self) -> None:
        """Answer from now on: alive, not yet ready."""
        for check, serving in self._checks.items():
            await self._tell(check, serving=serving)
        await self._server.start()

    async def set(self, check: str, *, serving: bool) -> None:
        """Change or add a check; once the process is leaving, only its end counts."""
        if not self._leaving:
            self._checks[check] = serving
            await self._tell(check, serving=serving)

    async def leave(self) -> None:
        """Call every check but the process itself NOT_SERVING, for good."""
        self._leaving = True
        for check in self._checks.keys() - {LIVE}:
            await self._tell(check, serving=False)

    async def close(self) -> None:
        """Stop answering."""
        await self._server.stop(grace=None)

    async def _tell(self, check: str, *, serving: bool) -> None:
        state = HealthCheckResponse.SERVING if serving else HealthCheckResponse.NOT_SERVING
        await self._servicer.set(check, state)
