"""A request may name its model, its temperature and the length of its reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.model.chat_events import ChatChunk
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Profile, Provider
from heartrule.model.response_format import ResponseFormat
from heartrule.model.timing import Timing
from tests.support.fake_source import FakeSource

STOP = ChatChunk(finish_reason="stop")
REQUEST = ChatRequest(
    purpose=Purpose.WORKFLOW,
    messages=(ChatMessage(role="user", content="Sum up"),),
    prompt_type="workflow_node",
    template_hash="",
)


async def sent(request: ChatRequest, **parameters: str | float) -> Mapping[str, JsonValue]:
    """Return the parameters of a request as its provider gets them."""
    source = FakeSource([STOP])
    provider = Provider(
        base_url="http://x",
        models=ModelNames(talk="m", workflow="w-32k", others=("other-32k",)),
        profile=Profile(response_format=ResponseFormat.JSON_OBJECT, stream_usage=False),
        parameters=parameters,
    )
    model = ProviderChatModel("p", provider, source, Timing())
    assert [each async for each in model.stream(request, calls=[], visible=lambda: False)] == []
    return {name: value for name, value in source.asked[0].items() if name != "messages"}


@pytest.mark.parametrize(
    ("asked", "used"), [("", "w-32k"), ("other-32k", "other-32k"), ("m", "m"), ("x", "w-32k")]
)
async def test_a_model_that_the_provider_lists_is_taken(asked: str, used: str) -> None:
    """Any other name means the purpose's own."""
    assert (await sent(replace(REQUEST, model=asked)))["model"] == used


async def test_a_requests_own_parameters_come_first() -> None:
    """The length goes by the name that the provider has for it, within the model's limit."""
    own = replace(REQUEST, temperature=0.0, max_tokens=70)
    plain = await sent(own, temperature=0.6)
    assert (plain["temperature"], plain["max_tokens"]) == (0.0, 70)
    newer = await sent(own, max_completion_tokens=500)
    assert (newer["max_completion_tokens"], newer.get("max_tokens")) == (70, None)


async def test_a_free_reply_is_held_to_no_form() -> None:
    """A JSON object is asked for only where the reply has to be one."""
    assert "response_format" in await sent(REQUEST)
    assert "response_format" not in await sent(replace(REQUEST, is_free=True))
