"""uvicorn within this process: it binds a port, serves an application, and stops when told."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from gateway_service.http_connections import ConnectionLimits
from gateway_service.settings import ConnectionSettings, GatewayServerSettings
from heartrule.chassis.settings import SettingsError

# A console reconnects all its streams at once after a restart; the kernel holds them meanwhile.
_BACKLOG = 1_024
_PORT = "HEARTRULE_GATEWAY_PORT"


class _QuietServer(uvicorn.Server):
    """A uvicorn server without signal handlers: `Lifecycle` handles the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take no signals."""
        yield


class HttpServer:
    """Serves an application until `stop`."""

    def __init__(self, server: GatewayServerSettings, connections: ConnectionSettings) -> None:
        """Bind the address; nothing answers before `start`.

        Raises:
            SettingsError: The address cannot be had.
        """
        self._socket = _bound(server.host, server.port)
        self._grace_s = server.stop_grace
        self._connections = connections
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.port = int(self._socket.getsockname()[1])

    async def start(self, app: ASGIApp) -> None:
        """Answer from now on."""
        limits = self._connections
        proxies = list(limits.trusted_proxies)
        config = uvicorn.Config(
            app, http=_protocol(limits), ws="none", lifespan="off", log_config=None,
            access_log=False, server_header=False,
            h11_max_incomplete_event_size=limits.header_limit,
            # uvicorn takes the last address of X-Forwarded-For that is no trusted proxy's.
            proxy_headers=bool(proxies), forwarded_allow_ips=proxies,
            timeout_keep_alive=int(limits.idle_timeout) or 1,
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


def _protocol(settings: ConnectionSettings) -> Any:
    return ConnectionLimits(
        header_s=settings.header_timeout,
        body_s=settings.body_timeout,
        most=settings.max_connections,
        most_of_one=settings.max_connections_per_address,
        trusted=tuple(ip_network(each, strict=False) for each in settings.trusted_proxies),
    ).protocol()


def _bound(host: str, port: int) -> socket.socket:
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
        raise SettingsError((f"{_PORT}: cannot listen on {place}; is it taken?",)) from None
    return made
