"""What values rest on, as an operator sees it: in the bubbles of a turn and in the table."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from heartrule.domain.json_value import JsonValue
from tests.support.consoles import Console, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import topic_script

ASK = "{action_type: ai_ask, action_id: %s, content: %s, output: [{get: %s}]}"
SCRIPT = topic_script(
    ASK % ("ask_name", "怎么称呼你", "称呼, sensitive: true"),
    ASK % ("ask_age", "你多大", "岁数, type: integer"),
    ASK % ("ask_work", "做什么工作", "职业"),
)
ONE_PASS = (
    "tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
WORDS = {
    "zh": ("有原话", "提前说到", "顺带确认", "没人说过，未采用", "变量"),
    "en": ("supported", "gathered ahead", "confirmed", "unsupported, not stored", "Variables"),
}


def said(value: JsonValue, quote: str) -> dict[str, JsonValue]:
    """Return a value as a reply gives it, with the client's words."""
    return {"value": value, "quote": quote}


def replies() -> list[str]:
    """Return what the model says: a name and an age that the client told, and a job nobody did."""
    told = {
        "称呼": said("小明", "叫我小明"),
        "岁数": said(30, "三十岁"),
        "职业": said("医生", "我是医生"),
    }
    return [
        ask_reply("怎么称呼你？"),
        ask_reply("小明你好。", exit_="YES", variables=told),
        ask_reply("你三十岁，对吗？做什么工作？"),
    ]


async def speak(shown: Console, language: str) -> None:
    """Choose the page's language."""
    await shown.page.locator("select").first.select_option(language)


@pytest.mark.long(short=ONE_PASS)
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["wide", "phone"])
async def test_a_value_stands_with_what_it_rests_on(language: str, size: tuple[int, int]) -> None:
    """Its quote, that it was heard ahead and confirmed, what was not stored; masked ones masked."""
    supported, ahead, confirmed, unsupported, tab = WORDS[language]
    async with console(Neighbours(model=FakeModel(replies())), size=size) as shown:
        await shown.begin(SCRIPT)
        await shown.say("叫我小明，三十岁")
        await speak(shown, language)
        bubbles = shown.page.locator(".log .bubble")
        age = bubbles.filter(has_text="岁数 = 30")
        await expect(age).to_contain_text(supported)
        await expect(age).to_contain_text(ahead)
        await expect(bubbles.filter(has_text="职业 = 医生")).to_contain_text(unsupported)
        await expect(bubbles.filter(has_text="ask_age")).to_contain_text(confirmed)
        await age.locator("summary").click()
        await expect(age).to_contain_text("三十岁")
        await expect(bubbles.filter(has_text="称呼 = •••")).not_to_contain_text("小明")
        await shown.picture(f"support-{language}-{size[0]}")
        assert await shown.overflow() == 0
        if size[0] < 500:
            await shown.page.get_by_role(
                "button", name="调试" if language == "zh" else "Inspector"
            ).click()
        panel = await shown.tab(tab)
        await expect(panel.locator("tr", has_text="岁数").first).to_contain_text(confirmed)
        await expect(panel.locator("tr", has_text="岁数").first.locator("q")).to_have_text("三十岁")
        await shown.picture(f"support-table-{language}-{size[0]}")
        assert await shown.overflow() == 0
