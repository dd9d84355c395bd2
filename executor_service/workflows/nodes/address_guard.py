"""Which addresses an HTTP node may connect to, judged where the connection is made.

A name, a redirect or a second look-up cannot go round it: what is judged is the very address that
the socket is for.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, TypeAlias

from aiohttp.abc import AbstractResolver, ResolveResult

from executor_service.workflows.nodes.node_access import Network

AddressInfo: TypeAlias = tuple[
    int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]
]
"""As `socket.getaddrinfo` gives it."""

# `is_global` of the standard library changed between releases of Python 3.11, so the ranges of the
# registries (RFC 6890 and its updates) stand here.
_CLOSED_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",  # answers inside one cloud alone, as its metadata do
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
# All other IPv6 is no global unicast: NAT64 (64:ff9b::), private, link-local, multicast.
_UNICAST_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # Teredo and other protocols
            "2001:db8::/32",
            "2002::/16",  # 6to4
            "3fff::/20",
        ),
    )
)
# Of look-ups; one that hangs holds its thread until the system gives up.
_THREADS = 8


class AddressRefused(OSError):
    """The address is none that a node may connect to."""


def may_connect(address: IPv4Address | IPv6Address, networks: Iterable[Network] = ()) -> bool:
    """Return whether an address is of the public internet, or in one of the networks."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    plain = mapped or address
    if any(plain in network for network in networks):
        return True
    if isinstance(plain, IPv4Address):
        return not any(plain in each for each in _CLOSED_V4)
    return plain in _UNICAST_V6 and not any(plain in each for each in _CLOSED_V6)


class AddressGuard:
    """Makes the sockets of one call."""

    def __init__(self, networks: Iterable[Network]) -> None:
        """Nothing has been refused yet."""
        self._networks = tuple(networks)
        self.has_refused = False
        """Whether an address was refused; aiohttp passes on no error of ours by its class."""

    def socket(self, info: AddressInfo) -> socket.socket:
        """Return a socket for an address.

        Raises:
            AddressRefused: No node may connect to it.
        """
        family, kind, protocol, _, place = info
        if not self._is_open(str(place[0])):
            self.has_refused = True
            raise AddressRefused("this address is closed to nodes")
        return socket.socket(family, kind, protocol)

    def _is_open(self, address: str) -> bool:
        try:
            return may_connect(ip_address(address), self._networks)
        except ValueError:
            return False


class HostLookup(AbstractResolver):
    """Looks names up in threads of its own.

    Strangers choose the names: a slow one would hold the threads that the process needs elsewhere.
    """

    def __init__(self) -> None:
        """No thread runs before the first look-up."""
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="node-lookup")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host; OSError where it has none."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _addresses, host, port, family)

    async def close(self) -> None:
        """Take no further look-up; those that hang are left to end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses(host: str, port: int, family: socket.AddressFamily) -> list[ResolveResult]:
    found = socket.getaddrinfo(
        host, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
    )
    return [
        ResolveResult(
            hostname=host,
            host=str(place[0]),
            port=port,
            family=kind,
            proto=protocol,
            flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
        )
        for kind, _, protocol, _, place in found
    ]
