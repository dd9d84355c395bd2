"""What HTTP nodes must not reach, and servers that try to hold them up.

A listener on the machine's own address must see no connection at all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from ipaddress import ip_network

import pytest

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.nodes.http_node import HttpNode
from executor_service.workflows.nodes.node_access import NodeAccess
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from tests.support.loop_watch import watched_loop
from tests.support.node_calls import failure_of, node_call, ran
from tests.support.odd_servers import (
    CLOSED_HOST,
    Answer,
    Listener,
    Names,
    answered,
    bomb,
    endless_beginnings,
    endless_body,
    endless_header,
    endless_headers,
    listening,
    redirect,
    slow_head,
    slowly,
)

OPEN = NodeAccess(networks=(ip_network("127.0.0.2/32"),))
HOSTS = {
    "loopback": "127.0.0.1",
    "another loopback": "127.9.9.9",
    "this host": "0.0.0.0",
    "decimal": "2130706433",
    "hexadecimal": "0x7f000001",
    "hexadecimal parts": "0x7f.0.0.0x1",
    "octal": "0177.0.0.1",
    "octal whole": "017700000001",
    "short": "127.1",
    "shorter": "0",
    "a stop behind": "127.0.0.1.",
    "full width": "１２７.0.0.1",
    "full-width stops": "127。0。0。1",
    "circled": "①②⑦.0.0.1",
    "encoded": "%31%32%37.0.0.1",
    "the machine's name": "localhost",
    "the machine's name, capitals": "LOCALHOST",
    "IPv6 loopback": "[::1]",
    "IPv6 loopback, long": "[0:0:0:0:0:0:0:1]",
    "IPv6 this host": "[::]",
    "mapped": "[::ffff:127.0.0.1]",
    "mapped, hexadecimal": "[::ffff:7f00:1]",
    "compatible": "[::127.0.0.1]",
    "NAT64": "[64:ff9b::127.0.0.1]",
    "NAT64 of a network": "[64:ff9b:1::7f00:1]",
    "6to4": "[2002:7f00:1::1]",
    "Teredo": "[2001:0:7f00:1::1]",
    "link-local": "[fe80::1]",
    "link-local with a zone": "[fe80::1%25lo]",
    "private 10": "10.0.0.1",
    "private 172": "172.16.0.1",
    "private 192": "192.168.0.1",
    "private IPv6": "[fd00::1]",
    "metadata": "169.254.169.254",
    "metadata, decimal": "2852039166",
    "metadata, mapped": "[::ffff:169.254.169.254]",
    "metadata, IPv6": "[fd00:ec2::254]",
    "metadata of another cloud": "100.100.100.200",
    "a user before it": "example.com@127.0.0.1",
    "a backslash before it": "example.com\\@127.0.0.1",
}
ADDRESSES = (
    "127.0.0.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
    "2002:7f00:1::1", "2001:0:7f00:1::1", "fe80::1", "10.0.0.1", "169.254.169.254", "fd00:ec2::254",
)  # fmt: skip


@pytest.fixture
async def victim() -> AsyncIterator[Listener]:
    """Give a listener that no node may reach, and see that none has."""
    async with listening(answered(b"secret of the machine"), host=CLOSED_HOST) as listener:
        yield listener
        assert listener.connections == 0


def get(url: str) -> dict[str, JsonValue]:
    return {"url": url, "method": "GET"}


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_no_spelling_of_a_closed_address_is_reached(victim: Listener, host: str) -> None:
    """Loopback, private, metadata, link-local and what carries them within are refused."""
    node = HttpNode()
    failure = await failure_of(node, node_call(get(victim.url(host=host))))
    await node.aclose()
    assert (failure.code, failure.is_retryable) == (RunErrorCode.REFUSED, False)


@pytest.mark.parametrize("address", ADDRESSES)
async def test_a_name_that_leads_to_a_closed_address_is_refused(
    victim: Listener, address: str
) -> None:
    """What counts is the address that the name has when the connection is made."""
    node = HttpNode(Names(harmless_example=[address]))
    failure = await failure_of(node, node_call(get(victim.url(host="harmless.example"))))
    assert failure.code is RunErrorCode.REFUSED
    assert address not in failure.message


async def test_a_name_that_changes_between_look_ups_is_refused(victim: Listener) -> None:
    """The first look-up gave an open address, the second a closed one."""
    async with listening(redirect(victim.url(host="changes.example"))) as server:
        node = HttpNode(Names(changes_example=["127.0.0.2", "127.0.0.1"]))
        url = server.url(host="changes.example")
        failure = await failure_of(node, node_call(get(url), access=OPEN))
    assert (failure.code, server.connections) == (RunErrorCode.REFUSED, 1)


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS.keys())
async def test_a_redirect_to_a_closed_address_is_refused(victim: Listener, host: str) -> None:
    """A server may send a node nowhere that its plan may not."""
    async with listening(redirect(victim.url(host=host))) as server:
        node = HttpNode()
        failure = await failure_of(node, node_call(get(server.url()), access=OPEN))
        await node.aclose()
    assert (failure.code, server.connections) == (RunErrorCode.REFUSED, 1)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "gopher://127.0.0.1:{port}/_GET", "ftp://127.0.0.1:{port}/", "//x"],
)
async def test_other_schemes_are_refused(victim: Listener, url: str) -> None:
    """As a plan writes them, and as a redirect names them."""
    written = url.format(port=victim.port)
    async with listening(redirect(written)) as server:
        node = HttpNode(Names())
        if url != "//x":
            moved = await failure_of(node, node_call(get(server.url()), access=OPEN))
            assert moved.code is RunErrorCode.REFUSED
        failure = await failure_of(node, node_call(get(written)))
    assert failure.code is RunErrorCode.REFUSED


async def test_no_proxy_of_the_environment_is_used(
    victim: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would connect to what the node may not."""
    monkeypatch.setenv("http_proxy", victim.url())
    async with listening(answered(b"here")) as server:
        result = await ran(HttpNode(Names()), node_call(get(server.url()), access=OPEN))
    assert "here" in str(result.output)


MEGABYTE = 999_000


def many(value: bytes) -> bytes:
    """Return an answer of half a megabyte that is a list of small values."""
    body = b"[" + value * (MEGABYTE // 2 // len(value)) + b"1]"
    return answered(body, headers={"Content-Type": "application/json"})


SLOW = {
    "a byte now and then": slowly,
    "a slow header": slow_head,
    "only beginnings": endless_beginnings,
}
LARGE = {
    "a gzip bomb": (bomb(), RunErrorCode.LIMIT),
    "10 MB": (answered(bytes(10_000_000)), RunErrorCode.LIMIT),
    "an endless body": (endless_body, RunErrorCode.LIMIT),
    "too many lists": (many(b"[],"), RunErrorCode.LIMIT),
    "endless headers": (endless_headers, RunErrorCode.UNREADABLE),
    "an endless header": (endless_header, RunErrorCode.UNREADABLE),
}


@pytest.mark.parametrize("answer", SLOW.values(), ids=SLOW.keys())
async def test_one_deadline_holds_for_the_whole_call(answer: Answer) -> None:
    """A server that is never silent for long is left when the node's time is over."""
    async with listening(answer) as server:
        call = node_call(get(server.url()), access=OPEN, timeout_s=0.4)
        failure = await failure_of(HttpNode(Names()), call)
    assert (failure.code, failure.is_retryable) == (RunErrorCode.TIMEOUT, True)


@pytest.mark.parametrize(("answer", "code"), LARGE.values(), ids=LARGE.keys())
async def test_an_answer_has_a_size(answer: bytes | Answer, code: RunErrorCode) -> None:
    """What is more is not read; decompressed bytes count."""
    async with listening(answer) as server:
        failure = await failure_of(HttpNode(Names()), node_call(get(server.url()), access=OPEN))
    assert failure.code is code


HEAVY = {
    "a gzip bomb": bomb(),
    "many small values": many(b"1,"),
    "many lists": many(b"[],"),
    "signs in a text": many(b'"[],",'),
    "text": answered("北".encode() * (MEGABYTE // 3), headers={"Content-Type": "text/plain"}),
}


@pytest.mark.parametrize("answer", HEAVY.values(), ids=HEAVY.keys())
async def test_no_answer_holds_the_loop(answer: bytes) -> None:
    """Reading and striking out stay below 50 ms at a time; the best of three is measured."""
    access = NodeAccess(networks=OPEN.networks, secrets={"A": "swordfish-12"})
    held: list[float] = []
    async with listening(answer) as server:
        for _ in range(3):
            call = node_call(get(server.url()), access=access)
            # The bomb fails, as another test shows.
            with watched_loop() as longest, suppress(NodeFailed):
                await ran(HttpNode(Names()), call)
            held.append(longest.cpu_s)
    assert min(held) < 0.05
