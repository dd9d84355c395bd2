"""The example configurations of nginx and Envoy, run in front of a gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc import aio

from heartrule.v1 import conversation_pb2, script_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import frames_of, running_gateway
from tests.support.proxies import NAME, PROXIES, Proxy, any_certificate, hang_up
from tests.support.scripts import ask_script

TOKEN = "s3cret"


@asynccontextmanager
async def client(proxy: Proxy, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    base = f"https://127.0.0.1:{proxy.http}"
    async with httpx.AsyncClient(
        base_url=base, headers=headers, verify=any_certificate(), trust_env=False
    ) as http:
        yield http


async def patience(proxy: Proxy, *, tls: bool) -> float:
    """Return the seconds after which a connection is closed that has not sent its whole header.

    Without TLS it sends nothing.
    """
    begun = asyncio.get_running_loop().time()
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", proxy.http, ssl=any_certificate() if tls else None
    )
    writer.write(b"GET / HTTP/1.1\r\n" if tls else b"")
    with suppress(ConnectionError):
        async with asyncio.timeout(15):
            await reader.read()
    await hang_up(writer)
    return asyncio.get_running_loop().time() - begun


@pytest.mark.parametrize("kind", PROXIES)
async def test_the_example_serves_and_limits(tmp_path: Path, kind: str) -> None:
    """Pages and streams pass as they come; a large header, a slow one and no TLS do not."""
    async with running_gateway(token=TOKEN, trusted_proxies="127.0.0.1") as running:
        running.http.headers["authorization"] = f"Bearer {TOKEN}"
        session_id = await running.start(ask_script())
        ports = {"gateway": running.gateway.port, "executor": running.behind.server.port}
        async with PROXIES[kind](tmp_path, **ports) as proxy, client(proxy) as http:
            login = await http.post("/api/v1/login", json={"token": TOKEN})
            assert "Secure" in login.headers["set-cookie"]
            async with http.stream("GET", f"/api/v1/sessions/{session_id}/events") as events:
                assert (await anext(frames_of(events))).event == "opened"
            large = await http.get("/api/v1/about", headers={"x": "a" * 100_000})
            assert large.status_code in {400, 431}
            assert await patience(proxy, tls=True) < 5
            assert await patience(proxy, tls=False) < 5


@pytest.mark.parametrize("kind", PROXIES)
async def test_the_example_names_the_caller(tmp_path: Path, kind: str) -> None:
    """What a client writes of its address itself is not believed."""
    async with running_gateway(token=TOKEN, trusted_proxies="127.0.0.1") as running:
        ports = {"gateway": running.gateway.port, "executor": running.behind.server.port}
        async with PROXIES[kind](tmp_path, **ports) as proxy:

            async def login(token: str, address: str, **headers: str) -> int:
                made = httpx.AsyncHTTPTransport(verify=any_certificate(), local_address=address)
                url = f"https://127.0.0.1:{proxy.http}/api/v1/login"
                async with httpx.AsyncClient(transport=made, headers=headers) as http:
                    return (await http.post(url, json={"token": token})).status_code

            forged = ({"x-forwarded-for": f"192.0.2.{each}"} for each in range(10))
            wrong = [login("x", "127.0.0.2", **headers) for headers in forged]
            assert set(await asyncio.gather(*wrong)) == {401}
            assert await login(TOKEN, "127.0.0.2") == 429
            assert await login(TOKEN, "127.0.0.3") == 204


async def test_envoy_carries_conversations_of_grpc(tmp_path: Path) -> None:
    """Both ways at once, by TLS; what is no service of ours has no route."""
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    async with running_gateway(neighbours) as running:
        session_id = await running.start(ask_script())
        ports = {"gateway": running.gateway.port, "executor": running.behind.server.port}
        async with PROXIES["envoy"](tmp_path, **ports) as proxy:
            trusted = grpc.ssl_channel_credentials(proxy.certificate)
            options = [("grpc.ssl_target_name_override", NAME)]
            target = f"127.0.0.1:{proxy.grpc}"
            async with aio.secure_channel(target, trusted, options=options) as channel:
                stubs = ExecutorStubs(channel)
                found = await stubs.script.ListScripts(script_pb2.ListScriptsRequest())
                assert [script.script_id for script in found.scripts] == ["asking"]
                call = stubs.conversation.Converse()
                opened = conversation_pb2.OpenConversation(session_id=session_id)
                await call.write(conversation_pb2.ConverseRequest(open=opened))
                await call.done_writing()
                told = [response.event.WhichOneof("event") async for response in call]
                unknown: Any = channel.unary_unary("/grpc.reflection.v1alpha.ServerReflection/X")
                assert await unknown(b"").code() is grpc.StatusCode.UNIMPLEMENTED
    assert told[0] == "opened"
    assert told[-1] == "turn_ended"
