"""The gateway's composition: the only module that knows which implementation is used."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from gateway_service.access import Gate
from gateway_service.app import make_app
from gateway_service.console_cookie import ConsoleCookies
from gateway_service.crisis_screen import CrisisScreen
from gateway_service.executor import ExecutorLink
from gateway_service.failed_logins import FailedLogins
from gateway_service.services import Services
from gateway_service.settings import GatewaySettings
from heartrule.chassis.health import READY, Health
from heartrule.chassis.settings import SettingsError
from heartrule.chassis.system_files import system_dir

# A console reconnects all its streams at once after a restart; the kernel holds them meanwhile.
_BACKLOG = 1_024
# Longer than the 60 s of common proxies, so that the proxy closes an idle connection first and
# sends no request into one that is being closed.
_KEEP_ALIVE_S = 75


class _QuietServer(uvicorn.Server):
    """A uvicorn server without signal handlers: `Lifecycle` handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take no signals."""
        yield


class HttpServer:
    """Serves an application until `stop`."""

    def __init__(self, host: str, port: int, *, variable: str, grace_s: float) -> None:
        """Bind the address, which `variable` sets; nothing answers before `start`.

        Raises:
            SettingsError: The address cannot be had.
        """
        self._socket = _bound(host, port, variable)
        self._grace_s = grace_s
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.port = int(self._socket.getsockname()[1])

    async def start(self, app: ASGIApp) -> None:
        """Answer from now on."""
        config = uvicorn.Config(
            app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False,
            server_header=False, proxy_headers=False, timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=int(self._grace_s) or 1,
        )  # fmt: skip
        self._server = _QuietServer(config)
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        while not self._server.started:
            if self._serving.done():
                self._serving.result()
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Take no more requests, let those that run end within the grace, and close."""
        if self._server is None or self._serving is None:
            self._socket.close()
            return
        self._server.should_exit = True
        await self._serving


def _bound(host: str, port: int, variable: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        raise SettingsError((f"{variable}: cannot listen on {place}; is it taken?",)) from None
    return made


class Gateway:
    """A gateway service; it answers between `start` and `close`."""

    def __init__(self, settings: GatewaySettings) -> None:
        """Bind the ports; call it inside the running loop.

        Raises:
            SettingsError: An address cannot be had.
        """
        server = settings.server
        self._http = HttpServer(
            server.host, server.port, variable="HEARTRULE_GATEWAY_PORT", grace_s=server.stop_grace
        )
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
