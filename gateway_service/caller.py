"""The address that a request is counted under."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import HTTPConnection

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
