"""Two views of a session, and both lines over the whole of it, in a real browser."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, Console, axe, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
SIZES = pytest.mark.parametrize("size", [(1440, 900), PHONE], ids=["wide", "phone"])


@asynccontextmanager
async def advised(size: tuple[int, int] = (1440, 900)) -> AsyncIterator[tuple[Console, str]]:
    """A talk of three turns whose client holds back, is advised about, and then says a name."""
    monitor = FakeMonitor(answers=[advises("放慢语气")])
    replies = [
        ask_reply("怎么称呼你？"),
        ask_reply("没关系", progress_suggestion="blocked"),
        ask_reply("好的小明", variables={"称呼": "小明"}),
        ask_reply("小李，记住了", variables={"称呼": "小李"}),
    ]
    neighbours = Neighbours(model=FakeModel(replies), monitor=monitor)
    async with console(neighbours, size=size, view="author") as shown:
        session_id = await shown.begin(ask_script(9))
        await shown.say("不想说")
        await expect(shown.page.locator(".log").get_by_text("待采用")).to_be_visible()
        await shown.say("叫我小明")
        await shown.say("其实叫小李")
        yield shown, session_id


@SIZES
async def test_the_author_reads_rounds_in_sentences(size: tuple[int, int]) -> None:
    """Action, round, what the client did, the advice and its fate; nothing by id or as JSON."""
    async with advised(size) as (shown, _):
        log = shown.page.locator(".log")
        told = "问称呼 · 第 1 轮 · 来访者回避 · 监控建议：放慢语气 · 已采用"
        await expect(log.get_by_text(told)).to_be_visible()
        await expect(log.locator(".bubble")).to_have_count(0)
        assert await axe(shown) == []
        await shown.picture(f"author-{size[0]}")
        if size == PHONE:
            await shown.page.get_by_role("button", name="这一轮").click()
        pane = shown.page.get_by_role("region", name="这一轮")
        await expect(pane.locator(".known.changed")).to_contain_text("小李原来是：小明")
        await expect(pane).to_contain_text("现在：")
        assert not re.search(r"[{}]|ask_|_id", await pane.inner_text())
        await shown.picture(f"author-pane-{size[0]}")
        await shown.speak("en")
        assert await axe(shown) == []
        assert await shown.overflow() == 0


async def test_the_chosen_view_and_the_hidden_bubbles_are_kept() -> None:
    """The developer's view has the inspector, and a legend that is a filter."""
    async with advised() as (shown, _):
        log = shown.page.locator(".log")
        await shown.page.get_by_role("button", name="开发者").click()
        await shown.page.locator(".legend summary").click()
        await shown.page.get_by_role("checkbox", name="变量", exact=True).uncheck()
        await shown.picture("legend")
        for visit in range(2):
            if visit:
                await shown.page.reload()
            await expect(log.locator(".bubble.exit").first).to_be_visible()
            await expect(log.locator(".bubble.variable").first).to_be_hidden()
            await expect(shown.page.get_by_role("tab", name="回合", exact=True)).to_be_visible()
        assert await axe(shown) == []


async def test_an_address_opens_a_session_at_a_turn() -> None:
    """The turn stands in sight and is the one that the pane tells of."""
    async with advised((1440, 400)) as (shown, _):
        links = shown.page.locator(".log").get_by_role("link", name="链接")
        address = str(await links.nth(1).get_attribute("href"))
        await shown.visit("sessions")
        await shown.page.goto(f"{shown.base}/{address}")
        turn = shown.page.locator(".turn").nth(1)
        await expect(turn.get_by_text("不想说")).to_be_in_viewport()
        await expect(shown.page.get_by_role("region", name="这一轮")).to_contain_text("不想说")


@SIZES
async def test_both_lines_stand_on_one_axis_and_zoom_to_a_turn(size: tuple[int, int]) -> None:
    """An advice lasts from its making to the turn that used it; the table has what is in sight."""
    async with advised(size) as (shown, _):
        await shown.page.get_by_role("link", name="整场时间线").click()
        table = shown.page.locator(".lines table")
        await expect(shown.page.locator(".lines canvas")).to_be_visible()
        for told in ("第 1 回合 · 问称呼 第 1 轮", "对话", "放慢语气 · 已采用"):
            await expect(table.get_by_text(told).first).to_be_visible()
        rows = table.locator("tbody tr")
        await expect(rows).to_have_count(9)  # four turns, four calls, one advice
        await shown.picture(f"lines-{size[0]}")
        assert await axe(shown) == []
        await shown.page.locator(".lines-zoom select").select_option(label="第 1 回合")
        await expect(table.get_by_text("第 3 回合")).to_have_count(0)
        await shown.picture(f"lines-turn-{size[0]}")
        await shown.page.get_by_role("button", name="整场", exact=True).click()
        await expect(rows).to_have_count(9)
        await shown.speak("en")
        assert await axe(shown) == []
        assert await shown.overflow() == 0
