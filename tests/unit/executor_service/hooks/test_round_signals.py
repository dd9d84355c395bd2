"""Signals in a turn: in the result of the judged round, and told to the next one."""

from __future__ import annotations

from executor_service.engine.run_turn import run_turn
from executor_service.monitoring.signal_words import load_signal_words
from executor_service.scripts.model.settings import Cadence, MonitorRule
from heartrule.chassis.system_files import system_dir
from session_store.records import StepCommit
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    before_the_script,
    engine_deps,
    heard,
    script,
    told,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply

WORDS = load_signal_words(system_dir() / "config")
ON_SIGNAL = MonitorRule(cadence=Cadence.ON_SIGNAL)


async def judged(reply: str, *answers: str, round_: int = 1) -> StepCommit:
    """Return the step of a round of an ask that goes on."""
    running = script(ask(max_rounds=6), monitor=ON_SIGNAL)
    snapshot = waiting_at(
        running, round_=round_, inputs=(heard(reply),), window=(told("最近睡眠怎么样？"),)
    )
    sink = RecordingSink()
    deps = engine_deps(FakeModel(map(ask_reply, answers)), signal_words=WORDS)
    await run_turn(snapshot, running, deps, sink)
    return sink.steps[0]


async def test_signals_stand_in_the_result_and_in_the_instance() -> None:
    """By name, with their count; the text of nobody is among them."""
    step = await judged("我撑不住了", "嗯，最近睡眠怎么样？")
    assert step.result is not None
    signals = step.result.metadata["signals"]
    assert signals == {"question_not_answered": 1, "same_question": 2, "feeling_passed_over": 1}
    assert step.instances[0].memory["signals"] == signals


async def test_a_text_that_was_caught_is_a_signal() -> None:
    """The check before sending tells it: the client's own words were to be sent."""
    step = await judged("睡得还可以", "睡得还可以。", "那就好。")
    assert step.result is not None
    assert step.result.metadata["signals"] == {"echo": 1}


async def test_a_quiet_round_holds_no_word_of_signals() -> None:
    """Neither its result nor its instance."""
    step = await judged("睡得还可以", "那就好。")
    assert step.result is not None
    assert "signals" not in step.result.metadata
    assert "signals" not in step.instances[0].memory


async def test_an_opening_has_no_signals() -> None:
    """It judges nothing, whatever it says."""
    sink = RecordingSink()
    deps = engine_deps(FakeModel([ask_reply("怎么称呼你？")]), signal_words=WORDS)
    await run_turn(before_the_script(), script(ask()), deps, sink)
    (step,) = sink.steps
    assert step.result is not None
    assert "signals" not in step.result.metadata


async def test_on_signal_asks_for_rounds_with_one_and_every_third() -> None:
    """The first rounds of an action are quiet here; its third is analysed all the same."""
    assert (await judged("我撑不住了", "嗯，最近睡眠怎么样？")).monitor_requested
    assert not (await judged("睡得还可以", "那就好。", round_=2)).monitor_requested
    assert (await judged("睡得还可以", "那就好。", round_=3)).monitor_requested
