"""A screen that fails within a turn: nothing keeps help from a person."""

from __future__ import annotations

from typing import Any

from executor_service.engine.run_turn import run_turn
from heartrule.domain.safety import SafetyLevel, SafetyState
from heartrule.safety.screen import ScreenContext, Screening
from tests.support.engine_builders import (
    RecordingSink,
    answered,
    ask,
    engine_deps,
    heard,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_safety import WrittenScreen
from tests.support.meters import counted, counting

GREETING = script(ask())
FROZEN = SafetyState(level=SafetyLevel.CRISIS, step="ask", frozen=True, question="direct")


class FaultyScreen(WrittenScreen):
    """Fails at a text behind others, and at one that names a fault."""

    def screen(self, text: str, context: ScreenContext) -> Screening:
        """Return the level named."""
        if context.earlier or text == "FAULT":
            raise ZeroDivisionError
        return super().screen(text, context)


async def said_to(text: str, **changes: Any) -> str:
    """Return what a client is told first who says a text."""
    snapshot = waiting_at(GREETING, inputs=(heard(text),), turn_no=4, **changes)
    sink, deps = (
        RecordingSink(),
        engine_deps(FakeModel([ask_reply("我在听。")]), rules=FaultyScreen()),
    )
    await run_turn(snapshot, GREETING, deps, sink)
    return sink.texts()[0]


async def test_a_text_is_read_alone_where_the_screen_fails() -> None:
    """What stands before a text keeps nobody from the card that the text alone calls for."""
    with counting() as reader:
        assert "12356" in await said_to("CRISIS", window=(answered("嗯"),))
    assert counted(reader, "heartrule.safety.screen_failures") == {(): 1}


async def test_a_text_that_the_screen_cannot_read_stops_no_turn() -> None:
    """The script goes on, and on the path the path."""
    assert await said_to("FAULT") == "我在听。"
    assert "12356" in await said_to("FAULT", safety=FROZEN)
