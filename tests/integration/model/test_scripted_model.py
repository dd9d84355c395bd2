"""The scripted model server does what its script says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.support.scripted_model import Pause, Reply, ScriptedModel


@pytest.fixture
async def server() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def ask(
    http: aiohttp.ClientSession, server: ScriptedModel, model: str = "m"
) -> tuple[int, str]:
    body = {"model": model, "messages": [{"role": "user", "content": "你好"}], "stream": True}
    async with http.post(f"{server.base_url}/chat/completions", json=body) as response:
        return response.status, await response.text()


async def test_replies_in_order(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """Replies are used up in order, each as events that end with [DONE]."""
    server.say("一二", Reply("三", finish_reason=""))
    _, first = await ask(http, server)
    _, second = await ask(http, server)
    assert first.count("data: ") == 3
    assert first.endswith("data: [DONE]\n\n")
    assert "三" in second
    assert "[DONE]" not in second


async def test_requests_are_recorded(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """What was asked is kept, in order."""
    server.always = Reply("好")
    await ask(http, server, "a")
    await ask(http, server, "b")
    assert [request.model for request in server.requests] == ["a", "b"]
    assert server.requests[0].messages == [{"role": "user", "content": "你好"}]
    assert await server.received(2) is server.requests[1]


async def test_rows_by_model(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """A model's own row goes before the row of all others."""
    server.say("通")
    server.say("专", model="small")
    assert "专" in (await ask(http, server, "small"))[1]
    assert "通" in (await ask(http, server, "small"))[1]


async def test_failures(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """A status is answered with an error body; an empty script with 500."""
    server.say(Reply("慢一点", status=429, headers={"retry-after": "2"}))
    assert (await ask(http, server))[0] == 429
    assert (await ask(http, server))[0] == 500


async def test_dropped_connection(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """A dropped connection breaks the body."""
    server.say(Reply("一二三四五六七八九", size=1, drop_after=3))
    with pytest.raises(aiohttp.ClientPayloadError):
        await ask(http, server)


async def test_pause(server: ScriptedModel, http: aiohttp.ClientSession) -> None:
    """The server waits where the script says, until it is let go on."""
    pause = Pause()
    server.say(Reply("一二", size=1, pauses={1: pause}))
    asking = asyncio.create_task(ask(http, server))
    await pause.reached.wait()
    assert not asking.done()
    pause.go.set()
    assert "二" in (await asking)[1]
