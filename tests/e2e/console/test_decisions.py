"""Decisions as an operator reads them beside the conversation."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.integration.executor.test_agents import DONE, SCRIPT, saying
from tests.support.agent_talk import answers, ask_back, node
from tests.support.consoles import PHONE, WIDE, console
from tests.support.scripts import ask_script
from tests.support.submissions import WRITER, around, submit

LONG = pytest.mark.long(
    short="tests/integration/executor/test_decision_service.py::"
    "test_a_valid_decision_is_done_at_once"
)
MARKUP = "<img src=x onerror=alert(1)>"


@LONG
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_each_decision_stands_with_its_verdict(size: tuple[int, int]) -> None:
    """Corrections side by side, errors with their fields, the draft; markup is text."""
    async with console(around(), size=size) as shown:
        session_id = await shown.begin(ask_script(9))
        if size == PHONE:
            await shown.page.get_by_role("button", name="调试").click()
        panel = await shown.tab("决策")
        await expect(panel).to_contain_text("还没有决策")
        await submit(shown.running, session_id, {**WRITER, "node_name": MARKUP})
        await submit(shown.running, session_id, {"action_type": "create_node"}, decision_id="op_2")
        rejected, done = (panel.locator("details.card", has_text=word) for word in ("拒绝", "完成"))
        await rejected.locator("summary").first.click()
        await expect(rejected.locator("li", has_text="node_name")).to_contain_text("缺少字段")
        await done.locator("summary").first.click()
        await expect(done.locator("tr", has_text="config.timeout")).to_contain_text("900300")
        await done.locator("summary", has_text="提出的载荷").click()
        await expect(done.locator("pre").first).to_contain_text(MARKUP)
        await expect(panel.locator("details.card", has_text="可运行")).to_contain_text(MARKUP)
        await shown.picture(f"decisions-{size[0]}")
        assert await shown.overflow() == 0


@LONG
async def test_a_client_answers_an_agent_and_its_held_draft_goes_on() -> None:
    """The question's options are buttons; what it holds stands beside, and is done after it."""
    asks = answers(
        node("写小结"), ask_back("写给谁看？", options=["自己", "老师"]), intent="unknown"
    )
    async with console(saying(asks, DONE)) as shown:
        await shown.begin(SCRIPT)
        panel = await shown.tab("决策")
        await shown.say("帮我写个小结")
        undone = panel.locator("section", has_text="尚未完成")
        await expect(undone.locator("details.card", has_text="写小结")).to_contain_text("暂停")
        await expect(undone.locator("details.card", has_text="反问")).to_contain_text("进行中")
        await shown.picture("agent-asks")
        await shown.page.get_by_role("button", name="老师").click()
        await expect(shown.spoken().last).to_contain_text("写成草稿了")
        await expect(undone).to_have_count(0)
        await expect(panel.locator("details.card", has_text="添加节点")).to_contain_text("完成")
        await expect(panel.locator("details.card", has_text="第 1 版")).to_contain_text("可运行")
        await shown.picture("agent-answered")
