from __future__ import annotations

import socket
from ipaddress import ip_address, ip_network

import pytest

from executor_service.workflows.nodes.address_guard import (
    AddressGuard,
    AddressRefused,
    may_connect,
)

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "2606:4700::1111",
    "2400:3200::1",
    "::ffff:8.8.8.8",
]
CLOSED = {
    "this host": "0.0.0.0",
    "loopback": "127.0.0.1",
    "all of loopback": "127.255.255.254",
    "private, 10": "10.0.0.1",
    "private, 172": "172.16.0.1",
    "private, the end of 172": "172.31.255.255",
    "private, 192": "192.168.1.1",
    "carriers": "100.64.0.1",
    "metadata": "169.254.169.254",
    "metadata of a carrier's range": "100.100.100.200",
    "metadata of protocols": "192.0.0.192",
    "a cloud's own server": "168.63.129.16",
    "6to4 relays": "192.88.99.1",
    "documentation": "192.0.2.1",
    "documentation, 2": "198.51.100.1",
    "documentation, 3": "203.0.113.1",
    "benchmarks": "198.19.0.1",
    "multicast": "224.0.0.1",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "IPv6 this host": "::",
    "IPv6 loopback": "::1",
    "IPv6 link-local": "fe80::1",
    "IPv6 link-local with a zone": "fe80::1%1",
    "IPv6 private": "fd00:ec2::254",
    "IPv6 multicast": "ff02::1",
    "IPv6 documentation": "2001:db8::1",
    "IPv6 documentation, 2": "3fff::1",
    "mapped loopback": "::ffff:127.0.0.1",
    "mapped metadata": "::ffff:a9fe:a9fe",
    "compatible loopback": "::127.0.0.1",
    "NAT64": "64:ff9b::7f00:1",
    "NAT64 of a public address": "64:ff9b::808:808",
    "NAT64 of its own": "64:ff9b:1::7f00:1",
    "6to4": "2002:7f00:1::1",
    "6to4 of a public address": "2002:808:808::1",
    "Teredo": "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "segments": "5f00::1",
}


@pytest.mark.parametrize("address", PUBLIC)
def test_public_unicast_is_open(address: str) -> None:
    """An address of the public internet may be connected to, mapped into IPv6 too."""
    assert may_connect(ip_address(address))


@pytest.mark.parametrize("address", CLOSED.values(), ids=CLOSED.keys())
def test_everything_else_is_closed(address: str) -> None:
    """Loopback, private, metadata, and what carries another address within are refused."""
    assert not may_connect(ip_address(address))


def test_a_policy_opens_networks() -> None:
    """A network of the policy is open, spelled as IPv4 or mapped; its neighbours stay closed."""
    networks = (ip_network("10.1.0.0/16"), ip_network("fd00:1::/32"))
    assert may_connect(ip_address("10.1.2.3"), networks)
    assert may_connect(ip_address("::ffff:10.1.2.3"), networks)
    assert may_connect(ip_address("fd00:1::5"), networks)
    assert not may_connect(ip_address("10.2.0.1"), networks)
    assert not may_connect(ip_address("fd00:2::5"), networks)


@pytest.mark.parametrize("place", [("127.0.0.1", 80), ("no address", 80), ("::1", 80, 0, 0)])
def test_a_closed_address_gets_no_socket(place: tuple[object, ...]) -> None:
    """The guard refuses before there is a socket, and remembers that it did."""
    guard = AddressGuard(())
    with pytest.raises(AddressRefused):
        guard.socket((socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", place))
    assert guard.has_refused
