"""What strangers wrote is inert; everybody can use the page."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, axe, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)

ATTACK = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>{{7*7}}${7*7}'


async def test_markup_in_messages_variables_names_and_replies_is_text() -> None:
    """It is read as it was written, in chat, bubbles, inspector and list; nothing of it runs."""
    script = ask_script(9).replace(
        "session_id: asking", f"session_id: asking\n  session_name: {json.dumps(ATTACK)}"
    )
    reply = ask_reply(f"好 {ATTACK}", variables={"称呼": ATTACK})
    async with console(Neighbours(model=FakeModel([ask_reply(ATTACK), reply]))) as shown:
        await shown.begin(script)
        await shown.say(ATTACK)
        await expect(shown.page.locator(".message.client .text")).to_have_text(ATTACK)
        await expect(shown.spoken().last).to_contain_text(ATTACK)
        for tab in ("变量", "模型调用", "退出", "时间线", "监控", "回合"):
            await shown.tab(tab)
        await expect(shown.page.get_by_role("heading", level=1)).to_have_text(ATTACK)
        await shown.visit("sessions")
        await expect(shown.page.get_by_role("link", name=ATTACK)).to_be_visible()
        assert await shown.page.evaluate("window.hurt") is None
        assert await shown.page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("size", [(1360, 820), PHONE])
async def test_axe_finds_nothing_serious_in_any_view(size: tuple[int, int]) -> None:
    """Nothing moderate either, in both languages; nothing is wider than the window."""
    replies = [ask_reply("怎么称呼你？"), ask_reply("好", variables={"称呼": "小明"}), "坏了"]
    async with console(Neighbours(model=FakeModel(replies)), size=size) as shown:
        await shown.begin(ask_script(9))
        await shown.say("小明")
        await shown.say("嗯")
        name = "phone" if size == PHONE else "wide"
        await shown.picture(f"room-{name}")
        assert (await axe(shown), await shown.overflow()) == ([], 0)
        if size == PHONE:
            await shown.page.get_by_role("button", name="调试").click()
        for tab in ("时间线", "模型调用", "变量", "退出", "监控", "策略", "运行", "回合"):
            await shown.tab(tab)
            assert (tab, await axe(shown)) == (tab, [])
            await shown.picture(f"tab-{tab}-{name}")
        for place in ("sessions", "scripts"):
            await shown.visit(place)
            await expect(shown.page.get_by_role("table")).to_be_visible()
            assert (place, await axe(shown), await shown.overflow()) == (place, [], 0)
            await shown.picture(f"{place}-{name}")
        for language in ("en", "zh"):
            await shown.visit("scripts")
            await shown.speak(language)
            await shown.visit("scripts", "asking")
            await expect(shown.page.get_by_role("textbox")).to_be_visible()
            assert (language, await axe(shown), await shown.overflow()) == (language, [], 0)
            await shown.picture(f"editor-{language}-{name}")


async def test_the_page_speaks_english_too() -> None:
    """The choice is kept for the next visit."""
    async with console() as shown:
        await shown.visit("sessions")
        await shown.page.get_by_label("语言").select_option("en")
        await expect(shown.page.get_by_role("heading", name="Sessions")).to_be_visible()
        await shown.page.reload()
        await expect(shown.page.get_by_role("heading", name="Sessions")).to_be_visible()


async def test_a_token_is_asked_for_where_one_is_set() -> None:
    """Nothing is read before it; the page then works by its cookie."""
    async with console(HEARTRULE_GATEWAY_TOKEN="a-long-secret-token-of-ours") as shown:
        await shown.visit("sessions")
        await shown.page.get_by_label("令牌").fill("wrong")
        await shown.page.get_by_role("button", name="进入").click()
        await expect(shown.page.get_by_text("令牌不对。")).to_be_visible()
        shown.complaints.clear()
        await shown.page.get_by_label("令牌").fill("a-long-secret-token-of-ours")
        await shown.page.get_by_role("button", name="进入").click()
        await expect(shown.page.get_by_role("heading", name="会话")).to_be_visible()
