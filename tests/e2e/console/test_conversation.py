"""A conversation in a real browser: chat, bubbles, inspector (000 and 001, front-end lines)."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

ONE_PASS = (
    "tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)

BROKEN = "我不能给出 JSON"


def talking(*replies: str, monitor: FakeMonitor | None = None) -> Neighbours:
    """Return surroundings in which the model says these one after the other."""
    return Neighbours(model=FakeModel(list(replies)), monitor=monitor or FakeMonitor())


async def test_a_whole_conversation_is_held_in_the_browser() -> None:
    """The opening streams in, an answer moves the script, and the end is told."""
    last = ask_reply("谢谢小明", exit_="YES", variables={"称呼": "小明"})
    neighbours = talking(ask_reply("怎么称呼你？"), last, ask_reply("再见小明"))
    async with console(neighbours) as shown:
        await shown.begin(ask_script())
        await expect(shown.spoken().first).to_contain_text("怎么称呼你？")
        await shown.say("叫我小明")
        await expect(shown.page.get_by_text("会话已结束。")).to_be_visible()
        await shown.picture("conversation")
        assert await shown.overflow() == 0


@pytest.mark.long(short=ONE_PASS)
async def test_the_error_bubble_tells_the_three_strategies_and_the_raw_reply() -> None:
    """Retries 3/3, the strategies tried, the final error, and the reply itself on demand."""
    neighbours = talking(ask_reply("怎么称呼你？"), BROKEN, ask_reply("好"))
    async with console(neighbours) as shown:
        await shown.begin(ask_script())
        await shown.say("不告诉你")
        bubble = shown.page.locator(".log .bubble.error", has_text="LLM输出JSON解析失败").first
        await bubble.locator("summary").first.click()
        await expect(bubble).to_contain_text("重试次数")
        await expect(bubble).to_contain_text("3/3")
        await expect(bubble).to_contain_text("direct_parse → trim_and_parse → extract_json_block")
        await bubble.get_by_text("展开原始响应").click()
        await expect(bubble.locator("pre")).to_have_text(BROKEN)
        await shown.picture("error-bubble")


@pytest.mark.long(short=ONE_PASS)
async def test_the_variable_bubble_tells_name_value_scope_source_and_history() -> None:
    """A value that replaced another shows the other."""
    replies = [ask_reply("好", variables={"称呼": name}) for name in ("小明", "小红")]
    async with console(talking(ask_reply("怎么称呼你？"), *replies)) as shown:
        await shown.begin(ask_script(9))
        await shown.say("小明")
        await shown.say("不，小红")
        bubble = shown.page.locator(".log .bubble.variable", has_text="称呼 = 小红")
        await bubble.locator("summary").click()
        for told in ("变量名", "小红", "作用域", "话题", "来源", "ask_name", "历史", "小明"):
            await expect(bubble).to_contain_text(told)
        await shown.picture("variable-bubble")


@pytest.mark.long(short=ONE_PASS)
async def test_every_round_shows_its_exit_decision_and_source() -> None:
    """The inspector lists the rounds, newest first, with who decided and the model's own EXIT."""
    neighbours = talking(ask_reply("怎么称呼你？"), ask_reply("还有呢"), ask_reply("好"), "{}")
    async with console(neighbours) as shown:
        await shown.begin(ask_script(2))
        await shown.say("嗯")
        await shown.say("嗯嗯")
        panel = await shown.tab("退出")
        await expect(panel.locator("details summary").first).to_contain_text("ask_name 2/2")
        await expect(panel.locator("details summary").first).to_contain_text("达到最大轮次")
        await expect(panel.locator("details summary").nth(1)).to_contain_text("ask_name 1/2 · 继续")
        await shown.picture("exits")


@pytest.mark.long(short=ONE_PASS)
async def test_advice_is_seen_entering_the_next_prompt() -> None:
    """The advice is told as used, and the prompt that held it marks it."""
    monitor = FakeMonitor(answers=[advises("换个轻松的问法")])
    replies = [ask_reply(text) for text in ("怎么称呼你？", "没关系", "那换个问题")]
    async with console(talking(*replies, monitor=monitor)) as shown:
        await shown.begin(ask_script(9))
        await shown.say("不想说")
        panel = await shown.tab("监控")
        await expect(panel.get_by_text("待使用")).to_be_visible()
        await shown.say("就是不想说")
        await expect(panel.get_by_text("已使用")).to_be_visible()
        await expect(shown.page.locator(".log .bubble.advice")).to_contain_text("用上了监控反馈")
        await panel.locator("summary", has_text="它进入的提示词").click()
        await expect(panel.locator("mark")).to_contain_text("换个轻松的问法")
        await shown.picture("advice")


@pytest.mark.long(short=ONE_PASS)
async def test_a_reopened_session_stands_at_its_end_and_follows_what_is_sent() -> None:
    """What was said last is in sight after a reload; so is the answer to the next message."""
    replies = [ask_reply(f"第{count}次：{'很长的话。' * 120}") for count in range(5)]
    async with console(talking(*replies), size=PHONE) as shown:
        await shown.begin(ask_script(9))
        for count in range(1, 4):
            await shown.say(f"回答{count}")
        await shown.page.reload()
        await expect(shown.page.locator(".turn").last.locator(".bubble").last).to_be_in_viewport()
        await shown.page.locator(".log").evaluate("box => box.scrollTop = 0")
        await shown.say("再说一句")
        await expect(shown.page.locator(".turn").last.locator(".bubble").last).to_be_in_viewport()


@pytest.mark.long(short=ONE_PASS)
async def test_a_turn_that_goes_on_shows_that_the_model_is_thinking() -> None:
    """Also behind the first message of the turn; what comes after the end is told as unread."""
    gate = asyncio.Event()
    answer = ask_reply("谢谢", exit_="YES", variables={"称呼": "小明"})
    bye = Reply((ask_reply("再见"),), gate=gate)
    async with console(Neighbours(model=FakeModel([ask_reply("称呼？"), answer, bye]))) as shown:
        await shown.begin(ask_script())
        await shown.say("叫我小明")
        await expect(shown.page.locator(".draft")).to_have_text("正在思考…")
        await shown.page.get_by_label("输入消息").fill("还有一件事")
        await shown.page.get_by_role("button", name="发送").click()
        last = shown.page.locator(".message.client").last
        await expect(last).to_contain_text("等待处理")
        gate.set()
        await expect(last).to_contain_text("未读取")
