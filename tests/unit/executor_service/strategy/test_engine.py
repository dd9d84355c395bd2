"""The strategy engine: one call from a context to a recommendation."""

from __future__ import annotations

import json

import pytest

from executor_service.strategy.recommendation import NoRecommendation, generate_strategy_prompt
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.strategy import StrategyRecommendation
from heartrule.model.prompt_words import base_words
from tests.support.fake_model import FakeModel, Reply
from tests.support.strategies import decision, strategy_reply
from tests.support.written_templates import written_templates

CONTEXT = decision().context


async def generate(model: FakeModel, calls: list[LLMDebugInfo]) -> StrategyRecommendation:
    """Ask once."""
    return await generate_strategy_prompt(
        model,
        written_templates(),
        CONTEXT,
        calls=calls,
        scheme="",
        language="",
        words=base_words(),
    )


async def test_a_context_becomes_a_recommendation() -> None:
    """The model is asked once, for this purpose, and its words come back read."""
    model = FakeModel([strategy_reply("用短句")])
    found = await generate(model, [])
    assert found.strategy_prompt == "【沟通策略建议】\n用短句"
    assert found.reasoning.key_considerations == ("先接住",)
    (request,) = model.requests
    assert (request.purpose, request.prompt_type) == (Purpose.STRATEGY, "strategy_generation")
    assert request.reply_fields == ("reasoning", "strategyPrompt")


async def test_the_prompt_holds_the_context() -> None:
    """Profile, conversation, topic and progress are told, in the last message alone."""
    model = FakeModel([strategy_reply()])
    await generate(model, [])
    prompt = model.last_prompt()
    for told in ("- educationLevel：本科", "来访者：说不清楚", "认识情绪", "第 1 次说明"):
        assert told in prompt
    card = model.requests[-1].card
    assert (card["kind"], card["user_input"]) == ("strategy_generation", "说不清楚")
    assert card["inputs"] == {"educationLevel": "本科", "age": 29}


async def test_the_call_is_recorded() -> None:
    """The ledger's record has prompt, answer and how it was read (document 001, 4.2.5)."""
    calls: list[LLMDebugInfo] = []
    text = strategy_reply()
    await generate(FakeModel([f" {text}"]), calls)
    (call,) = calls
    assert (call.prompt_type, call.output) == ("strategy_generation", f" {text}")
    assert "说不清楚" in json.loads(call.input)[-1]["content"]
    assert call.parse is not None
    assert call.parse.strategy == "trim_and_parse"


@pytest.mark.parametrize(
    ("answer", "reason"), [("说不好", "STRATEGY_UNREADABLE"), ("{}", "STRATEGY_UNREADABLE"),
    (strategy_reply(""), "STRATEGY_EMPTY")],
)  # fmt: skip
async def test_no_recommendation(answer: str, reason: str) -> None:
    """An answer that recommends nothing is a failure with a reason, and is in the ledger."""
    calls: list[LLMDebugInfo] = []
    with pytest.raises(NoRecommendation) as failed:
        await generate(FakeModel([answer]), calls)
    assert (failed.value.reason, calls[0].output) == (reason, answer)


async def test_a_model_that_fails() -> None:
    """A model's failure is the caller's to take."""
    down = ModelUnavailable("down", reason="MODEL_TIMEOUT")
    with pytest.raises(ModelUnavailable):
        await generate(FakeModel([Reply((), fails=down)]), [])
