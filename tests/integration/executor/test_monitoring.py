"""The second mind: beside the turn, never in its way; its advice enters the next prompt once."""

from __future__ import annotations

import asyncio

from heartrule.domain.errors import HeartRuleError, ModelUnavailable
from heartrule.domain.events import ActionResultRecorded, AdviceChanged, AnalysisEnded, TurnEnded
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
MORE = ask_reply("慢慢说。")
ADVICE = "【Topic层策略建议】\n请更温和一些"


async def test_advice_enters_the_next_prompt_once() -> None:
    """The turn after the judged one holds the block; the one after that does not."""
    around = Neighbours(
        model=FakeModel([QUESTION, *[MORE] * 3]), monitor=FakeMonitor([advises(ADVICE)])
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "不太想说")
            await stream.until_body(AnalysisEnded)
            await stream.turn("m2", "嗯")
            await stream.turn("m3", "嗯")
        held = [ADVICE in request.messages[-1].content for request in around.model.requests]
        states = [change.advice.state for change in stream.told.of(AdviceChanged)]
        assert held == [False, False, True, False]
        assert states == [AdviceState.PENDING, AdviceState.CONSUMED]


async def test_a_monitor_held_open_delays_no_reply() -> None:
    """The answer of the next turn is there while the analysis of the first is not."""
    monitor = FakeMonitor([advises(ADVICE)], gate=asyncio.Event())
    around = Neighbours(model=FakeModel([QUESTION, MORE, MORE]), monitor=monitor)
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "嗯")
            await stream.turn("m2", "嗯")
            assert not stream.told.of(AnalysisEnded)
            assert monitor.gate is not None
            monitor.gate.set()
            await stream.until_body(AnalysisEnded)


async def test_the_monitor_sees_the_question_the_reply_and_the_answer() -> None:
    """What was judged is in the report, with its metrics and targets."""
    around = Neighbours(model=FakeModel([QUESTION, MORE]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            await stream.until_body(AnalysisEnded)
        report = around.monitor.reports[0]
        assert [line.text for line in report.dialogue] == ["怎么称呼你？", "小明", "慢慢说。"]
        assert report.target_variables == ("称呼",)
        assert report.metrics.user_engagement == "愿意谈"


async def test_an_unreadable_reply_is_not_analysed() -> None:
    """There is nothing to judge, and the result says so (RESOLUTIONS C13)."""
    around = Neighbours(model=FakeModel([QUESTION, '{"broken']))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        told = await running.client.send(session_id, "m1", "小明")
        await running.executor.dispatcher.background.idle()
        result = told.of(ActionResultRecorded)[-1].action_result
        assert result.metadata["analysis"] == "skipped"
        assert around.monitor.reports == []


async def test_a_monitor_that_fails_is_noticed_only_in_the_history() -> None:
    """The turn is as ever; the analysis is recorded as failed."""
    down = HeartRuleError("refused", reason="MONITOR_REFUSED")
    around = Neighbours(model=FakeModel([QUESTION, MORE]), monitor=FakeMonitor([down, down]))
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            ended = await stream.until_body(AnalysisEnded)
        assert ended.result is AnalysisOutcome.FAILED
        assert ended.reason == "MONITOR_REFUSED"


async def test_a_monitor_that_was_away_for_a_while_still_advises() -> None:
    """The round is not lost: the sweep repeats the analysis until it is answered."""
    away = ModelUnavailable("away", reason="MONITOR_UNAVAILABLE")
    around = Neighbours(
        model=FakeModel([QUESTION, MORE]),
        monitor=FakeMonitor([away, away, away, away, advises(ADVICE)]),
        environ={"HEARTRULE_MONITOR_SWEEP": "0.01"},
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "嗯")
            ended = await stream.until_body(AnalysisEnded)
        assert ended.result is AnalysisOutcome.ADVICE
        assert len(around.monitor.reports) == 5


async def test_advice_for_an_utterance_works_too() -> None:
    """ai_say's advice enters its next utterance under its own heading."""
    script = ask_script().replace("require_acknowledgment: false", "max_rounds: 5")
    advice = "【表达优化建议】\n举一个例子"
    around = Neighbours(
        model=FakeModel([QUESTION, ask_reply("好。", exit_="YES"), MORE, MORE, MORE]),
        monitor=FakeMonitor([advises(advice)]),
    )
    async with running_executor(around) as running:
        session_id = await running.client.start(script)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
            await stream.turn("m2", "不明白")
            await stream.until_body(AnalysisEnded)
            await stream.turn("m3", "还是不明白")
        assert advice in around.model.last_prompt()


async def test_a_turn_may_wait_for_the_advice_on_the_round_before() -> None:
    """The script grants it: the very next turn holds advice that was not there when it began."""
    monitor = FakeMonitor([advises(ADVICE)], gate=asyncio.Event())
    around = Neighbours(model=FakeModel([QUESTION, MORE, MORE]), monitor=monitor)
    async with running_executor(around) as running:
        script = ask_script(9).replace(
            "session:", "session:\n  monitor: {wait_for_advice_ms: 20000}"
        )
        session_id = await running.client.start(script)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "不太想说")
            waiting = asyncio.create_task(stream.turn("m2", "嗯"))
            assert monitor.gate is not None
            await monitor.was_asked_about({(monitor.reports[0].action_instance_id, 1)})
            monitor.gate.set()
            await waiting
            states = [change.advice.state for change in stream.told.of(AdviceChanged)]
        assert ADVICE in around.model.requests[-1].messages[-1].content
        assert states == [AdviceState.PENDING, AdviceState.CONSUMED]
