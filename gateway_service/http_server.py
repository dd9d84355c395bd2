"""uvicorn within this process: it binds a port, serves an application, and stops when told."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from gateway_service.caller import Network, networks_of
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
        self._socket = _bound(server.host, server.port, connections.answer_timeout)
        self._grace_s = server.stop_grace
        self._connections = connections
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None
        self.port = int(self._socket.getsockname()[1])

    async def start(self, app: ASGIApp) -> None:
        """Answer from now on."""
        limits = self._connections
        proxies = tuple(networks_of(limits.trusted_proxies))
        config = uvicorn.Config(
            app, http=_protocol(limits, proxies), ws="none", lifespan="off", log_config=None,
            # Its warnings are of callers that speak no HTTP: a line for each would fill a disk.
            log_level="error", access_log=False, server_header=False,
            h11_max_incomplete_event_size=limits.header_limit,
            # uvicorn takes the last address of X-Forwarded-For that is no trusted proxy's.
            proxy_headers=bool(proxies), forwarded_allow_ips=list(map(str, proxies)),
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


def _protocol(settings: ConnectionSettings, trusted: Sequence[Network]) -> Any:
    return ConnectionLimits(
        header_s=settings.header_timeout,
        body_s=settings.body_timeout,
        most=settings.max_connections,
        most_of_one=settings.max_connections_per_address,
        trusted=trusted,
    ).protocol()


def _bound(host: str, port: int, answer_s: float) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            # The kernel sees what no timer of ours does: whether the reader takes anything.
            # Accepted connections inherit it.
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(answer_s * 1_000))
        made.bind((host, port))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        raise SettingsError((f"{_PORT}: cannot listen on {place}; is it taken?",)) from None
    return made
