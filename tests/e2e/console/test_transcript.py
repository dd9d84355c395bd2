"""The log of a conversation in a real browser: where it stands, and the forms in it."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, Console, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script, form, topic_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
SIZES = pytest.mark.parametrize("size", [(1440, 900), PHONE], ids=["wide", "phone"])
SCALE = "type: scale, min: 0, max: 3, options: [完全不会, 好几天, 一半以上, 几乎每天]"
QUESTIONS = tuple(f"问题{number}" for number in range(9, 0, -1))
FORM = topic_script(
    form(*(f"{{name: 第{each[-1]}题, label: {each}, {SCALE}}}" for each in QUESTIONS)),
    "{action_type: ai_say, action_id: bye, content: 谢谢, require_acknowledgment: false}",
)
# As a picture that comes does: in one frame, before the reader's page hears of the scrolling.
SHRINK_AND_GROW = """box => {
    const last = [...box.querySelectorAll('.turn')].at(-1);
    last.style.height = '10px';
    box.scrollTop;
    last.style.height = '4000px';
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# As a log looks whose first turns have come: it is a few pixels higher than its box.
LITTLE_HIGHER = """box => {
    box.firstElementChild.style.overflow = 'hidden';
    box.firstElementChild.style.height = `${box.clientHeight + 40}px`;
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
AT_END = """() => [...document.querySelectorAll('.log')].every(
    box => box.scrollHeight - box.clientHeight - box.scrollTop < 2)"""


async def stands_at_its_end(shown: Console) -> None:
    """Return once each log shows its end, and does so after heights have changed in it."""
    await shown.page.wait_for_function(AT_END)
    for log in await shown.page.locator(".log").all():
        await log.evaluate(SHRINK_AND_GROW)
    await shown.page.wait_for_function(AT_END)


@SIZES
async def test_an_opened_session_stands_at_its_end_in_compare_too(size: tuple[int, int]) -> None:
    """Pictures, fonts and bubbles that change heights do not count as the reader's scrolling."""
    replies = [ask_reply(f"第{count}次：{'很长的话。' * 90}") for count in range(5)]
    async with console(Neighbours(model=FakeModel(replies)), size=size) as shown:
        session_id = await shown.begin(ask_script(9))
        for count in range(1, 4):
            await shown.say(f"回答{count}")
        for place in (("sessions", session_id), ("compare", session_id, session_id)):
            await shown.visit(*place)
            await shown.page.reload()
            await expect(shown.spoken()).to_have_count(4 * (len(place) - 1))
            await stands_at_its_end(shown)
            assert await page_height(shown) <= size[1]


async def page_height(shown: Console) -> int:
    """Return how high the page is."""
    return int(await shown.page.evaluate("document.documentElement.scrollHeight"))


@SIZES
async def test_a_long_form_scrolls_in_the_log(size: tuple[int, int]) -> None:
    """It begins in sight and ends within the window; its answers stand by question, in order."""
    replies = [ask_reply("请填一下"), ask_reply("谢谢你")]
    async with console(Neighbours(model=FakeModel(replies)), size=size) as shown:
        await shown.begin(FORM)
        await expect(shown.page.get_by_text(QUESTIONS[0])).to_be_in_viewport()
        assert await page_height(shown) <= size[1]
        for question in QUESTIONS:
            group = shown.page.get_by_role("group", name=question)
            await group.get_by_label("好几天").check()
        send = shown.page.locator(".log").get_by_role("button", name="提交")
        await send.scroll_into_view_if_needed()
        await shown.picture(f"long-form-{size[0]}")
        await send.click()
        answers = shown.page.locator(".message.client dl")
        await expect(answers.locator("dt")).to_have_text(list(QUESTIONS))
        await expect(answers.locator("dd")).to_have_text(["好几天"] * 9)
        await expect(shown.page.get_by_text("会话已结束。")).to_be_in_viewport()


async def test_an_older_page_that_broke_off_is_read_again() -> None:
    """What came of it is not shown, the reader is told, and asks again."""
    replies = [ask_reply(f"第{count}次") for count in range(20)]
    async with console(Neighbours(model=FakeModel(replies)), view="author") as shown:
        session_id = await shown.begin(ask_script(99))
        for count in range(1, 20):
            await shown.say(f"回答{count}")
        await shown.page.reload()
        await expect(shown.spoken().last).to_contain_text("第19次")
        empty = {"body": "", "content_type": "text/event-stream"}
        older = f"**/sessions/{session_id}/events?*after=0"
        await shown.page.route(older, lambda route: route.fulfill(**empty), times=1)
        await shown.page.get_by_role("button", name="读取更早的内容").click()
        await expect(shown.page.get_by_role("alert")).to_contain_text("服务器没有回应")
        oldest = shown.page.locator(".message.client .text").get_by_text("回答1", exact=True)
        await expect(oldest).to_have_count(0)
        await shown.page.get_by_role("button", name="读取更早的内容").click()
        await expect(oldest).to_have_count(1)


async def test_older_turns_are_read_when_the_reader_scrolls_up_alone() -> None:
    """A log that grows while a session is opened scrolls by itself, near its top too."""
    replies = [ask_reply(f"第{count}次") for count in range(20)]
    async with console(Neighbours(model=FakeModel(replies)), view="author") as shown:
        await shown.begin(ask_script(99))
        for count in range(1, 20):
            await shown.say(f"回答{count}")
        asked: list[str] = []
        shown.page.on("request", lambda sent: asked.append(sent.url))
        await shown.page.reload()
        await expect(shown.spoken().last).to_contain_text("第19次")
        log = shown.page.locator(".log")
        await log.evaluate(LITTLE_HIGHER)
        assert [url for url in asked if url.endswith("after=0")] == []
        await log.evaluate("box => box.firstElementChild.removeAttribute('style')")
        await log.hover()
        await shown.page.mouse.wheel(0, -9999)
        await expect(shown.page.get_by_role("button", name="读取更早的内容")).to_have_count(0)
        assert len([url for url in asked if url.endswith("after=0")]) == 1
