"""Forms and broken lines in a real browser."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.consoles import console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.scripts import ask_script, form, topic_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)

FORM = topic_script(
    form(
        "{name: 年龄, type: integer, min: 1, max: 120}",
        "{name: 睡眠, type: choice, options: [好, 一般, 差]}",
    ),
    "{action_type: ai_say, action_id: bye, content: 谢谢, require_acknowledgment: false}",
)


async def test_a_form_is_filled_in_and_sent() -> None:
    """What is missing is told before anything is sent; the answer then stands in the talk."""
    replies = [ask_reply("请填一下"), ask_reply("谢谢你")]
    async with console(Neighbours(model=FakeModel(replies))) as shown:
        await shown.begin(FORM)
        await shown.page.get_by_label("年龄").fill("25")
        await shown.page.get_by_role("button", name="提交").click()
        await expect(shown.page.get_by_text("请填写：睡眠")).to_be_visible()
        await shown.page.get_by_label("一般").check()
        await shown.picture("form")
        await shown.page.get_by_role("button", name="提交").click()
        answer = shown.page.locator(".message.client")
        await expect(answer).to_contain_text("已提交表单")
        await expect(answer).to_contain_text("25")
        await expect(shown.page.get_by_text("会话已结束。")).to_be_visible()


async def test_a_stream_that_is_cut_resumes_and_shows_each_message_once() -> None:
    """What was committed while the line was down comes when it is back; nothing comes twice."""
    gate = asyncio.Event()
    text = ask_reply("慢慢说，我在听")
    slow = Reply((text[:20], text[20:40], text[40:]), gate=gate)
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    neighbours.model.replies.append(slow)
    async with console(neighbours) as shown:
        await shown.begin(ask_script(9))
        await shown.page.get_by_label("输入消息").fill("我说")
        await shown.page.get_by_role("button", name="发送").click()
        await slow.started.wait()
        await shown.page.context.set_offline(offline=True)
        await shown.page.evaluate("stop()")
        gate.set()
        await shown.page.context.set_offline(offline=False)
        await expect(shown.spoken()).to_have_count(2)
        await expect(shown.spoken().last).to_contain_text("慢慢说，我在听")
        await expect(shown.page.get_by_text("已连接")).to_be_visible()


async def test_drafts_are_read_while_the_model_writes() -> None:
    """The text grows on the screen before the reply is whole."""
    gate = asyncio.Event()
    text = ask_reply("一二三四五六七八九十")
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    neighbours.model.replies.append(Reply((text[:30], text[30:]), gate=gate))
    async with console(neighbours) as shown:
        await shown.begin(ask_script(9))
        await shown.page.get_by_label("输入消息").fill("我说")
        await shown.page.get_by_label("输入消息").press("Enter")
        await expect(shown.page.locator(".message.draft")).to_contain_text("一二三")
        gate.set()
        await expect(shown.spoken().last).to_contain_text("一二三四五六七八九十")
        await expect(shown.page.locator(".message.draft")).to_have_count(0)


async def test_an_answer_can_be_stopped() -> None:
    """What was being written leaves the screen, and the next message is answered."""
    text = ask_reply("一二三四五六七八九十")
    held = Reply((text[:30], text[30:]), gate=asyncio.Event())
    neighbours = Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))
    neighbours.model.replies += [held]
    neighbours.model.will_say(ask_reply("好，换一个"))
    async with console(neighbours) as shown:
        await shown.begin(ask_script(9))
        await shown.page.get_by_label("输入消息").fill("我说")
        await shown.page.get_by_label("输入消息").press("Enter")
        await expect(shown.page.locator(".message.draft")).to_contain_text("一二三")
        await shown.page.get_by_role("button", name="停止").click()
        await expect(shown.page.locator(".message.draft")).to_have_count(0)
        await shown.say("别的")
        await expect(shown.spoken().last).to_contain_text("好，换一个")


async def test_a_message_near_its_limit_shows_how_long_it_is() -> None:
    """One beyond it stands out, and can be sent all the same."""
    limit = "  session_id: asking\n  input: {max_input_chars: 40}\n"
    script = ask_script(9).replace("  session_id: asking\n", limit)
    async with console(Neighbours(model=FakeModel([ask_reply("怎么称呼你？")]))) as shown:
        await shown.begin(script)
        box = shown.page.get_by_label("输入消息")
        await box.fill("一" * 30)
        await expect(shown.page.get_by_text("最多 40 字")).to_have_count(0)
        await box.fill("😀" * 36)
        await expect(shown.page.get_by_text("36 字，最多 40 字")).to_be_visible()
        await box.fill("一" * 41)
        await expect(shown.page.get_by_text("41 字，最多 40 字")).to_have_class("notice bad")
        await expect(shown.page.get_by_role("button", name="发送")).to_be_enabled()
        await shown.picture("length")
