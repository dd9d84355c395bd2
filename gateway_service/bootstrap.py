"""The gateway's composition: the only module that knows which implementation is used."""

from __future__ import annotations

import asyncio

from gateway_service.access import Gate
from gateway_service.app import make_app
from gateway_service.caller_limits import CallerLimits
from gateway_service.console_cookie import ConsoleCookies
from gateway_service.crisis_screen import CrisisScreen
from gateway_service.executor import ExecutorLink
from gateway_service.failed_logins import FailedLogins
from gateway_service.http_server import HttpServer
from gateway_service.services import Services
from gateway_service.settings import GatewaySettings
from heartrule.chassis.health import READY, Health
from heartrule.chassis.system_files import system_dir


class Gateway:
    """A gateway service; it answers between `start` and `close`."""

    def __init__(self, settings: GatewaySettings) -> None:
        """Bind the ports; call it inside the running loop.

        Raises:
            SettingsError: An address cannot be had.
        """
        server = settings.server
        self._http = HttpServer(server, settings.connections)
        self.health = Health(
            server.host, server.health_port, variable="HEARTRULE_GATEWAY_HEALTH_PORT"
        )
        self.port = self._http.port
        self.services = Services(
            settings=settings,
            executor=ExecutorLink(
                settings.requests.executor_address,
                call_timeout_s=settings.requests.call_timeout,
                token=settings.requests.executor_token,
            ),
            gate=Gate(
                token=server.token,
                hosts=server.allowed_hosts,
                origins=server.allowed_origins,
                cookies=ConsoleCookies(server.token) if server.token else None,
            ),
            failed_logins=FailedLogins(),
            callers=CallerLimits(settings.callers),
            screen=CrisisScreen(system_dir(settings.system.system_dir) / "safety"),
            leaving=asyncio.get_running_loop().create_future(),
        )

    async def start(self) -> None:
        """Answer from now on; whether the executor does is another matter (503)."""
        await self.health.start()
        await self._http.start(make_app(self.services))
        await self.health.set(READY, serving=True)

    async def go_away(self) -> None:
        """End every event stream with `goingAway`, so that readers reconnect elsewhere."""
        if not self.services.leaving.done():
            self.services.leaving.set_result(None)

    async def drain(self) -> None:
        """Take no more requests and let those that run end within the grace."""
        await self._http.stop()

    async def close(self) -> None:
        """Free everything."""
        await self.services.executor.aclose()
        await self.health.close()
