"""The lists of the console in a real browser, and what the first page costs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, Console, console
from tests.support.scripts import ask_script

ONE_PASS = (
    "tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
LONG = pytest.mark.long(short=ONE_PASS)
NAMED = ask_script().replace("asking", "asking\n  session_name: 情绪低落首次评估会谈")
NARROWEST = 150
"""Pixels in which a name is still read."""
MOST_BYTES, MOST_REQUESTS = 150 * 1024, 15


@LONG
@pytest.mark.parametrize("place", ["sessions", "scripts"])
async def test_a_list_is_cards_on_a_phone(place: str) -> None:
    """A name has the width of the card, and nothing of a row is cut off."""
    async with console(size=PHONE) as shown:
        await shown.running.client.start(NAMED, user_id="王女士")
        await shown.visit(place)
        name = shown.page.get_by_role("table").get_by_role("link", name="情绪低落")
        await expect(name).to_be_visible()
        cell = await name.locator("xpath=..").bounding_box()
        last = await shown.page.locator("tbody td").last.bounding_box()
        assert cell is not None
        assert last is not None
        assert cell["width"] > NARROWEST
        assert last["x"] + last["width"] <= PHONE[0]
        await shown.picture(f"cards-{place}")


@LONG
async def test_an_id_and_delete_stand_behind_a_press_and_a_question_before_deletion() -> None:
    """Who says no keeps the session; a time is one word."""
    async with console(size=(1280, 720)) as shown:
        session_id = await shown.running.client.start(NAMED)
        await shown.visit("sessions")
        row = shown.page.get_by_role("row", name="情绪低落")
        await expect(row).to_be_visible()
        one_line = """cells => cells.every(cell => {
            const words = document.createRange();
            words.selectNodeContents(cell);
            return words.getClientRects().length === 1;
        })"""
        assert await row.locator(".when").evaluate_all(one_line)
        delete = shown.page.get_by_role("button", name="删除", exact=True)
        await expect(delete).to_have_count(0)
        await expect(shown.page.get_by_text(session_id)).to_have_count(0)
        await row.get_by_role("button", name="编号与删除").click()
        await expect(shown.page.get_by_text(session_id)).to_be_visible()
        await delete.click()
        await shown.answer(yes="取消")
        await expect(row).to_be_visible()
        await delete.click()
        await shown.answer(yes="删除")
        await expect(shown.page.get_by_text("还没有会话")).to_be_visible()


async def test_the_first_page_is_small() -> None:
    """At most 150 KB in 15 requests, calls of the API among them; CodeMirror is for the editor."""
    async with console() as shown:
        await shown.running.client.start(NAMED)
        sizes = await transferred(shown)
    assert (len(sizes) <= MOST_REQUESTS, sum(sizes.values()) <= MOST_BYTES) == (True, True), sizes
    assert [address for address in sizes if "codemirror" in address] == []


async def transferred(shown: Console) -> dict[str, int]:
    """Visit the first page with nothing kept; return the bytes on the line by address."""
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def begun(told: dict[str, Any]) -> None:
        addresses[told["requestId"]] = told["response"]["url"]

    def ended(told: dict[str, Any]) -> None:
        address = addresses.get(told["requestId"], told["requestId"])
        sizes[address] = int(told["encodedDataLength"])

    session = await shown.page.context.new_cdp_session(shown.page)
    session.on("Network.responseReceived", begun)
    session.on("Network.loadingFinished", ended)
    await session.send("Network.enable")
    await shown.visit("sessions")
    await expect(shown.page.get_by_role("link", name="情绪低落")).to_be_visible()
    await shown.page.wait_for_load_state("networkidle")
    return sizes


@LONG
async def test_a_script_that_is_published_later_is_shown_without_a_reload() -> None:
    """Who opens the console before `heartrule run` has published waits for the script there."""
    async with console(size=PHONE) as shown:
        await shown.visit("sessions")
        await expect(shown.page.get_by_text("还没有脚本")).to_be_visible()
        await shown.running.client.publish(NAMED)
        await expect(shown.page.get_by_role("button", name="开始会话")).to_be_visible()
