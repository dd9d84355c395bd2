"""uvicorn inside our own lifecycle: a port bound before it serves, no signals of its own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from heartrule.chassis.settings import SettingsError

_BACKLOG = 1_024
_KEEP_ALIVE_S = 75


class _QuietServer(uvicorn.Server):
    """A server that leaves signals to the lifecycle."""

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
