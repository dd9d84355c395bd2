"""Under which address a request is counted."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from gateway_service.caller import caller_of_address, networks_of


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("_hidden", "unknown"),
    ],
)
def test_a_caller_is_an_address_or_a_customers_network(address: str, counted: str) -> None:
    """However the same peer is written; what is no address is one caller."""
    assert caller_of_address(address) == counted


@pytest.mark.parametrize("peer", ["10.0.0.7", "::ffff:10.0.0.7"])
@pytest.mark.parametrize("written", ["10.0.0.7", "10.0.0.0/24", "10.0.0.1/24"])
def test_a_proxy_is_known_in_either_form(peer: str, written: str) -> None:
    """A socket of both families gives addresses of IPv4 a form of IPv6."""
    assert any(ip_address(peer) in network for network in networks_of([written]))
    assert not any(ip_address("::ffff:10.0.1.7") in network for network in networks_of([written]))
