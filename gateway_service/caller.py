"""The address that a request is counted under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from starlette.requests import HTTPConnection

Network: TypeAlias = IPv4Network | IPv6Network

# What one IPv6 customer is given: its addresses are as many as it likes.
_CUSTOMER = 64


def caller_of(connection: HTTPConnection) -> str:
    """Return the caller's address; of IPv6 the network of its customer.

    Behind a trusted proxy it is the one that the proxy names: uvicorn has put it there.
    """
    return caller_of_address(connection.client.host if connection.client else "")


def caller_of_address(host: str) -> str:
    """Return what an address is counted under; as `caller_of`."""
    try:
        address = ip_address(host)
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, _CUSTOMER), strict=False))
    return str(address)


def networks_of(written: Iterable[str]) -> Iterator[Network]:
    """Yield addresses and networks as the peers of a socket are named.

    Raises:
        ValueError: One of them is neither.
    """
    for each in written:
        network = ip_network(each, strict=False)
        yield network
        if isinstance(network, IPv4Network):
            # A socket that listens on `::` names peers of IPv4 so.
            mapped = f"::ffff:{network.network_address}"
            yield IPv6Network((mapped, 96 + network.prefixlen))
