"""The door for clients of OpenAI's API, with the library people use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script

REPLIES = [ask_reply("怎么称呼你？"), *[ask_reply("慢慢说。")] * 6]
HELLO: ChatCompletionMessageParam = {"role": "user", "content": "你好"}
ANSWER: ChatCompletionMessageParam = {"role": "assistant", "content": "嗯"}


@asynccontextmanager
async def door(
    **environ: str,
) -> AsyncIterator[tuple[RunningGateway, openai.AsyncOpenAI]]:
    """A gateway with one script, and OpenAI's client at its door."""
    async with running_gateway(Neighbours(model=FakeModel(REPLIES)), **environ) as running:
        files = {"files": {"s.yaml": ask_script(9)}}
        key = environ.get("token", "none")
        headers = {"authorization": f"Bearer {key}"}
        await running.http.post("/api/scripts", json=files, headers=headers)
        base = f"http://127.0.0.1:{running.gateway.port}/v1"
        async with openai.AsyncOpenAI(base_url=base, api_key=key, max_retries=0) as client:
            yield running, client


async def say(client: openai.AsyncOpenAI, **fields: object) -> str:
    made = await client.chat.completions.create(
        model="asking", messages=[HELLO], **fields  # type: ignore[call-overload]  # any field
    )  # fmt: skip
    return str(made.choices[0].message.content)


async def test_a_conversation_is_named_by_its_user() -> None:
    """The first answer opens the session; the next call goes on in it."""
    async with door() as (_, client):
        assert await say(client, user="xiaoming") == "怎么称呼你？\n\n慢慢说。"
        assert await say(client, user="xiaoming") == "慢慢说。"


async def test_a_header_names_the_conversation_before_the_user_does() -> None:
    """One person may hold several: each begins with its opening, and only once."""
    async with door() as (_, client):
        pieces = []
        for name in ("a", "b", "a"):
            told = await say(client, user="u", extra_headers={"X-HeartRule-Session": name})
            pieces.append(len(told.split("\n\n")))
    assert pieces == [2, 2, 1]


async def test_two_calls_without_a_name_are_two_conversations() -> None:
    """Two people may begin with the same words."""
    async with door() as (running, client):
        await say(client)
        sessions = (await running.http.get("/api/sessions")).json()["sessions"]
        assert len(sessions) == 1
        raw = await client.chat.completions.with_raw_response.create(
            model="asking", messages=[HELLO]
        )
        assert raw.headers["x-heartrule-session-id"] != sessions[0]["sessionId"]


async def test_a_past_without_a_name_is_refused() -> None:
    """Guessing the session by its words could mix up two people."""
    async with door() as (_, client):
        with pytest.raises(openai.BadRequestError) as caught:
            await client.chat.completions.create(
                model="asking",
                messages=[HELLO, ANSWER, HELLO],
            )
    assert caught.value.code == "SESSION_NOT_NAMED"


async def test_a_streamed_answer_is_the_whole_one() -> None:
    """Chunks, a reason to stop, and usage where it is asked for."""
    async with door() as (_, client):
        stream = await client.chat.completions.create(
            model="asking", messages=[HELLO], user="u", stream=True,
            stream_options={"include_usage": True},
        )  # fmt: skip
        told = [chunk async for chunk in stream]
    words = "".join(c.choices[0].delta.content or "" for c in told if c.choices)
    assert words == "怎么称呼你？\n\n慢慢说。"
    assert told[-2].choices[0].finish_reason == "stop"
    assert (told[-1].choices, told[-1].usage is not None) == ([], True)


async def test_scripts_are_the_models() -> None:
    """Listed and read; an unknown one is not found."""
    async with door() as (_, client):
        assert [model.id async for model in client.models.list()] == ["asking"]
        assert (await client.models.retrieve("asking")).owned_by == "heartrule"
        with pytest.raises(openai.NotFoundError) as caught:
            await client.chat.completions.create(model="nothing", messages=[HELLO])
    assert caught.value.code == "SCRIPT_NOT_FOUND"


async def test_the_api_key_is_the_gateways_token() -> None:
    """The wrong one is OpenAI's AuthenticationError."""
    async with door(token="s3cret") as (_, client):
        assert await say(client, user="u")
        stranger = client.with_options(api_key="other")
        with pytest.raises(openai.AuthenticationError):
            await stranger.models.list()
