"""What operators see of the crisis path, and what a client sees without a network."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, WIDE, Console, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

LONG = pytest.mark.long(
    short="tests/e2e/console/test_crisis_path.py::"
    "test_an_alert_stands_above_the_sessions_until_somebody_has_seen_it"
)
OFF = "  safety: {mode: 'off', reason: 演示，没有来访者}"


def around() -> Neighbours:
    """Return a model that asks on."""
    return Neighbours(model=FakeModel([ask_reply("怎么称呼你？"), ask_reply("慢慢说。")]))


async def in_crisis(shown: Console) -> str:
    """Return a session whose client was answered by a card."""
    session_id = await shown.begin(ask_script(9))
    await shown.page.get_by_label("输入消息").fill("我想自杀")
    await shown.page.get_by_role("button", name="发送").click()
    await expect(shown.page.locator(".message.system")).to_contain_text("12356")
    return session_id


async def test_an_alert_stands_above_the_sessions_until_somebody_has_seen_it() -> None:
    """It names level, step and time, and that nobody was told; acknowledging asks who it is."""
    async with console(around()) as shown:
        session_id = await in_crisis(shown)
        await shown.visit("sessions")
        alert = shown.page.locator(".alert")
        await expect(alert).to_contain_text(session_id)
        await expect(alert).to_contain_text("危机")
        await expect(alert).to_contain_text("询问")
        await expect(alert).to_contain_text("未送达")
        seen = shown.page.get_by_role("button", name="确认已看到")
        await expect(seen).to_be_disabled()
        await shown.page.get_by_label("你的名字").fill("小安")
        await seen.click()
        await expect(alert).to_have_count(0)


async def test_an_operator_leads_a_session_off_the_path() -> None:
    """The session shows its level and hits; closing asks for a name and lowers the level."""
    async with console(around()) as shown:
        await in_crisis(shown)
        line = shown.page.locator(".safety-line")
        await expect(line.locator("summary")).to_contain_text("危机")
        await line.locator("summary").click()
        await expect(line).to_contain_text("规则")
        await line.get_by_role("button", name="结束安全流程").click()
        dialog = shown.page.get_by_role("dialog")
        await dialog.get_by_label("你的名字").fill("小安")
        await dialog.get_by_label("备注").fill("已通话")
        await dialog.get_by_role("button", name="确认结束").click()
        await expect(line.locator("summary")).to_contain_text("无")
        await expect(line).to_contain_text("已通话")


@LONG
async def test_a_script_without_safety_says_why() -> None:
    """The reason of the opt-out stands in the session's head."""
    script = ask_script(9).replace("session_id: asking", f"session_id: asking\n{OFF}")
    async with console(around()) as shown:
        await shown.begin(script)
        await expect(shown.page.locator(".safety-line")).to_contain_text("演示，没有来访者")


@LONG
async def test_texts_that_need_a_reader_are_named() -> None:
    """The first page warns of them."""
    async with console(around()) as shown:
        await shown.visit("sessions")
        await expect(shown.page.get_by_role("note")).to_contain_text("尚未经专业人员审读")


@pytest.mark.parametrize("size", [WIDE, pytest.param(PHONE, marks=LONG)])
async def test_without_a_network_the_page_says_where_help_is(size: tuple[int, int]) -> None:
    """What could not be sent stays in its field, beside the numbers of the region."""
    async with console(around(), size=size) as shown:
        async with shown.page.expect_response("**/api/v1/safety/texts*"):
            await shown.begin(ask_script(9))
        await shown.page.context.set_offline(True)
        await shown.page.get_by_label("输入消息").fill("撑不下去了")
        await shown.page.get_by_role("button", name="发送").click()
        card = shown.page.locator(".help-card")
        await expect(card).to_contain_text("没有发出去")
        await expect(card.get_by_role("link", name="12356")).to_be_visible()
        await expect(shown.page.get_by_label("输入消息")).to_have_value("撑不下去了")
        await shown.page.context.set_offline(False)
        await shown.page.get_by_role("button", name="发送").click()
        await expect(card).to_have_count(0)


@LONG
async def test_after_the_end_a_client_can_still_write_and_is_told_where_help_is() -> None:
    """The field stays; what means danger is answered by the card, although the session is over."""
    replies = [ask_reply("怎么称呼你？"), ask_reply("好的", exit_="YES"), ask_reply("再见")]
    async with console(Neighbours(model=FakeModel(replies)), size=PHONE) as shown:
        await shown.begin(ask_script(9))
        await shown.say("叫我小明")
        await expect(shown.page.get_by_text("会话已结束")).to_be_visible()
        await shown.page.get_by_label("输入消息").fill("我想自杀")
        await shown.page.get_by_role("button", name="发送").click()
        await expect(shown.page.locator(".help-card")).to_contain_text("12356")
        await shown.picture("ended-in-danger")
        shown.complaints.clear()
