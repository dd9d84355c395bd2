"""Decisions as an operator reads them beside the conversation."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, WIDE, console
from tests.support.scripts import ask_script
from tests.support.submissions import WRITER, around, submit

MARKUP = "<img src=x onerror=alert(1)>"


@pytest.mark.long(
    short="tests/integration/executor/test_decision_service.py::"
    "test_a_valid_decision_is_done_at_once"
)
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
        await expect(rejected.locator("li", has_text="node_name")).to_contain_text("missing_field")
        await done.locator("summary").first.click()
        await expect(done.locator("tr", has_text="config.timeout")).to_contain_text("900300")
        await done.locator("summary", has_text="提出的载荷").click()
        await expect(done.locator("pre").first).to_contain_text(MARKUP)
        await expect(panel.locator("details.card", has_text="可运行")).to_contain_text(MARKUP)
        await shown.picture(f"decisions-{size[0]}")
        assert await shown.overflow() == 0
