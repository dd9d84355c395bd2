"""A line that means danger waits for no turn, no analysis and no screen that is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import grpc
import pytest
from grpc import aio

from heartrule.domain.events import DraftDelta, DraftPosition, EventBody, InputRejected
from heartrule.domain.problem import Problem
from heartrule.domain.safety import SafetyFallback
from heartrule_cli.chat.chat_end import ChatEnd, ChatOutcome
from tests.integration.cli.test_chat import judged
from tests.support.chat_room import Listed, Written, room
from tests.support.fake_executor import FakeExecutor, echo, said
from tests.support.wire_samples import CARD

LONG = Problem(code=3, reason="INVALID_REQUEST", message="too long")
DOWN = Problem(code=14, reason="MODEL_UNAVAILABLE", message="no provider")


def hanging() -> FakeExecutor:
    """Return an executor whose opening never ends."""
    return FakeExecutor(openings=[(said("m", "hello"),)])


@pytest.mark.parametrize("attended", [True, False])
async def test_it_goes_out_while_a_turn_hangs(*, attended: bool) -> None:
    """With all that waited before it."""
    lines = Listed(["hi", "HELP"], attended=attended, live=True)
    async with room(hanging(), lines) as entered:
        talk = await entered.talk()
    assert talk.end == ChatEnd(how=ChatOutcome.LINES_ENDED)
    assert [line for line in talk.lines if "echo" in line] == ["echo hi", "echo HELP"]


async def test_it_goes_out_while_a_monitor_hangs() -> None:
    """Where nobody watches, other lines wait for advice."""
    written = Written()
    async with room(FakeExecutor(answer=judged), written) as entered:
        entered.chat.waits.analysis_s = 600.0
        talk = asyncio.create_task(entered.talk())
        written.write("hi")
        await entered.until_shown("echo hi")
        written.write("HELP")
        await entered.until_shown("echo HELP")
        entered.stop.set()
        assert (await talk).end.how is ChatOutcome.LEFT


async def test_a_line_that_was_not_sent_is_left_to_who_leaves() -> None:
    """What was written while a turn hangs is not lost."""
    written = Written()
    async with room(hanging(), written) as entered:
        talk = asyncio.create_task(entered.talk())
        await entered.until_shown("hello")
        written.write("hi", None)
        await written.ended.wait()
        entered.stop.set()
        assert (await talk).end == ChatEnd(how=ChatOutcome.LEFT, unsent=("hi",))


async def test_where_help_is_stands_above_an_answer_that_broke_off() -> None:
    """A card that comes with a refusal waits for no draft: the model may have died in it."""

    def answer(message_id: str, text: str) -> Iterable[EventBody]:
        if text == "hi":
            return [DraftDelta(at=DraftPosition(message_id="m", offset=0), text="well, ")]
        fallback = SafetyFallback(card=CARD)
        return [InputRejected(client_message_id=message_id, problem=DOWN, fallback=fallback)]

    written = Written(attended=True)
    async with room(FakeExecutor(answer=answer), written, live=True) as entered:
        talk = asyncio.create_task(entered.talk())
        written.write("hi")
        await entered.until_shown("well, ")
        written.write("HELP")
        await entered.until_shown(CARD.text)
        entered.stop.set()
        await talk


@pytest.mark.parametrize(
    "line", ["HELP" + "x" * 2_000_000, "x" * 2_000_000 + "HELP"], ids=["beginning", "end"]
)
async def test_a_line_that_is_too_long_brings_its_card(line: str) -> None:
    """Its beginning and its end go out, also while a turn hangs; its executor refuses them."""

    def answer(message_id: str, text: str) -> Iterable[EventBody]:
        if len(text.encode()) <= 1000:
            return echo(message_id, text)
        assert len(text.encode()) < 1250, "it would end the stream"
        fallback = SafetyFallback(card=CARD) if "HELP" in text else None
        return [InputRejected(client_message_id=message_id, problem=LONG, fallback=fallback)]

    fake = FakeExecutor(answer=answer, openings=[(said("m", "hello"),)])
    async with room(fake, Listed(["hi", line], attended=True, live=True)) as entered:
        talk = await entered.talk()
    assert talk.end.refused == 1
    assert {CARD.text, "echo hi", "  not taken: too long (INVALID_REQUEST)"} <= set(talk.lines)


async def test_what_nobody_has_screened_goes_out_too() -> None:
    """An input too early harms less than a card too late."""

    class Blind(FakeExecutor):
        async def ScreenText(  # type: ignore[override]  # noqa: N802  it answers nothing
            self, _request: object, context: aio.ServicerContext[Any, Any]
        ) -> None:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "no screen")

    blind = Blind(openings=[(said("m", "hello"),)])
    async with room(blind, Listed(["hi"], live=True)) as entered:
        talk = await entered.talk()
    assert "echo hi" in talk.lines
