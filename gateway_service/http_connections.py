"""What an HTTP connection may take before any token is looked at: places, header, time.

uvicorn with h11 bounds the bytes of a header, and waits for the rest of one for ever. Its protocol
is extended here by the times, and by how many connections there are (ADR 56).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gateway_service.caller import Network, caller_of_address
from heartrule.chassis import telemetry_metrics

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
