"""A rehearsal runs the executor that a service runs, with its limits and its waits."""

from __future__ import annotations

import asyncio

from executor_service.scripts.model.findings import At
from heartrule.domain.events import TurnEnded
from heartrule_cli.rehearsal.doubles import WrittenMonitor
from heartrule_cli.rehearsal.written_conversation import MonitorAnswer
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.stopped_stores import StoppableStore, Stopped

SCRIPT = """
session:
  session_id: asking
  monitor: {wait_for_advice_ms: 20000}
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - {action_type: ai_ask, action_id: a, config: {content: 你好吗, max_rounds: 9}}
"""
ADVICE = "举一个例子"


async def test_a_rehearsed_turn_waits_for_advice_as_the_script_grants() -> None:
    """The advice on the round before is in the prompt, though it came after the turn began."""
    model = FakeModel([ask_reply("你好吗？")] * 3)
    monitor = WrittenMonitor([MonitorAnswer(spot=At(), advice=ADVICE)] * 2, held=True)
    harness = harness_of(model, monitor=monitor)
    await harness.create_session(script_under_test(SCRIPT))
    await harness.initialize()
    first = await harness.send("m1", "不太想说")
    await monitor.received_reports(first)
    second = asyncio.create_task(harness.send("m2", "嗯"))
    monitor.release()
    await second
    await harness.aclose()
    assert ADVICE in model.last_prompt()


async def test_a_store_that_pauses_loses_no_turn() -> None:
    """A turn is over when it has ended, not when nothing was heard of it for a while."""
    store = StoppableStore()
    harness = harness_of(FakeModel([ask_reply("你好吗？")] * 2), store=store.as_store())
    await harness.create_session(script_under_test(SCRIPT))
    await harness.initialize()
    store.stop(Stopped.HANGS)
    asyncio.get_running_loop().call_later(0.7, store.resume)
    events = await harness.send("m1", "还好")
    await harness.aclose()
    assert isinstance(events[-1].body, TurnEnded)
