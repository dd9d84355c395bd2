"""The rehearsal model over real HTTP."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator

import aiohttp
import pytest

from heartrule.model.rehearsal.rehearsal_server import RunningServer, serve
from heartrule.model.task_card import task_card

CARD = task_card({"kind": "ai_ask", "stage": "opening", "task": "你好吗？"})


def chat(content: str, *, stream: bool = False) -> dict[str, object]:
    """Return a request with one user message."""
    return {"model": "m", "stream": stream, "messages": [{"role": "user", "content": content}]}


@pytest.fixture
async def server() -> AsyncIterator[RunningServer]:
    """A running server on a free port."""
    running = await serve()
    yield running
    await running.aclose()


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    """A plain HTTP client."""
    async with aiohttp.ClientSession() as session:
        yield session


async def test_whole_answer(server: RunningServer, client: aiohttp.ClientSession) -> None:
    """A plain request gets the whole reply as JSON."""
    async with client.post(f"{server.base_url}/chat/completions", json=chat(CARD)) as response:
        text = (await response.json())["choices"][0]["message"]["content"]
    assert json.loads(text)["content"] == "你好吗？"


async def test_stream(server: RunningServer, client: aiohttp.ClientSession) -> None:
    """A streamed reply comes as server-sent events that end with [DONE]."""
    request = chat(CARD, stream=True)
    async with client.post(f"{server.base_url}/chat/completions", json=request) as response:
        assert response.content_type == "text/event-stream"
        lines = [line for line in (await response.text()).split("\n") if line]
    deltas = [json.loads(line[6:])["choices"][0]["delta"] for line in lines[:-1]]
    text = "".join(delta.get("content", "") for delta in deltas)
    assert (lines[-1], json.loads(text)["content"]) == ("data: [DONE]", "你好吗？")


async def test_prompt_without_card(server: RunningServer, client: aiohttp.ClientSession) -> None:
    """A prompt that is not ours gets HTTP 400, and is told why."""
    async with client.post(f"{server.base_url}/chat/completions", json=chat("你好")) as response:
        error = (await response.json())["error"]
    assert (response.status, error["code"]) == (400, "no_task_card")
    assert "heartrule-task" in error["message"]


async def test_models(server: RunningServer, client: aiohttp.ClientSession) -> None:
    """The list of models has one."""
    async with client.get(f"{server.base_url}/models") as response:
        assert [m["id"] for m in (await response.json())["data"]] == ["heartrule-rehearsal"]


async def test_large_prompt(server: RunningServer, client: aiohttp.ClientSession) -> None:
    """A prompt with the largest input a client may send is answered."""
    words = "长" * 340_000
    card = task_card({"kind": "ai_ask", "outputs": [{"name": "x"}], "user_input": words})
    request = io.BytesIO(json.dumps(chat(card, stream=True)).encode())
    async with client.post(f"{server.base_url}/chat/completions", data=request) as response:
        assert (await response.read()).endswith(b"data: [DONE]\n\n")


async def test_paced_stream_begins_before_it_ends(client: aiohttp.ClientSession) -> None:
    """With a pace set, the first event leaves long before the last."""
    running = await serve(pace_s=30)
    url, request = f"{running.base_url}/chat/completions", chat(CARD, stream=True)
    async with client.post(url, json=request) as response:
        assert (await response.content.readuntil(b"\n\n")).startswith(b"data: {")
        assert not response.content.at_eof()
    await running.aclose()
