"""Models whose context is smaller than their file says: turns go on, and sessions never hang."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from heartrule.domain.events import Outcome, TurnEnded
from heartrule_cli.rehearsal.harness import Harness
from session_store.open import open_in_memory
from tests.support.conversing import Client, Told
from tests.support.executors import Neighbours, running_executor
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.scripts import ask_script
from tests.support.strict_model import StrictServer, strict_model

LONG = pytest.mark.long(
    short="tests/integration/executor/test_learned_limits.py::"
    "test_a_model_refuses_one_call_in_a_process[nothing-6000]"
)
STATED = 32_768
CODE = StrictServer(0).says
NAMED = b'{"error":{"message":"This model\'s maximum context length is %d tokens."}}'
SAID = ("我睡不好。", "我最近总是睡不好，夜里醒来就再也睡不着。", "I cannot sleep at night. ")


@asynccontextmanager
async def talking(server: StrictServer) -> AsyncIterator[Harness]:
    """Yield an opened conversation with that server, of which the file states too much."""
    store = open_in_memory()
    await store.start()
    harness = harness_of(strict_model(server, STATED), store=store)
    await harness.create_session(script_under_test(ask_script(1_000)))
    await harness.initialize()
    yield harness
    await harness.aclose()
    await store.aclose()


async def end_of(harness: Harness, name: str, text: str) -> TurnEnded:
    """Take a turn and return its end."""
    events = await harness.send(name, text)
    await harness.executor.summaries.background.idle()
    (end,) = [each.body for each in events if isinstance(each.body, TurnEnded)]
    return end


@pytest.mark.parametrize(
    "context_tokens", [6_000, *(pytest.param(each, marks=LONG) for each in (8_192, 16_384))]
)
@pytest.mark.parametrize("says", [CODE, NAMED, b"{}"], ids=["code", "number", "nothing"])
async def test_a_model_refuses_one_call_in_a_process(says: bytes, context_tokens: int) -> None:
    """No turn fails, whatever lengths are written and however the refusal is worded."""
    dice = Random(context_tokens)
    body = says % context_tokens if says is NAMED else says
    server = StrictServer(context_tokens, says=body)
    async with talking(server) as harness:
        ends = [
            await end_of(harness, f"m{n}", dice.choice(SAID) * dice.randrange(1, 600))
            for n in range(15)
        ]
    assert {each.outcome for each in ends} == {Outcome.WAITING}
    # Of a refusal in unknown words the reason is sought among the optional parameters first.
    assert server.refused <= (2 if says == b"{}" else 1)


async def test_a_prompt_that_nothing_makes_fit_ends_its_turn_alone() -> None:
    """FAILED_PRECONDITION, two calls; the next message is answered, by itself."""
    server = StrictServer(STATED)
    async with talking(server) as harness:
        server.context_tokens = 10
        failed = await end_of(harness, "m1", "我睡不好。")
        refused, server.context_tokens = server.refused, STATED
        answered = await end_of(harness, "m2", "我还在。")
    assert failed.problem is not None
    assert (failed.problem.code, failed.problem.retry_after) == (9, None)
    assert failed.problem.reason == "MODEL_CONTEXT_EXCEEDED"
    assert (refused, answered.outcome) == (2, Outcome.WAITING)
    assert answered.client_message_ids == ("m2",)


async def test_inputs_of_an_outage_are_merged_twice_at_most() -> None:
    """Five messages of the longest kind make no prompt of all five."""
    server = StrictServer(STATED, says=b"{}")
    async with talking(server) as harness:
        server.context_tokens = 0
        ends = [await end_of(harness, f"m{n}", "长" * 16_000) for n in range(5)]
        server.context_tokens = STATED
        ends.append(await end_of(harness, "m5", "好了吗"))
    assert [len(each.client_message_ids) for each in ends] == [1, 2, 3, 1, 2, 3]
    assert ends[-1].outcome is Outcome.WAITING


async def test_a_repeat_of_what_was_too_long_ends_at_once() -> None:
    """Its sender is told again how the turn ended; a new message is answered."""

    async def outcomes(client: Client, session_id: str, name: str) -> list[Outcome]:
        told: Told = await client.send(session_id, name, "我睡不好。")
        return [each.outcome for each in told.of(TurnEnded)]

    server = StrictServer(STATED)
    around = Neighbours(model=strict_model(server, STATED))  # type: ignore[arg-type]
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        server.context_tokens = 10
        told = [await outcomes(running.client, session_id, "m1") for _ in range(2)]
        server.context_tokens = STATED
        told.append(await outcomes(running.client, session_id, "m2"))
    assert told == [[Outcome.FAILED], [Outcome.FAILED], [Outcome.WAITING]]
