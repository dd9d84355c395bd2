"""What strangers wrote is inert; everybody can use the page."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, Console, axe, console, console_words
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


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("size", [(1360, 820), PHONE])
async def test_axe_finds_nothing_more_than_minor_in_any_view(
    size: tuple[int, int], language: str
) -> None:
    """In both languages; nothing is wider than the window."""
    words = console_words(language)
    replies = [ask_reply("怎么称呼你？"), ask_reply("好", variables={"称呼": "小明"}), "坏了"]
    async with console(Neighbours(model=FakeModel(replies)), size=size) as shown:
        session_id = await shown.begin(ask_script(9))
        await shown.say("小明")
        await shown.say("嗯")
        await shown.speak(language)
        await looked_at(shown, f"room-{language}-{size[0]}")
        if size == PHONE:
            await shown.page.get_by_role("button", name=words["pane.inspector"]).click()
        for code in (each for each in words if each.startswith("tab.") and each != "tab.more"):
            await shown.tab(words[code])
            await looked_at(shown, f"{code}-{language}-{size[0]}")
        for place, sign in views(session_id):
            await shown.visit(*place)
            await expect(shown.page.locator(sign).first).to_be_visible()
            await looked_at(shown, f"{place[0]}-{place[-1]}-{language}-{size[0]}")


def views(session_id: str) -> list[tuple[tuple[str, ...], str]]:
    """Return each page beside the room, and what shows that it is whole."""
    return [
        (("sessions",), ".session-filter summary"),
        (("scripts",), "tbody .pill"),
        (("scripts", "asking"), ".cm-content"),
        (("scripts", "+"), ".cm-content"),
        (("map", "asking"), ".map-went"),
        (("analytics", "asking"), "meter"),
        (("effects", session_id), "h1"),
        (("sessions", session_id, "lines"), ".lines canvas"),
        (("compare", session_id, session_id), ".side-by-side .message"),
    ]


async def looked_at(shown: Console, name: str) -> None:
    """Have axe look at what is shown, and leave a picture of it."""
    if await (more := shown.page.locator(".session-filter summary")).count():
        await more.click()
    await shown.picture(name)
    assert (name, await axe(shown), await shown.overflow()) == (name, [], 0)


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
        await expect(shown.page.get_by_label("令牌")).to_be_visible()
        assert await axe(shown) == []
        await shown.page.get_by_label("令牌").fill("wrong")
        await shown.page.get_by_role("button", name="进入").click()
        await expect(shown.page.get_by_text("令牌不对。")).to_be_visible()
        shown.complaints.clear()
        await shown.page.get_by_label("令牌").fill("a-long-secret-token-of-ours")
        await shown.page.get_by_role("button", name="进入").click()
        await expect(shown.page.get_by_role("heading", name="会话")).to_be_visible()
