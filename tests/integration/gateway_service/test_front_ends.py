"""A chat front end asks for titles, tags and more; none of it reaches the conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.front_ends import SAID, WITH_A_FILE, own_requests
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script

DOOR = "/v1/chat/completions"
CHAT = {"X-OpenWebUI-Chat-Id": "chat-1"}


async def begun(running: RunningGateway) -> str:
    """Publish a script, have its opening said in a front end's chat, and return the session."""
    await running.http.post("/api/v1/scripts", json={"files": {"s.yaml": ask_script(9)}})
    await say(running, "你好")
    (session,) = (await running.http.get("/api/v1/sessions")).json()["sessions"]
    return str(session["sessionId"])


async def say(running: RunningGateway, text: str) -> str:
    """Say what a person typed, and return the reply."""
    asked = {"model": "asking", "messages": [{"role": "user", "content": text}], "stream": False}
    return await answer(running, asked)


async def answer(running: RunningGateway, asked: dict[str, Any]) -> str:
    told = (await running.http.post(DOOR, json=asked, headers=CHAT)).json()
    return str(told["choices"][0]["message"]["content"])


async def kept(running: RunningGateway, session: str) -> tuple[Any, Any]:
    """Return all that a session is, and all that was said in it."""
    at = f"/api/v1/sessions/{session}"
    return (await running.http.get(at)).json(), (await running.http.get(f"{at}/messages")).json()


async def test_what_front_ends_ask_for_themselves_leaves_the_session_untouched() -> None:
    """Every request is answered in the form that it asks for, streamed too, and by no model."""
    model = FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。"), ask_reply("嗯。")])
    async with running_gateway(Neighbours(model=model)) as running:
        session = await begun(running)
        assert await say(running, SAID) == "慢慢说。"
        before, calls = await kept(running, session), len(model.requests)
        for own in own_requests("asking"):
            assert await answer(running, own.body("asking", "u")) == own.answer, own.name
            streamed = own.body("asking", "u") | {"stream": True}
            frames = await running.http.post(DOOR, json=streamed, headers=CHAT)
            assert json.dumps(own.answer, ensure_ascii=False) in frames.text, own.name
        assert (await kept(running, session), len(model.requests)) == (before, calls)
        assert await say(running, "还好") == "嗯。"
        assert len((await running.http.get("/api/v1/sessions")).json()["sessions"]) == 1


@pytest.mark.parametrize(("said", "told"), [(SAID, "慢慢说。"), ("我想自杀", "12356")])
async def test_a_message_behind_a_file_is_the_clients(said: str, told: str) -> None:
    """Open WebUI puts a task in front of it; whoever is in danger is heard all the same."""
    model = FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")])
    async with running_gateway(Neighbours(model=model)) as running:
        await begun(running)
        assert told in await say(running, f"{WITH_A_FILE}{said}")
