"""A turn whose script waits for the advice on the round before."""

from __future__ import annotations

import pytest

from executor_service.engine.run_turn import run_turn
from executor_service.scripts.model.settings import MonitorRule
from heartrule.domain.monitoring import Advice
from session_store.records import MonitorTicket
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    engine_deps,
    heard,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.store_builders import advice


@pytest.mark.parametrize(("granted", "asked"), [(500, [0.5]), (None, [])])
async def test_a_script_may_let_a_turn_wait_for_the_advice_on_the_round_before(
    granted: int | None, asked: list[float]
) -> None:
    """The awaited advice is in the prompt and is consumed; by default nobody waits."""
    waits: list[float] = []

    async def await_advice(ticket: MonitorTicket, seconds: float) -> Advice | None:
        waits.append(seconds)
        assert ticket.round == 1
        return advice("adv_late", 1, feedback_text="慢一点")

    running = script(ask(max_rounds=5), monitor=MonitorRule(wait_for_advice_ms=granted))
    snapshot = waiting_at(running, inputs=(heard("嗯"),), round_=2)
    model = FakeModel([ask_reply("还有呢？")])
    sink = RecordingSink()
    await run_turn(snapshot, running, engine_deps(model, await_advice=await_advice), sink)
    assert waits == asked
    assert ("慢一点" in model.last_prompt()) is bool(asked)
    assert sink.steps[0].advice_consumed == ("adv_late" if asked else "")
