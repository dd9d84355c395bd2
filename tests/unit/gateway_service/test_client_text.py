"""How long a text that means danger waits."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import cache

import grpc
import pytest

from gateway_service.client_text import CARDS, ClientText
from gateway_service.crisis_screen import CrisisScreen
from gateway_service.problems import HttpProblem, problem
from gateway_service.seen_sessions import SeenSession
from heartrule.chassis.logs import JsonLines
from tests.support.meters import counted, counting
from tests.support.shipped_files import SAFETY_FILES


@cache
def shipped_screen() -> CrisisScreen:
    """Return the screen with the rules we ship."""
    return CrisisScreen(SAFETY_FILES)


def sent(text: str = "我想自杀", locale: str = "") -> ClientText:
    """Return a text that is not waited for."""
    return ClientText(screen=shipped_screen(), text=text, locale=locale, first_s=0.0, rest_s=0.0)


def behind(question: str, text: str, *, region: str = "") -> ClientText:
    """Return a text that answers what the assistant said."""
    session = SeenSession(question=question, locale=region)
    return replace(sent(text, "zh-CN"), session=session, session_id="ses_1")


async def fails(code: grpc.StatusCode) -> None:
    """Fail as a call does."""
    raise problem(code, "REFUSED", "no")


async def test_silence_ends_with_a_card() -> None:
    """The problem has the card of the region, and the work is given up."""
    work = asyncio.Event()
    with pytest.raises(HttpProblem) as late:
        await sent("I want to kill myself", "en-US").answered(work.wait())
    assert late.value.reason == "EXECUTOR_LATE"
    assert late.value.card is not None
    assert "988" in late.value.card.text


async def test_a_whole_reply_is_late_once_its_card_was_shown() -> None:
    """Until then it is waited for, however long it takes."""
    text = sent()
    reply = asyncio.ensure_future(text.whole(asyncio.Event().wait()))
    await asyncio.wait({reply}, timeout=0.05)
    assert not reply.done()
    text.card_shown.set()
    with pytest.raises(HttpProblem) as late:
        await reply
    assert (late.value.reason, late.value.card) == ("EXECUTOR_LATE", None)


async def test_a_reply_that_comes_with_its_card_is_whole() -> None:
    """A model that is quick has its say in the same answer."""
    text = sent()
    text.card_shown.set()
    assert await text.whole(asyncio.sleep(0, "whole")) == "whole"


async def test_an_ordinary_text_waits() -> None:
    """No screen's deadline cuts a reply that needs no card."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.05, done.set)
    assert await sent("你好").answered(done.wait())


@pytest.mark.parametrize(
    ("code", "shown"),
    [(grpc.StatusCode.UNAVAILABLE, True), (grpc.StatusCode.FAILED_PRECONDITION, False)],
)
async def test_a_failure_has_a_card_and_a_refusal_has_the_executors(
    code: grpc.StatusCode, *, shown: bool
) -> None:
    """What the executor refused without a card stays refused: its script may have no path."""
    with pytest.raises(HttpProblem) as ended:
        await sent().answered(fails(code))
    assert (ended.value.card is not None) is shown


async def test_what_passed_of_the_session_counts() -> None:
    """A yes to a question about dying is a hit; the session's region goes before a browser's."""
    found = await behind("你有没有想过自杀？", "有，每天都想", region="en-US").card()
    assert found is not None
    assert "988" in found.text
    assert await behind("你吃过早饭吗？", "有，每天都想").card() is None


async def test_a_card_of_the_gateways_own_is_told_to_operators(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, with session, level, rules and reason; without a word of the text."""
    caplog.handler.setFormatter(JsonLines("gateway"))
    with counting() as reader, pytest.raises(HttpProblem) as ended:
        await behind("", "我想自杀").answered(fails(grpc.StatusCode.UNAVAILABLE))
    await behind("", "我想自杀").seen(ended.value)
    (line,) = [each for each in caplog.text.splitlines() if "showed a card" in each]
    told = json.loads(line)
    shown = {name: told[name] for name in ("session_id", "safety_level", "reason")}
    assert shown == {"session_id": "ses_1", "safety_level": "crisis", "reason": "REFUSED"}
    assert "自杀" not in line
    assert counted(reader, CARDS) == {("crisis", "REFUSED"): 1}
