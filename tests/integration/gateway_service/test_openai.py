"""The door for clients of OpenAI's API, with the library people use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from heartrule.domain.errors import ModelUnavailable
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script

REPLIES = [ask_reply("怎么称呼你？"), *[ask_reply("慢慢说。")] * 6]
HELLO: ChatCompletionMessageParam = {"role": "user", "content": "你好"}
TOKENS = 5
ANSWER: ChatCompletionMessageParam = {"role": "assistant", "content": "嗯"}


@asynccontextmanager
async def door(
    model: FakeModel | None = None, **environ: str
) -> AsyncIterator[tuple[RunningGateway, openai.AsyncOpenAI]]:
    """A gateway with one script, and OpenAI's client at its door."""
    around = Neighbours(model=model or FakeModel(REPLIES))
    async with running_gateway(around, **environ) as running:
        files = {"files": {"s.yaml": ask_script(9)}}
        key = environ.get("token", "none")
        headers = {"authorization": f"Bearer {key}"}
        await running.http.post("/api/v1/scripts", json=files, headers=headers)
        base = f"http://127.0.0.1:{running.gateway.port}/v1"
        async with openai.AsyncOpenAI(base_url=base, api_key=key, max_retries=0) as client:
            yield running, client


async def say(client: openai.AsyncOpenAI, **fields: object) -> str:
    made = await client.chat.completions.create(
        model="asking", messages=[HELLO], **fields  # type: ignore[call-overload]  # any field
    )  # fmt: skip
    return str(made.choices[0].message.content)


async def test_a_conversation_is_named_by_its_user() -> None:
    """The first call is answered by the opening, and is no answer to it; the next one is."""
    async with door() as (running, client):
        assert await say(client, user="xiaoming") == "怎么称呼你？"
        assert await said_by_clients(running) == []
        assert await say(client, user="xiaoming") == "慢慢说。"
        assert await said_by_clients(running) == ["你好"]


async def said_by_clients(running: RunningGateway) -> list[str]:
    """Return what the one session holds of its client's words."""
    (session,) = (await running.http.get("/api/v1/sessions")).json()["sessions"]
    told = await running.http.get(f"/api/v1/sessions/{session['sessionId']}/messages")
    messages = told.json()["messages"]
    return [each["parts"][0]["text"] for each in messages if each["role"] == "client"]


async def test_what_means_danger_is_heard_before_the_opening() -> None:
    """Nobody in danger is greeted and left alone with it."""
    async with door() as (running, client):
        made = await client.chat.completions.create(
            model="asking", user="u", messages=[{"role": "user", "content": "我想自杀"}]
        )
        assert "12356" in str(made.choices[0].message.content)
        assert await said_by_clients(running) == ["我想自杀"]


async def test_an_opening_that_failed_is_run_again_before_anything_counts() -> None:
    """No question was shown, so nothing was answered."""
    failing = Reply((), fails=ModelUnavailable("down", reason="MODEL_UNAVAILABLE"))
    async with door(model=FakeModel([failing, *REPLIES])) as (running, client):
        with pytest.raises(openai.InternalServerError):
            await say(client, user="u")
        assert await say(client, user="u") == "怎么称呼你？"
        assert await said_by_clients(running) == []


async def test_a_header_marks_a_request_as_the_front_ends_own() -> None:
    """Whatever its words are."""
    async with door() as (running, client):
        assert await say(client, extra_headers={"X-HeartRule-Task": "title"}) == "asking"
        assert (await running.http.get("/api/v1/sessions")).json()["sessions"] == []


async def test_usage_has_the_tokens_of_the_turn() -> None:
    """As the ledger counts them, and the same where it is streamed."""
    async with door(model=counting()) as (_, client):
        made = await client.chat.completions.create(model="asking", messages=[HELLO], user="u")
        assert made.usage is not None
        assert (made.usage.prompt_tokens, made.usage.total_tokens) == (0, TOKENS)


def counting() -> FakeModel:
    """Return a model that says how many tokens it took."""
    model = FakeModel(REPLIES)
    model.tokens = TOKENS
    return model


async def test_after_the_end_there_is_a_closing_text() -> None:
    """A front end shows it as any reply, and no error."""
    closing = FakeModel([REPLIES[0], ask_reply("好的", exit_="YES"), ask_reply("再见")])
    async with door(model=closing) as (_, client):
        for _ in range(2):
            await say(client, user="u")
        made = await client.chat.completions.create(model="asking", messages=[HELLO], user="u")
    assert made.choices[0].finish_reason == "stop"
    assert "这次谈话已经结束了" in str(made.choices[0].message.content)


async def test_a_failure_outside_of_any_route_has_openais_form_too() -> None:
    """A library reads code and message of it."""
    async with door() as (_, client):
        with pytest.raises(openai.NotFoundError) as caught:
            await client.files.list()
        assert caught.value.code == "NOT_FOUND"
        with pytest.raises(openai.BadRequestError) as wrong:
            await say(client, n=2)
        assert wrong.value.param == "n"


async def test_a_header_names_the_conversation_before_the_user_does() -> None:
    """One person may hold several: each begins with its opening, and only once."""
    openings = FakeModel([REPLIES[0], REPLIES[0], *REPLIES[1:]])
    async with door(model=openings) as (_, client):
        told = [
            await say(client, user="u", extra_headers={"X-HeartRule-Session": name})
            for name in ("a", "b", "a")
        ]
    assert told == ["怎么称呼你？", "怎么称呼你？", "慢慢说。"]


async def test_two_calls_without_a_name_are_two_conversations() -> None:
    """Two people may begin with the same words."""
    async with door() as (running, client):
        await say(client)
        sessions = (await running.http.get("/api/v1/sessions")).json()["sessions"]
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
    async with door(model=counting()) as (_, client):
        stream = await client.chat.completions.create(
            model="asking", messages=[HELLO], user="u", stream=True,
            stream_options={"include_usage": True},
        )  # fmt: skip
        told = [chunk async for chunk in stream]
    words = "".join(c.choices[0].delta.content or "" for c in told if c.choices)
    assert words == "怎么称呼你？"
    assert told[-2].choices[0].finish_reason == "stop"
    usage = told[-1].usage
    assert usage is not None
    assert (told[-1].choices, usage.completion_tokens) == ([], TOKENS)


async def test_scripts_are_the_models() -> None:
    """Listed and read; an unknown one is not found."""
    async with door() as (_, client):
        assert [model.id async for model in client.models.list()] == ["asking"]
        model = (await client.models.retrieve("asking")).model_dump()
        assert (model["owned_by"], model["name"]) == ("heartrule", "asking")
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
