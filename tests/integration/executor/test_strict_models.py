"""Long conversations with models that refuse what is longer than their context."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from statistics import fmean
from typing import TypeAlias

import pytest

from heartrule.domain.events import Outcome, TurnEnded
from heartrule.domain.model_call import LLMDebugInfo
from heartrule_cli.rehearsal.harness import Harness
from session_store.open import open_in_memory
from session_store.records import Page
from tests.support.fake_model import ask_reply
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.strict_model import StrictServer, strict_model

HERE = "tests/integration/executor/test_strict_models.py"
LONG = pytest.mark.long(short=f"{HERE}::test_hostile_lengths[4096]")
FLAT = pytest.mark.long(short=f"{HERE}::test_the_prompt_is_flat[4096]")
CONTEXTS = (4_096, 8_192, 32_768, 131_072)
SCRIPT = """
session:
  session_id: long
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: ask
              config: {content: "%s", exit: 都说完了, output: [{get: 称呼}], max_rounds: 1000}
"""
KINDS: tuple[Callable[[Random], str], ...] = (
    lambda dice: "我睡不好，" * dice.randrange(1, 30),
    lambda dice: "我最近总是睡不好，夜里醒来就再也睡不着。" * dice.randrange(1, 800),
    lambda dice: "I cannot sleep at night. " * dice.randrange(1, 640),
    lambda dice: "😀😭" * dice.randrange(1, 2_000),
    lambda dice: "Я плохо сплю. " * dice.randrange(1, 1_000),
    lambda dice: "9f8a7b" * dice.randrange(1, 2_600),
    lambda dice: "睡\n" * dice.randrange(1, 8_000),
)
"""Messages of hostile lengths, up to 16,000 characters."""


Talk: TypeAlias = tuple[Harness, StrictServer]


@asynccontextmanager
async def talking(
    context_tokens: int, *, stated: int = 0, content: str = "说说看", answer: str = ""
) -> AsyncIterator[Talk]:
    """Yield an opened conversation with a model of that context; its file may state another."""
    server = StrictServer(context_tokens)
    if answer:
        server.answer = lambda _: answer
    store = open_in_memory()
    await store.start()
    model = strict_model(server, stated or context_tokens)
    harness = harness_of(model, store=store)
    await harness.create_session(script_under_test(SCRIPT % content))
    await harness.initialize()
    yield harness, server
    await harness.aclose()
    await store.aclose()


async def say(harness: Harness, number: int, text: str) -> Outcome:
    """Take a turn, wait for the summary beside it, and return how the turn ended."""
    events = await harness.send(f"m{number}", text)
    await harness.executor.summaries.background.idle()
    (end,) = [each.body for each in events if isinstance(each.body, TurnEnded)]
    return end.outcome


async def ledger(harness: Harness) -> list[LLMDebugInfo]:
    """Return all calls of the session."""
    calls, token = await harness.store.list_calls(harness.key, Page(size=500))
    while token:
        more, token = await harness.store.list_calls(harness.key, Page(size=500, token=token))
        calls += more
    return calls


async def hold(context_tokens: int, turns: int) -> None:
    """Hold a conversation of hostile lengths; no turn fails, no session is stuck."""
    dice = Random(context_tokens)
    async with talking(context_tokens) as (harness, server):
        texts = [dice.choice(KINDS)(dice) for _ in range(turns)]
        outcomes = {await say(harness, number, text) for number, text in enumerate(texts)}
        record = await harness.store.get_session(harness.key)
        assert outcomes == {Outcome.WAITING}
        assert server.refused <= 1, "a refusal teaches the model's limit"
        assert (record.pending_client_message_ids, record.error) == ((), None)


@pytest.mark.parametrize(
    "context_tokens", [*CONTEXTS[::3], *(pytest.param(each, marks=LONG) for each in CONTEXTS[1:3])]
)
async def test_hostile_lengths(context_tokens: int) -> None:
    """Whatever lengths a client writes, no turn fails, and a model refuses one prompt at most."""
    await hold(context_tokens, 20)


@LONG
@pytest.mark.parametrize("context_tokens", CONTEXTS)
async def test_hostile_lengths_of_400_turns(context_tokens: int) -> None:
    """The same over 400 turns."""
    await hold(context_tokens, 400)


async def test_a_limit_is_learned_once() -> None:
    """Where the file states too much one prompt is refused, the turn goes on, and no other is."""
    async with talking(8_192, stated=131_072) as (harness, server):
        outcomes = {await say(harness, number, KINDS[1](Random(number))) for number in range(30)}
        assert (outcomes, server.refused) == ({Outcome.WAITING}, 1)


async def grow(context_tokens: int, turns: int) -> None:
    """Hold an even conversation; its prompts have the same size late as early."""
    async with talking(context_tokens) as (harness, server):
        for number in range(turns):
            await say(harness, number, f"第{number}天，" + "我夜里醒来，想着白天的事。" * 12)
        quarter = turns // 4
        early, late = server.tokens[quarter : 2 * quarter], server.tokens[-quarter:]
        assert server.refused == 0
        assert fmean(late) <= 1.1 * fmean(early)
        assert max(late) <= 1.1 * max(early)


@pytest.mark.parametrize(
    "context_tokens", [CONTEXTS[0], *(pytest.param(each, marks=FLAT) for each in CONTEXTS[1:])]
)
async def test_the_prompt_is_flat(context_tokens: int) -> None:
    """Prompts do not grow with the conversation."""
    await grow(context_tokens, 60)


@FLAT
@pytest.mark.parametrize("context_tokens", CONTEXTS)
async def test_the_prompt_is_flat_over_400_turns(context_tokens: int) -> None:
    """The same over 400 turns."""
    await grow(context_tokens, 400)


async def test_the_summary_is_in_the_prompt_and_revised() -> None:
    """A small model's prompts hold a summary, and a later one as the conversation goes on."""
    async with talking(8_192) as (harness, server):
        for number in range(40):
            await say(harness, number, "我夜里醒来，想着白天的事。" * 30)
        held = [str(prompt[1]["content"]) for prompt in server.prompts]
        versions = [re.findall(r"> 第(\d+)版摘要", text) for text in held]
        found = list(dict.fromkeys(int(each[0]) for each in versions if each))
        assert found == list(range(1, len(found) + 1))
        assert len(found) >= 2
        assert len(server.summarized) <= 10


async def test_the_ledger_shows_what_was_cut() -> None:
    """A call's record has its budget and what gave way; the turn has it as a degradation."""
    async with talking(4_096) as (harness, _):
        events = await harness.send("m", "我夜里醒来。" * 2_000)
        (end,) = [each.body for each in events if isinstance(each.body, TurnEnded)]
        assert [each.reason for each in end.degradations] == ["REPLY_CUT"]
        call = (await ledger(harness))[-1]
        assert [each.reason for each in call.cuts] == ["REPLY_CUT"]
        assert call.prompt_tokens <= call.budget_tokens == 3_584


async def test_a_value_as_long_as_the_context() -> None:
    """A value that every task repeats is cut in each prompt, and no turn fails."""
    name = "我叫小明，" * 1_500
    answer = ask_reply("好。", variables={"称呼": name})
    async with talking(4_096, content="叫{称呼}好吗", answer=answer) as (harness, server):
        outcomes = {await say(harness, number, name) for number in range(6)}
        assert (outcomes, server.refused) == ({Outcome.WAITING}, 0)
        assert "VALUE_CUT" in [each.reason for each in (await ledger(harness))[-1].cuts]
