"""Settings to conversation: retries and fallback over real connections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heartrule.chassis.settings import read
from heartrule.domain.errors import ModelStreamCut
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.build import build_chat_model
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.ports import ChatMessage, ChatModel, ChatRequest, ModelRestarted
from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule.model.settings import ModelSettings
from heartrule.model.timing import Timing
from tests.support.scripted_model import Reply, ScriptedModel

REPLY = '{"EXIT":"NO","content":"你好"}'
FILE = """
providers:
  first: {{base_url: "{first}", models: {{talk: a}}}}
  second: {{base_url: "{second}", models: {{talk: b}}}}
retry: {{attempts: 2}}
"""


class Pair:
    """Two scripted providers behind one chat model that does not wait."""

    def __init__(self, first: ScriptedModel, second: ScriptedModel, path: Path) -> None:
        self.first = first
        self.second = second
        self.calls: list[LLMDebugInfo] = []
        self.waits: list[float] = []
        text = FILE.format(first=first.base_url, second=second.base_url)
        path.write_text(text, encoding="utf-8")
        settings = read(ModelSettings, {"HEARTRULE_PROVIDERS": str(path)})
        timing = Timing(sleep=self._wait, chance=lambda: 1.0)
        self.model: FallbackChatModel = build_chat_model(settings, environ={}, timing=timing)

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def ask(self, *, visible: bool = False) -> list[str | ModelRestarted]:
        request = ChatRequest(
            purpose=Purpose.TALK,
            messages=(ChatMessage(role="user", content="问"),),
            prompt_type="ai_ask_v1",
            template_hash="h",
        )
        model: ChatModel = self.model
        return [p async for p in model.stream(request, calls=self.calls, visible=lambda: visible)]


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[Pair]:
    async with ScriptedModel() as first, ScriptedModel() as second:
        made = Pair(first, second, tmp_path / "providers.yaml")
        yield made
        await made.model.aclose()


async def test_second_provider_answers(pair: Pair) -> None:
    """A provider in trouble is tried twice, then the next one answers; each try is recorded."""
    pair.first.always = Reply("?", status=503)
    pair.second.say(REPLY)
    assert "".join(str(piece) for piece in await pair.ask()) == REPLY
    assert [(call.provider, call.model, call.error != "") for call in pair.calls] == [
        ("first", "a", True),
        ("first", "a", True),
        ("second", "b", False),
    ]
    assert pair.waits == [0.5]


async def test_broken_stream_is_replaced(pair: Pair) -> None:
    """A stream that broke off unseen is taken back and asked for again."""
    pair.first.say(Reply(REPLY, drop_after=2), Reply(REPLY, size=100))
    got = await pair.ask()
    taken_back = got.index(ModelRestarted())
    assert "".join(map(str, got[:taken_back])) == REPLY[:8]
    assert "".join(map(str, got[taken_back + 1 :])) == REPLY


async def test_broken_stream_that_was_seen(pair: Pair) -> None:
    """A stream that broke off after text was shown is not asked for again."""
    pair.first.say(Reply(REPLY, drop_after=2), REPLY)
    with pytest.raises(ModelStreamCut):
        await pair.ask(visible=True)
    assert len(pair.first.requests) == 1
    assert pair.second.requests == []


async def test_asked_pause(pair: Pair) -> None:
    """A short pause that a provider asks for is kept."""
    pair.first.say(Reply("慢", status=429, headers={"retry-after": "2"}), REPLY)
    assert "".join(str(piece) for piece in await pair.ask()) == REPLY
    assert pair.waits == [2.0]


async def test_single_provider_from_the_environment() -> None:
    """A key, an address and a model are enough."""
    async with ScriptedModel() as server:
        server.say(REPLY)
        environ = {
            "OPENAI_API_KEY": "sk-env",
            "OPENAI_BASE_URL": server.base_url,
            "HEARTRULE_MODEL": "m",
            "HEARTRULE_MODEL_MONITOR": "small",
        }
        model = build_chat_model(read(ModelSettings, environ), environ={})
        request = ChatRequest(
            purpose=Purpose.MONITOR, messages=(), prompt_type="t", template_hash=""
        )
        pieces = [str(p) async for p in model.stream(request, calls=[], visible=lambda: False)]
        await model.aclose()
    assert "".join(pieces) == REPLY
    assert server.requests[0].model == "small"
    assert server.requests[0].headers["Authorization"] == "Bearer sk-env"


async def test_a_rehearsal_model_stands_in_for_a_real_one(tmp_path: Path) -> None:
    """The fallback gets the task card; the provider that failed never saw it."""
    rehearsal = await serve()
    async with ScriptedModel() as real:
        real.always = Reply("?", status=401)
        path = tmp_path / "providers.yaml"
        second = f'{rehearsal.base_url}", kind: "rehearsal'
        path.write_text(FILE.format(first=real.base_url, second=second), encoding="utf-8")
        model = build_chat_model(
            read(ModelSettings, {"HEARTRULE_PROVIDERS": str(path)}), environ={}
        )
        request = ChatRequest(
            purpose=Purpose.TALK,
            messages=(ChatMessage(role="user", content="问"),),
            prompt_type="ai_ask_v1",
            template_hash="h",
            card={"kind": "ai_ask", "stage": "opening", "task": "你好吗？"},
        )
        said = [str(p) async for p in model.stream(request, calls=[], visible=lambda: False)]
        await model.aclose()
        await rehearsal.aclose()
    assert "你好吗" in "".join(said)
    assert [each.messages[-1]["content"] for each in real.requests] == ["问"]
