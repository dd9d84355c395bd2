"""One turn, from the client's words to the next question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.engine.run_turn import TooManyActionsInTurn, run_turn
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import Cadence, MonitorRule
from heartrule.domain.action_result import DebugInfo
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import Outcome
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.monitoring import MonitorAnalysis, StrategySuggestion
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.problem import Degradation
from session_store.records import InstanceState, TurnEnd, TurnSnapshot
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    before_the_script,
    engine_deps,
    heard,
    reasons,
    say,
    script,
    think,
    told,
    waiting_at,
)
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.shipped_files import shipped_installation
from tests.support.store_builders import advice
from tests.support.written_templates import CLOSING

GREETING = script(
    ask(get=("称呼",)),
    say("bye", content="再见{称呼}", require_acknowledgment=False),
)
DOWN = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")


async def run(
    running: Script, snapshot: TurnSnapshot, model: FakeModel, **deps: Any
) -> tuple[TurnEnd, RecordingSink]:
    """Run one turn and return its end and what it committed."""
    sink = RecordingSink()
    end = await run_turn(snapshot, running, engine_deps(model, **deps), sink)
    return end, sink


async def test_the_opening_turn_speaks_first_and_waits() -> None:
    """Without an input the first action opens; the session then waits for the client."""
    end, sink = await run(GREETING, before_the_script(), FakeModel([ask_reply("怎么称呼你？")]))
    assert sink.texts() == ["怎么称呼你？"]
    assert (end.outcome, sink.steps[-1].status) == (Outcome.WAITING, ExecutionStatus.WAITING_INPUT)
    assert (sink.steps[-1].position.action_id, sink.steps[-1].position.current_round) == ("ask", 1)


async def test_one_turn_goes_through_as_many_actions_as_it_can() -> None:
    """Each action that ends is a step of its own, its messages in order, until the script ends."""
    model = FakeModel(
        [ask_reply("好。", exit_="YES", variables={"称呼": "小明"}), ask_reply("再见小明")]
    )
    snapshot = waiting_at(GREETING, inputs=(heard("小明"),))
    end, sink = await run(GREETING, snapshot, model)
    assert sink.texts() == ["好。", "再见小明"]
    assert [step.status for step in sink.steps] == [
        ExecutionStatus.RUNNING,
        ExecutionStatus.COMPLETED,
    ]
    assert end.outcome is Outcome.SESSION_COMPLETED


async def test_a_closing_line_said_before_is_left_out_where_another_action_speaks() -> None:
    """The next action's words are enough; at the end of the script the line is sent again."""
    late = ask_reply("还有吗？", exit_="YES")
    window = (told(CLOSING),)
    waiting = waiting_at(GREETING, inputs=(heard("小明"),), window=window)
    _, sink = await run(GREETING, waiting, FakeModel([late, ask_reply("再见小明")]))
    assert sink.texts() == ["再见小明"]
    alone = script(ask(get=("称呼",)))
    waiting = waiting_at(alone, inputs=(heard("小明"),), window=window)
    _, sink = await run(alone, waiting, FakeModel([late]))
    assert sink.texts() == [CLOSING]


async def test_only_the_last_step_ends_the_turn() -> None:
    """The end names every message of the turn, and why the judged action ended."""
    model = FakeModel([ask_reply("好。", exit_="YES", BRIEF="说了名字"), ask_reply("再见")])
    end, sink = await run(GREETING, waiting_at(GREETING, inputs=(heard("小明"),)), model)
    assert [step.end for step in sink.steps] == [None, end]
    assert end.message_ids == ("msg_1", "msg_2")
    assert end.exit_reason is ExitReason.EXIT_CRITERIA_MET
    assert end.exit_decision is not None
    assert end.exit_decision.decision_source is DecisionSource.EXIT_FLAG


async def test_fragments_are_judged_together() -> None:
    """Several inputs of a turn are one reply, on lines of their own."""
    model = FakeModel([ask_reply("然后呢？")])
    inputs = (heard("我", "m1"), heard("叫小明", "m2"))
    _, sink = await run(GREETING, waiting_at(GREETING, inputs=inputs), model)
    assert "他说：\n> 我\n> 叫小明\n说完" in model.last_prompt()
    assert len(model.requests) == len(sink.steps) == 1


async def test_the_reply_is_judged_once_and_then_history() -> None:
    """The next action of the turn opens; it finds reply and answer among the messages."""
    model = FakeModel([ask_reply("好。", exit_="YES"), ask_reply("再见")])
    snapshot = waiting_at(GREETING, inputs=(heard("小明"),), window=(told("怎么称呼你？"),))
    await run(GREETING, snapshot, model)
    history = [(m.role, m.content) for m in model.requests[-1].messages[1:-1]]
    assert history == [("assistant", "怎么称呼你？"), ("user", "小明"), ("assistant", "好。")]


async def test_a_turn_taken_up_again_goes_on_behind_its_last_step() -> None:
    """Inputs a committed step has judged are not judged again; nothing is said twice."""
    snapshot = waiting_at(
        GREETING,
        place=(0, 0, 1),
        round_=0,
        inputs=(heard("小明"),),
        inputs_consumed=True,
        steps=1,
        attempt=2,
        message_ids=("old_1",),
        degradations=(Degradation(stage="parse", reason="REPAIRED_REPLY"),),
    )
    end, sink = await run(GREETING, snapshot, FakeModel([ask_reply("再见")]))
    assert sink.texts() == ["再见"]
    assert end.message_ids == ("old_1", "msg_1")
    assert reasons(end.degradations)[0] == "REPAIRED_REPLY"


async def test_a_step_carries_what_its_round_wrote() -> None:
    """Plan, variables and result of a round are committed with its message."""
    model = FakeModel(
        [ask_reply("好。", exit_="YES", variables={"称呼": "小明"}), ask_reply("再见")]
    )
    _, sink = await run(GREETING, waiting_at(GREETING, inputs=(heard("小明"),)), model)
    first = sink.steps[0]
    assert [(v.name, v.value) for v in first.variables] == [("称呼", "小明")]
    assert [i.state for i in first.instances] == [InstanceState.COMPLETED]
    assert first.result is not None
    assert first.result.action_instance_id == "act_1"
    assert first.inputs_consumed


async def test_a_result_names_the_model_calls_of_its_round() -> None:
    """The ledger has their records; an acknowledgement, which made no call, names none."""
    running = script(say(), ask())
    snapshot = waiting_at(running, inputs=(heard("好"),))
    _, sink = await run(running, snapshot, FakeModel([ask_reply("怎么称呼你？")]))
    infos = [step.result.debug_info for step in sink.steps if step.result]
    assert infos == [None, DebugInfo(call_ids=(sink.calls[0].call_id,))]


async def test_an_opening_behind_a_judged_answer_asks_for_its_text_alone() -> None:
    """The round that judged it has heard its values; nothing is left for the next question."""
    running = script(ask(get=("称呼",)), ask("age", get=("岁数",)))
    model = FakeModel([ask_reply("好。", exit_="YES"), ask_reply("多大？")])
    snapshot = waiting_at(running, inputs=(heard("小明"),))
    await run(running, snapshot, model, templates=shipped_installation().templates)
    assert [each.reply_fields for each in model.requests][1:] == [("content",)]


async def test_a_model_that_is_down_ends_the_attempt_with_nothing_committed() -> None:
    """The error leaves the turn as it is: the position stays (RESOLUTIONS C24)."""
    sink = RecordingSink()
    snapshot = waiting_at(GREETING, inputs=(heard("小明"),))
    with pytest.raises(ModelUnavailable):
        await run_turn(snapshot, GREETING, engine_deps(FakeModel([Reply((), fails=DOWN)])), sink)
    assert sink.steps == []


async def test_advice_is_consumed_by_the_step_whose_prompt_held_it() -> None:
    """The judging call holds the block; the opening of the next action does not (C12)."""
    model = FakeModel([ask_reply("好。", exit_="YES"), ask_reply("再见")])
    given = advice("adv_1", feedback_text="【Topic层策略建议】慢一点")
    snapshot = waiting_at(GREETING, inputs=(heard("嗯"),), advice=given)
    _, sink = await run(GREETING, snapshot, model)
    held = ["慢一点" in request.messages[-1].content for request in model.requests]
    assert held == [True, False]
    assert [step.advice_consumed for step in sink.steps] == ["adv_1", ""]


async def test_a_round_under_advice_says_whether_it_obeyed() -> None:
    """Its result has it, where signals can tell; here it was to put the question otherwise."""
    rephrase = MonitorAnalysis(strategy_suggestion=StrategySuggestion.REPHRASE)
    given = advice("adv_1", analysis=rephrase)
    window = (told("怎么称呼你？"),)
    snapshot = waiting_at(GREETING, inputs=(heard("嗯"),), window=window, advice=given)
    for answer, obeyed in (("怎么称呼你？", False), ("大家平时怎么叫你？", True)):
        _, sink = await run(GREETING, snapshot, FakeModel([ask_reply(answer)] * 2))
        result = sink.steps[0].result
        assert result is not None
        assert result.metadata["advice_obeyed"] is obeyed


async def test_an_acknowledgment_leaves_advice_pending() -> None:
    """Without a model call no prompt held it."""
    running = script(say(), say("next"))
    snapshot = waiting_at(running, inputs=(heard("好"),), advice=advice("adv_1"))
    _, sink = await run(running, snapshot, FakeModel([ask_reply("接着说")]))
    assert [step.advice_consumed for step in sink.steps] == ["", ""]


async def test_an_inner_step_says_nothing_and_its_variables_fill_the_next_text() -> None:
    """ai_think runs within the turn; what follows reads what it found."""
    running = script(think(get=("看法",)), say(content="我的看法：{看法}"))
    model = FakeModel(['{"variables":{"看法":"睡得少"},"BRIEF":"依据作息"}', ask_reply("说完了")])
    _, sink = await run(running, before_the_script(), model)
    assert sink.texts() == ["说完了"]
    assert "我的看法：睡得少" in model.last_prompt()


async def test_a_script_that_never_waits_is_stopped() -> None:
    """Past the limit of actions the turn fails by name; the steps before it stay."""
    running = script(*(say(f"s{n}", require_acknowledgment=False) for n in range(3)))
    sink = RecordingSink()
    model = FakeModel([ask_reply(f"第{n}句") for n in range(3)])
    with pytest.raises(TooManyActionsInTurn) as caught:
        await run_turn(before_the_script(), running, engine_deps(model, max_actions=2), sink)
    assert caught.value.reason == "TOO_MANY_ACTIONS"
    assert len(sink.steps) == 2


async def test_a_round_that_goes_on_keeps_the_actions_small_memory() -> None:
    """What a round noted for the next is in the plan row, and nothing of its configuration."""
    model = FakeModel([ask_reply("然后呢？"), ask_reply("然后呢？")])
    snapshot = waiting_at(GREETING, inputs=(heard("嗯"),), window=(told("然后呢？"),))
    _, sink = await run(GREETING, snapshot, model)
    (changed,) = sink.steps[0].instances
    assert (changed.round, set(changed.memory)) == (2, {"repeated", "signals", "told_in_vain"})


async def test_the_time_in_a_prompt_is_the_sessions() -> None:
    """The clock is shown in the session's own zone."""
    running = script(say(content="现在{time}"))
    model = FakeModel([ask_reply("你好")])
    await run(running, replace(before_the_script(), time_zone="Asia/Tokyo"), model)
    assert "2026-11-21 21:00 星期六" in model.last_prompt()


@pytest.mark.parametrize(("further", "asked"), [((say("next"),), True), ((), False)])
async def test_the_last_round_is_analysed_only_while_its_topic_is_open(
    further: tuple[Any, ...], *, asked: bool
) -> None:
    """Once the topic is left nothing could be advised or planned any more (RESOLUTIONS C13)."""
    running = script(ask(max_rounds=1), *further)
    model = FakeModel([ask_reply("还有呢？"), ask_reply("接着说")])
    _, sink = await run(running, waiting_at(running, inputs=(heard("嗯"),)), model)
    judged = sink.steps[0]
    assert judged.result is not None
    assert judged.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    assert judged.monitor_requested is asked
    assert judged.result.metadata["analysis"] == ("requested" if asked else "skipped")


async def test_a_round_the_cadence_leaves_out_asks_for_no_analysis() -> None:
    """Its result says that, and why; nothing is left for a monitor to do."""
    off = MonitorRule(cadence=Cadence.OFF)
    running = script(ask(max_rounds=3), monitor=off)
    _, sink = await run(
        running, waiting_at(running, inputs=(heard("嗯"),)), FakeModel([ask_reply("还有呢？")])
    )
    judged = sink.steps[0]
    assert judged.monitor_requested is False
    assert judged.result is not None
    facts = {key: judged.result.metadata[key] for key in ("analysis", "analysis_reason")}
    assert facts == {"analysis": "skipped", "analysis_reason": "CADENCE"}
