"""A turn by a strategy: who turned it on, what its steps hold, and that off costs no call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from executor_service.engine.run_turn import run_turn
from executor_service.strategy.adviser import Strategies
from heartrule.domain.problem import Degradation
from session_store.records import TurnSnapshot
from tests.support.engine_builders import (
    RecordingSink,
    before_the_script,
    engine_deps,
    heard,
    say,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.strategies import strategy_reply

EXPLAIN = say("explain", max_rounds=3)


async def play(model: FakeModel, snapshot: TurnSnapshot, **changes: Any) -> RecordingSink:
    """Run a turn of a script with one ai_say."""
    sink = RecordingSink()
    await run_turn(snapshot, script(EXPLAIN, **changes), engine_deps(model), sink)
    return sink


def asked(model: FakeModel) -> list[str]:
    """Return the types of the calls, in order."""
    return [request.prompt_type for request in model.requests]


async def test_the_step_holds_the_recommendation_and_its_call() -> None:
    """One transaction writes what was said, the decision, the call and what the action keeps."""
    model = FakeModel([strategy_reply(), ask_reply("你好。")])
    (step,) = (await play(model, before_the_script(), strategy_engine=True)).steps
    assert step.strategy is not None
    assert step.strategy.action_instance_id == step.instances[0].action_instance_id
    assert step.result is not None
    assert step.result.debug_info is not None
    assert len(step.result.debug_info.call_ids) == 2
    kept = {"strategy": {"prompt": step.strategy.recommendation.strategy_prompt}}
    assert step.instances[0].memory == kept


@pytest.mark.parametrize("on", [False, True])
async def test_the_session_decides_over_the_script(*, on: bool) -> None:
    """Whoever starts a session may turn the engine on where the script has it off, and off."""
    replies = [strategy_reply()] if on else []
    model = FakeModel([*replies, ask_reply("你好。")])
    snapshot = before_the_script(strategy_engine=on)
    (step,) = (await play(model, snapshot, strategy_engine=not on)).steps
    assert (step.strategy is not None) is on
    assert len(model.requests) == 1 + on


async def test_the_action_decides_over_the_session() -> None:
    """An author may keep one action out of it."""
    model = FakeModel([ask_reply("你好。")])
    quiet = script(replace(EXPLAIN, strategy_engine=False), strategy_engine=True)
    sink = RecordingSink()
    await run_turn(before_the_script(strategy_engine=True), quiet, engine_deps(model), sink)
    assert (asked(model), sink.steps[0].strategy) == (["ai_say_v1"], None)


async def test_off_by_default() -> None:
    """A script that says nothing asks for nothing, and its actions keep nothing."""
    model = FakeModel([ask_reply("你好。")])
    (step,) = (await play(model, before_the_script())).steps
    assert (asked(model), step.strategy, step.instances[0].memory) == (["ai_say_v1"], None, {})


async def test_a_process_may_ask_nobody() -> None:
    """Turned off there, neither script nor action turns it on: a comparison needs a real off."""
    model, sink = FakeModel([ask_reply("你好。")]), RecordingSink()
    deps = engine_deps(model, strategies=Strategies(enabled=False))
    eager = script(replace(EXPLAIN, strategy_engine=True), strategy_engine=True)
    await run_turn(before_the_script(), eager, deps, sink)
    assert asked(model) == ["ai_say_v1"]


async def test_a_late_strategy_does_not_hold_the_turn() -> None:
    """The message is committed when it was spoken; the next turn speaks by what came meanwhile."""
    late = whole(strategy_reply("用短句"))
    late.gate = asyncio.Event()
    model = FakeModel([late, ask_reply("你好。"), ask_reply("换个说法。")])
    running, strategies = script(EXPLAIN, strategy_engine=True), Strategies(wait_s=0)
    deps, sink = engine_deps(model, strategies=strategies), RecordingSink()
    await run_turn(before_the_script(), running, deps, sink)
    assert (sink.texts(), sink.steps[0].strategy) == (["你好。"], None)
    late.gate.set()
    await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
    snapshot = waiting_at(running, inputs=(heard("不懂"),))
    await run_turn(snapshot, running, deps, sink)
    assert "用短句" in model.last_prompt()
    assert sink.steps[1].strategy is not None
    assert [call.prompt_type for call in sink.calls].count("strategy_generation") == 1


async def test_a_further_turn_reads_what_was_kept() -> None:
    """After a crash or in another process the stored strategy still serves."""
    model = FakeModel([ask_reply("换个说法。")])
    running = script(EXPLAIN, strategy_engine=True)
    snapshot = waiting_at(running, inputs=(heard("不懂"),))
    kept = replace(snapshot.plan[0], memory={"strategy": {"prompt": "【沟通策略建议】用短句"}})
    await play(model, replace(snapshot, plan=(kept,)), strategy_engine=True)
    assert (asked(model), "用短句" in model.last_prompt()) == (["ai_say_v1"], True)


async def test_what_it_lacks_is_told_with_the_turn() -> None:
    """A strategy that cannot be read costs the turn nothing but the strategy."""
    model = FakeModel([Reply(("说不好",)), ask_reply("你好。")])
    (step,) = (await play(model, before_the_script(), strategy_engine=True)).steps
    lacks = Degradation(
        stage="strategy", reason="NO_STRATEGY", metadata={"cause": "STRATEGY_UNREADABLE"}
    )
    assert step.degradations == (lacks,)
    assert step.end is not None
    assert step.end.degradations == (lacks,)
