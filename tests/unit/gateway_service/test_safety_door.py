"""How long a text that means danger waits."""

from __future__ import annotations

import asyncio
from functools import cache

import grpc
import pytest

from gateway_service.crisis_screen import CrisisScreen
from gateway_service.problems import HttpProblem, problem
from gateway_service.safety_door import SafetyDoor
from tests.support.shipped_files import SAFETY_FILES


@cache
def shipped_screen() -> CrisisScreen:
    """Return the screen with the rules we ship."""
    return CrisisScreen(SAFETY_FILES)


def door(text: str = "我想自杀", locale: str = "") -> SafetyDoor:
    """Return a door that does not wait."""
    return SafetyDoor(screen=shipped_screen(), text=text, locale=locale, first_s=0.0, whole_s=0.0)


async def fails(code: grpc.StatusCode) -> None:
    """Fail as a call does."""
    raise problem(code, "REFUSED", "no")


async def test_silence_ends_with_a_card() -> None:
    """The problem has the card of the region, and the work is given up."""
    work = asyncio.Event()
    with pytest.raises(HttpProblem) as late:
        await door("I want to kill myself", "en-US").answered(work.wait())
    assert late.value.reason == "EXECUTOR_LATE"
    assert late.value.card is not None
    assert "988" in late.value.card.text


async def test_a_whole_reply_is_late_once_a_part_can_be_shown() -> None:
    """Until there is a part it is waited for, however late it is."""
    looks: list[bool] = []

    def shown() -> bool:
        looks.append(len(looks) > 0)
        return looks[-1]

    with pytest.raises(HttpProblem):
        await door().whole(asyncio.Event().wait(), shown)
    assert looks == [False, True]


async def test_an_ordinary_text_waits() -> None:
    """No screen's deadline cuts a reply that needs no card."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.05, done.set)
    assert await door("你好").answered(done.wait())


@pytest.mark.parametrize(
    ("code", "shown"),
    [(grpc.StatusCode.UNAVAILABLE, True), (grpc.StatusCode.FAILED_PRECONDITION, False)],
)
async def test_a_failure_has_a_card_and_a_refusal_has_the_executors(
    code: grpc.StatusCode, *, shown: bool
) -> None:
    """What the executor refused without a card stays refused: its script may have no path."""
    with pytest.raises(HttpProblem) as ended:
        await door().answered(fails(code))
    assert (ended.value.card is not None) is shown
