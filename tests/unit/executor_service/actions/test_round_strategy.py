"""A round by a strategy: made first, kept, made anew on advice, never in the way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.action_context import RoundOutcome
from executor_service.actions.ai_ask import run_ai_ask
from executor_service.actions.ai_say import run_ai_say
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.scripts.model.script import Action
from executor_service.strategy.adviser import StrategyAdviser
from heartrule.domain.conversation import Role
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.monitoring import Advice, MonitorAnalysis, Severity, StrategySuggestion
from heartrule.domain.strategy import StrategyLine
from heartrule.model.ports import ChatMessage
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    reasons,
    reply_streamer,
    round_context,
    say,
)
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.strategies import adviser, strategy_reply

HEADED = "【沟通策略建议】\n用短句"
KEPT = {"strategy": {"prompt": HEADED}}
DOWN = Reply((), fails=ModelUnavailable("down", reason="MODEL_TIMEOUT"))


async def run(
    action: Action, model: FakeModel, *, by: StrategyAdviser | None = None, **changes: Any
) -> RoundOutcome:
    """Run one round with the strategy engine on."""
    runner = run_ai_say if action.action_type is ActionType.AI_SAY else run_ai_ask
    context = round_context(action, model, **changes)
    asking = replace(by or adviser(model), round=context.round)
    return await runner(replace(context, strategy=asking))


def asked(model: FakeModel) -> list[str]:
    """Return the types of the calls, in order."""
    return [request.prompt_type for request in model.requests]


def advice(suggestion: StrategySuggestion | None) -> Advice:
    """Return an advice with this suggestion."""
    return Advice(
        advice_id="adv_1",
        session_id="s",
        action_id="say",
        action_instance_id="act_1",
        about_round=1,
        analysis=MonitorAnalysis(strategy_suggestion=suggestion, intervention_reason="听不懂"),
        feedback_text="换个说法",
        severity=Severity.CONCERN,
    )


@pytest.mark.parametrize("action", [say(max_rounds=3), say(), ask(max_rounds=3)])
async def test_the_first_words_are_spoken_by_a_strategy(action: Action) -> None:
    """The model is asked for a strategy before the action opens; its prompt holds the answer."""
    model = FakeModel([strategy_reply("用短句"), ask_reply("你好。")])
    outcome = await run(action, model)
    assert asked(model) == ["strategy_generation", f"{action.action_type.value}_v1"]
    assert HEADED in model.last_prompt()
    assert outcome.memory == KEPT
    assert outcome.strategy is not None
    assert (outcome.strategy.action_instance_id, outcome.strategy.round) == ("act_1", 1)
    assert outcome.strategy.recommendation.strategy_prompt == HEADED


async def test_a_single_question_has_no_strategy() -> None:
    """ai_ask asks for one only where it may ask several times (document 001, 4.2.4)."""
    model = FakeModel([ask_reply("你好。")])
    outcome = await run(ask(max_rounds=1), model)
    assert (asked(model), outcome.strategy, outcome.memory) == (["ai_ask_v1"], None, {})


async def test_off_is_off() -> None:
    """Without an adviser nothing is asked and nothing is remembered."""
    model = FakeModel([ask_reply("你好。")])
    outcome = await run_ai_say(round_context(say(max_rounds=3), model, memory=KEPT))
    assert (asked(model), outcome.memory) == (["ai_say_v1"], {})
    assert "沟通策略" not in model.last_prompt()


async def test_later_rounds_keep_it() -> None:
    """The strategy stays in the prompts of its action without another call."""
    model = FakeModel([ask_reply("换个说法。")])
    outcome = await run(say(max_rounds=3), model, reply="不懂", memory=KEPT)
    assert asked(model) == ["ai_say_v1"]
    assert HEADED in model.last_prompt()
    assert outcome.memory["strategy"]["prompt"] == HEADED  # type: ignore[index,call-overload]
    assert outcome.strategy is None


@pytest.mark.parametrize("suggestion", StrategySuggestion)
async def test_advice_makes_it_anew(suggestion: StrategySuggestion) -> None:
    """rephrase, comfort and accept_partial call for a new strategy, skip does not (C27)."""
    anew = suggestion is not StrategySuggestion.SKIP
    replies = [strategy_reply("先安抚")] if anew else []
    model = FakeModel([*replies, ask_reply("换个说法。")])
    outcome = await run(
        say(max_rounds=4), model, reply="不懂", memory=KEPT, advice=advice(suggestion)
    )
    assert ("先安抚" in model.last_prompt()) is anew
    assert (HEADED in model.last_prompt()) is not anew
    assert (outcome.strategy is not None) is anew


async def test_a_failure_falls_back() -> None:
    """The template speaks without a strategy, and the turn says what it lacks."""
    model = FakeModel([DOWN, ask_reply("你好。")])
    outcome = await run(say(max_rounds=3), model)
    assert [said.text for said in outcome.messages] == ["你好。"]
    assert "沟通策略" not in model.last_prompt()
    assert reasons(outcome.degradations) == ["NO_STRATEGY"]
    assert outcome.memory == {"strategy": {"missed": 1}}


async def test_a_failure_leaves_the_earlier_strategy() -> None:
    """Where a new one does not come the one before still serves."""
    model = FakeModel([DOWN, ask_reply("换个说法。")])
    comfort = advice(StrategySuggestion.COMFORT)
    outcome = await run(say(max_rounds=4), model, reply="不懂", memory=KEPT, advice=comfort)
    assert HEADED in model.last_prompt()
    assert reasons(outcome.degradations)[-1] == "NO_STRATEGY"


@pytest.mark.parametrize(("missed", "calls"), [(1, 2), (2, 1)])
async def test_a_missing_strategy_is_asked_for_once_more(missed: int, calls: int) -> None:
    """The next round asks again beside its own call; after two failures the action does without."""
    model = FakeModel([*[strategy_reply()] * (calls - 1), ask_reply("好。")])
    memory: Mapping[str, Any] = {"strategy": {"missed": missed}}
    outcome = await run(ask(max_rounds=4), model, reply="嗯", memory=memory)
    assert len(model.requests) == calls
    assert (outcome.strategy is not None) is (calls == 2)


async def test_a_late_strategy_serves_the_next_round() -> None:
    """The message does not wait for it; the next round speaks by it and keeps it."""
    late = whole(strategy_reply("用短句"))
    late.gate = asyncio.Event()
    model = FakeModel([late, ask_reply("你好。"), ask_reply("换个说法。")])
    by = adviser(model, wait_s=0)
    outcome = await run(say(max_rounds=3), model, by=by)
    assert (outcome.memory, reasons(outcome.degradations)) == ({}, ["STRATEGY_LATE"])
    late.gate.set()
    await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
    outcome = await run(say(max_rounds=3), model, by=by, reply="不懂")
    assert asked(model) == ["strategy_generation", "ai_say_v1", "ai_say_v1"]
    assert HEADED in model.last_prompt()
    assert outcome.memory == KEPT
    assert outcome.strategy is not None
    assert outcome.strategy.round == 2


async def test_an_advice_makes_a_late_strategy_useless() -> None:
    """It was made before the advice; a new one is asked for, and waited for."""
    late = whole(strategy_reply("用短句"))
    late.gate = asyncio.Event()
    model = FakeModel([late, ask_reply("你好。"), strategy_reply("先安抚"), ask_reply("慢慢来。")])
    by = adviser(model, wait_s=0)
    await run(say(max_rounds=3), model, by=by)
    patient, comfort = adviser(model), advice(StrategySuggestion.COMFORT)
    patient = replace(patient, strategies=replace(patient.strategies, late=by.strategies.late))
    await run(say(max_rounds=3), model, by=patient, reply="不懂", advice=comfort)
    assert "先安抚" in model.last_prompt()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_its_calls_come_to_the_ledger_after_the_rounds_own() -> None:
    """The round's own call stays the last of its own list, so that its diagnosis finds it."""
    model = FakeModel([strategy_reply(), ask_reply("你好。")])
    by, sink = adviser(model), RecordingSink()
    await run(say(max_rounds=3), model, by=by, streamer=reply_streamer(model, sink))
    assert [call.prompt_type for call in by.ledger] == ["strategy_generation"]
    assert [call.prompt_type for call in sink.calls if call.parse] == ["ai_say_v1"]


async def test_a_failed_round_keeps_the_calls() -> None:
    """Where the talk fails the strategy's call is in the ledger all the same."""
    model = FakeModel([strategy_reply(), DOWN])
    by = adviser(model)
    with pytest.raises(ModelUnavailable):
        await run(say(max_rounds=3), model, by=by)
    assert [call.prompt_type for call in by.ledger] == ["strategy_generation"]


async def test_a_stopped_round_leaves_no_call_behind() -> None:
    """A turn that is cancelled while it speaks ends the recommendation that is still on its way."""
    late, opening = whole(strategy_reply()), whole(ask_reply("你好。"))
    late.gate, opening.gate = asyncio.Event(), asyncio.Event()
    model = FakeModel([late, opening])
    speaking = asyncio.create_task(run(say(max_rounds=3), model, by=adviser(model, wait_s=0)))
    await opening.started.wait()
    speaking.cancel()
    await asyncio.wait({speaking})
    assert speaking.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_an_action_that_ends_waits_for_nothing() -> None:
    """What is late is of no use where no round follows."""
    late, opening = whole(strategy_reply()), whole(ask_reply("你好。"))
    late.gate = asyncio.Event()
    model = FakeModel([late, opening])
    action = say(require_acknowledgment=False)
    outcome = await run(action, model, by=adviser(model, wait_s=0))
    assert outcome.result.completed
    assert (outcome.strategy, reasons(outcome.degradations)) == (None, ["STRATEGY_LATE"])


async def test_the_context_is_made_of_the_session() -> None:
    """Profile from variables, the last messages, the situation, the action (document 001)."""
    model = FakeModel([strategy_reply(), ask_reply("好。")])
    action = ask(max_rounds=3, get=("称呼", "职业"), exit_criteria=ExitCriteria(min_rounds=2))
    outcome = await run(
        action,
        model,
        reply="听不懂",
        variables={"学历": "本科", "称呼": "小李"},
        history=(ChatMessage(role="assistant", content="你好"),),
        advice=advice(StrategySuggestion.REPHRASE),
        signals=("回答比前两次都短",),
    )
    assert outcome.strategy is not None
    context = outcome.strategy.context
    assert context.user_profile == {"educationLevel": "本科"}
    assert context.conversation_history == (
        StrategyLine(role=Role.ASSISTANT, content="你好"),
        StrategyLine(role=Role.CLIENT, content="听不懂"),
    )
    progress = context.current_situation.progress_summary
    seen = ("听不懂 rephrase", "注意到：回答比前两次都短")
    for told in ("第 1 轮，最多 3 轮", "已经知道：称呼", "还不知道：职业", *seen):
        assert told in progress
    assert context.action_config.action_type == "ai_ask"
    assert context.action_config.exit_criteria == {"min_rounds": 2}


async def test_the_subtype_of_an_ai_say_is_in_the_context() -> None:
    """The model is told what kind of talk it advises (document 001 section 4.2.2)."""
    model = FakeModel([strategy_reply(), ask_reply("好。")])
    outcome = await run(say(max_rounds=3, subtype="introduce_concept"), model)
    assert outcome.strategy is not None
    assert outcome.strategy.context.action_config.subtype == "introduce_concept"


async def test_the_history_is_the_last_messages() -> None:
    """No more messages are told than the profile says."""
    model = FakeModel([strategy_reply(), ask_reply("好。")])
    said = tuple(ChatMessage(role="assistant", content=f"第{n}句") for n in range(40))
    outcome = await run(say(max_rounds=3), model, history=said)
    assert outcome.strategy is not None
    told = [line.content for line in outcome.strategy.context.conversation_history]
    assert told == [f"第{n}句" for n in range(24, 40)]


async def test_understanding_is_followed() -> None:
    """What each round judges stands in the next context as a trend."""
    model = FakeModel([ask_reply("好。", assessment={"understanding_level": 60})])
    memory = {"strategy": {"prompt": HEADED, "levels": [35]}}
    outcome = await run(say(max_rounds=5), model, reply="哦", memory=memory)
    assert outcome.memory == {"strategy": {"prompt": HEADED, "levels": [35, 60]}}
    model = FakeModel([strategy_reply(), ask_reply("好。")])
    comfort = advice(StrategySuggestion.COMFORT)
    outcome = await run(say(max_rounds=5), model, reply="哦", memory=outcome.memory, advice=comfort)
    assert outcome.strategy is not None
    trend = outcome.strategy.context.current_situation.understanding_trend
    assert trend == "理解程度 35、60（0-100）；在上升"
