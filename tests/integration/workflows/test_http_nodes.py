"""HTTP nodes against servers on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest

from executor_service.workflows.nodes.http_node import HttpNode
from executor_service.workflows.nodes.node_access import NodeAccess
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from tests.support.node_calls import KEY, CountedSpending, failure_of, node_call, ran
from tests.support.odd_servers import (
    OTHER_HOST,
    Names,
    answered,
    half_an_answer,
    listening,
    redirect,
)

SECRET = "swordfish-12"
ACCESS = NodeAccess(networks=(ip_network("127.0.0.2/31"),), secrets={"API_KEY": SECRET})
JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def node() -> AsyncIterator[HttpNode]:
    """Give a node's runner that knows the names of this file."""
    runner = HttpNode(Names(a_example=["127.0.0.2"], b_example=["127.0.0.3"]))
    yield runner
    await runner.aclose()


def get(url: str, **config: JsonValue) -> dict[str, JsonValue]:
    return {"url": url, "method": "GET", **config}


async def test_an_answer_is_status_headers_and_data(node: HttpNode) -> None:
    """The server gets method, query, headers and the key; the node gives what it answered."""
    async with listening(answered(b'{"t":21}', headers=JSON)) as server:
        config = get(server.url("/v1"), params={"city": "北京"}, headers={"X-A": "b"})
        result = await ran(node, node_call(config, access=ACCESS))
    assert result.output == {
        "status": 200,
        "headers": {"content-length": "8", "content-type": "application/json"},
        "data": {"t": 21},
    }
    [request] = server.requests
    assert request.startswith(b"GET /v1?city=%E5%8C%97%E4%BA%AC HTTP/1.1\r\n")
    assert f"\r\nidempotency-key: {KEY}\r\n".encode() in request
    assert b"\r\nx-a: b\r\n" in request


async def test_a_call_is_counted_before_it_is_made(node: HttpNode) -> None:
    """Where the policy's calls are used up, the server hears nothing."""
    spending = CountedSpending(left=1)
    async with listening(answered(b"x")) as server:
        call = node_call(get(server.url()), access=ACCESS, spending=spending)
        await ran(node, call)
        failure = await failure_of(node, call)
    assert (failure.code, failure.is_retryable) == (RunErrorCode.LIMIT, False)
    assert (spending.counted, server.connections) == ([{"api_calls": 1, "llm_tokens": 0}], 1)


async def test_a_secret_that_the_server_echoes_is_struck_out(node: HttpNode) -> None:
    """Out of headers and data of an answer, and out of the message of a failure."""
    echo = answered(f'{{"you":"Bearer {SECRET}"}}'.encode(), headers={**JSON, "X-Echo": SECRET})
    refused = answered(f"bad key {SECRET}".encode(), status="401 Unauthorized")
    async with listening(echo, refused) as server:
        config = get(server.url(), headers={"Authorization": f"Bearer {SECRET}"})
        call = node_call(config, access=ACCESS)
        output, failure = (await ran(node, call)).output, await failure_of(node, call)
    assert SECRET.encode() in server.requests[0]
    assert SECRET not in str(output)
    assert failure.message == "the server answered 401: bad key ***"


async def test_another_host_hears_no_credentials(node: HttpNode) -> None:
    """A redirect within a host keeps them, one across hosts does not; cookies go nowhere."""
    async with listening(answered(b"there"), host=OTHER_HOST) as other:
        away = answered(
            status="302 Found",
            headers={"Location": other.url(host="b.example"), "Set-Cookie": "id=1"},
        )
        async with listening(redirect("/again"), away) as server:
            config = get(server.url(host="a.example"), headers={"X-Key": SECRET, "Accept": "a/b"})
            result = await ran(node, node_call(config, access=ACCESS))
    assert all(SECRET.encode() in each for each in server.requests)
    [moved] = other.requests
    assert SECRET.encode() not in moved
    assert b"cookie" not in moved.lower()
    assert b"\r\naccept: a/b\r\n" in moved
    assert isinstance(result.output, dict)
    assert result.output["data"] == "there"


async def test_three_redirects_are_followed(node: HttpNode) -> None:
    """A fourth is one too many."""
    async with listening(*[redirect("/x")] * 3, answered(b"here"), redirect("/x")) as server:
        call = node_call(get(server.url()), access=ACCESS)
        assert "here" in str((await ran(node, call)).output)
        assert (await failure_of(node, call)).code is RunErrorCode.LIMIT
    assert server.connections == 8


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (answered(status="404 Not Found"), RunErrorCode.HTTP_4XX),
        (answered(status="503 Unavailable"), RunErrorCode.HTTP_5XX),
        (answered(b"{", headers=JSON), RunErrorCode.UNREADABLE),
        (answered(b"no gzip", headers={"Content-Encoding": "gzip"}), RunErrorCode.UNREADABLE),
        (b"I am no server\r\n\r\n", RunErrorCode.UNREADABLE),
        (b"", RunErrorCode.CONNECTION),
        (half_an_answer, RunErrorCode.CONNECTION),
    ],
    ids=["404", "503", "no JSON", "no gzip", "no HTTP", "nothing", "half"],
)
async def test_each_failure_has_its_code(node: HttpNode, answer: bytes, code: RunErrorCode) -> None:
    """What a server does wrong is told by a code and a plain sentence."""
    async with listening(answer) as server:
        failure = await failure_of(node, node_call(get(server.url()), access=ACCESS))
    assert failure.code is code


async def test_a_name_that_nobody_knows_is_a_failed_connection(node: HttpNode) -> None:
    """It may be known a moment later, so that the node may be tried again."""
    failure = await failure_of(node, node_call(get("http://c.example/"), access=ACCESS))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.CONNECTION, True)
