"""Sessions found, labelled and taken away; a script's figures and its map, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.consoles import console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

ONE_PASS = (
    "tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
LONG = pytest.mark.long(short=ONE_PASS)


def talkative() -> Neighbours:
    """Return a model that asks, and goes on asking."""
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("还有呢？")]))


@LONG
async def test_a_session_is_found_by_its_label() -> None:
    """The label is set behind a press, asked for, and removed again."""
    async with console() as shown:
        await shown.running.client.start(ask_script())
        await shown.visit("sessions")
        page = shown.page
        await page.get_by_role("button", name=re.compile("编号与删除")).click()
        await page.get_by_label("标签名称").fill("督导")
        await page.get_by_label("值（可不填）").fill("待看")
        await page.get_by_role("button", name="加上标签").click()
        await expect(page.locator("td.lead .label")).to_have_text("督导: 待看")
        await page.get_by_text("查找会话").click()
        await page.get_by_label("标签（名称").fill("督导: 没有")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("没有符合条件的会话")).to_be_visible()
        await page.get_by_label("标签（名称").fill("督导: 待看")
        await page.keyboard.press("Enter")
        await expect(page.locator("td.lead .label")).to_be_visible()


@LONG
async def test_a_session_is_taken_away_as_a_transcript(tmp_path: Path) -> None:
    """In the page's language, with what was said."""
    async with console(talkative()) as shown:
        await shown.begin(ask_script())
        await shown.say("叫我小林")
        await shown.visit("sessions")
        await shown.page.get_by_role("button", name=re.compile("编号与删除")).click()
        async with shown.page.expect_download() as told:
            await shown.page.get_by_role("link", name=re.compile("Markdown")).click()
        await (await told.value).save_as(tmp_path / "session.md")
    text = (tmp_path / "session.md").read_text("utf-8")
    assert "## 第 1 回合" in text
    assert "> 叫我小林" in text


@LONG
async def test_a_map_leads_to_the_line_of_an_action() -> None:
    """It says what is read and written, and how far sessions came."""
    async with console(talkative()) as shown:
        await shown.begin(ask_script())
        await shown.say("嗯")
        await shown.visit("map", "asking")
        ask = shown.page.locator(".map-action").first
        await expect(ask).to_contain_text("1 场会话走到（100%）")
        await expect(ask).to_contain_text("1 场停在这里")
        await ask.get_by_role("link", name="问称呼").click()
        line = shown.page.locator(".cm-activeLine")
        await expect(line).to_contain_text("ai_ask")
