"""uvicorn within this process: it binds a port, serves an application, and stops when told.

uvicorn with h11 bounds the bytes of a header, and waits for the rest of one for ever. Its protocol
is extended here by the times, and by how many connections there are (ADR 56).
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gateway_service.caller import Network, caller_of_address, networks_of
from gateway_service.settings import ConnectionSettings, GatewayServerSettings
from heartrule.chassis import telemetry_metrics
from heartrule.chassis.settings import SettingsError

REFUSED = "heartrule.gateway.refused_connections"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """The limits, and the connections there are."""

    header_s: float
    """From the connection, or the first byte of a further request, to the end of its header."""
    body_s: float
    """From there to the end of its body."""
    most: int
    """Connections in all; 0: any number."""
    most_of_one: int
    """Connections of one address; 0: any number."""
    trusted: Sequence[Network] = ()
    """Networks of proxies, behind which there are many callers."""
    open: Counter[str] = field(default_factory=Counter)

    def protocol(self) -> Any:
        """Return what uvicorn calls to make the protocol of a connection."""
        return partial(BoundedProtocol, limits=self)

    def take(self, host: str) -> str:
        """Count a connection from `host`; return which limit leaves it no place, or nothing."""
        address, refused = caller_of_address(host), ""
        if self.most and self.open.total() >= self.most:
            refused = "all"
        elif self.most_of_one and self.open[address] >= self.most_of_one:
            refused = "" if self._is_trusted(host) else "address"
        self.open[address] += 1
        return refused

    def give_back(self, host: str) -> None:
        """Count a connection no more."""
        address = caller_of_address(host)
        self.open[address] -= 1
        if not self.open[address]:
            del self.open[address]

    def _is_trusted(self, host: str) -> bool:
        return any(ip_address(host) in network for network in self.trusted)


class BoundedProtocol(H11Protocol):
    """One connection within the limits; it is closed where it exceeds one."""

    def __init__(self, *args: Any, limits: ConnectionLimits, **kwargs: Any) -> None:
        """Wait for a connection."""
        super().__init__(*args, **kwargs)
        self._limits = limits
        self._host = ""
        self._receiving: asyncio.TimerHandle | None = None
        self._part: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or close."""
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        refused = self._limits.take(self._host)
        if refused:
            telemetry_metrics.count(REFUSED, limit=refused)
            transport.abort()
            return
        self._wait_for(h11.IDLE, self._limits.header_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._stop_waiting()
        self._limits.give_back(self._host)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what came, perhaps behind an earlier request; the rest of it has its time."""
        super().handle_events()
        state = self.conn.their_state
        if self.transport.is_closing():
            self._stop_waiting()
        elif state is h11.SEND_BODY:
            self._wait_for(state, self._limits.body_s)
        elif state is h11.IDLE and self.conn.trailing_data[0]:
            self._wait_for(state, self._limits.header_s)
        else:
            self._stop_waiting()

    def _wait_for(self, part: object, seconds: float) -> None:
        """Close in so many seconds; a part that is waited for already gets no more time."""
        if self._part is part:
            return
        self._stop_waiting()
        self._part = part
        self._receiving = self.loop.call_later(seconds, self._late)

    def _stop_waiting(self) -> None:
        self._part = None
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def _late(self) -> None:
        telemetry_metrics.count(REFUSED, limit="time")
        # Not close(): what a slow reader has not taken yet would keep it open.
        self.transport.abort()


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
