"""Replies nobody can read, in a real browser (document 000, integration 2, failure scene)."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from tests.support.consoles import Console, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)

STRATEGIES = "direct_parse → trim_and_parse → extract_json_block"


def talking(*replies: str) -> Neighbours:
    """Return surroundings in which the model says these one after the other."""
    return Neighbours(model=FakeModel(list(replies)), monitor=FakeMonitor())


def failures(shown: Console) -> Locator:
    """Return the bubbles of replies nobody could read."""
    return shown.page.locator(".log .bubble.error", has_text="LLM输出JSON解析失败")


async def sees_the_failure(shown: Console, number: int, raw: str) -> None:
    """Open one error bubble: retries, strategies, and the raw reply once it is unfolded."""
    bubble = failures(shown).nth(number)
    await bubble.locator("summary").first.click()
    await expect(bubble).to_contain_text("3/3")
    await expect(bubble).to_contain_text(STRATEGIES)
    await bubble.get_by_text("展开原始响应").click()
    await expect(bubble.locator("pre")).to_have_text(raw)


async def test_integration_2_the_bubble_stays_while_the_talk_goes_on() -> None:
    """Round one degrades and says why; round two is an ordinary one without such a bubble."""
    raw = '{"EXIT": NO, content'
    async with console(talking(ask_reply("怎么称呼你？"), raw, ask_reply("好的"))) as shown:
        await shown.begin(ask_script(5))
        await shown.say("不告诉你")
        await shown.say("叫我小明")
        await expect(shown.spoken().last).to_contain_text("好的")
        await expect(failures(shown)).to_have_count(1)
        await sees_the_failure(shown, 0, raw)


async def test_failure_scene_three_broken_replies_are_three_bubbles() -> None:
    """Each opens to the retries, the strategies and the raw reply of its own round."""
    broken = ['{"one"', '{"two"', '{"three"']
    neighbours = talking(ask_reply("怎么称呼你？"), *broken, ask_reply("好的"))
    async with console(neighbours) as shown:
        await shown.begin(ask_script(9))
        for words in ("一", "二", "三", "小明"):
            await shown.say(words)
        await expect(shown.spoken().last).to_contain_text("好的")
        await expect(failures(shown)).to_have_count(3)
        for number, raw in enumerate(broken):
            await sees_the_failure(shown, number, raw)
        await shown.picture("three-error-bubbles")
