"""A counsellor walks from an empty folder to a tested script of their own, in the browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.command import GREETING, Place, environment
from tests.support.consoles import PATIENT, PICTURES, axe_of, browser, chromium, write

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
# What was mistyped, as it should be, and what a message has to name.
MISTAKES = (
    ("ai_aks", "action_type: ai_ask", "ai_aks"),
    ("max_rounds: drei", "max_rounds: 3", "max_rounds"),
    ("actoin_id: thank", "action_id: thank", "actoin_id"),
)


@asynccontextmanager
async def started(folder: Path, size: tuple[int, int]) -> AsyncIterator[Page]:
    """Run the command in an empty folder, in Chinese, and open its console."""
    chromium()
    place = Place(folder, environ=environment(LC_ALL="zh_CN.UTF-8", **PATIENT))
    with place.started("run", str(GREETING)) as command:
        line = await asyncio.to_thread(command.until, "http://127.0.0.1:")
        await asyncio.to_thread(command.until, "ses_")
        found = ADDRESS.search(line)
        assert found, line
        async with browser() as opened:
            context = await opened.new_context(
                viewport={"width": size[0], "height": size[1]}, locale="zh-CN"
            )
            page = await context.new_page()
            page.set_default_timeout(15_000)
            complaints: list[str] = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            await page.goto(found[0])
            yield page
            await context.close()
            assert complaints == []


class Walk:
    """What the counsellor does, step by step; each leaves a picture, and axe has no objection."""

    def __init__(self, page: Page, size: str) -> None:
        """Walk on a page."""
        self.page, self.size, self.steps = page, size, 0
        self.editor = page.get_by_role("textbox", name="脚本编辑器")
        self.findings = page.locator(".finding")

    async def seen(self, what: str) -> None:
        """Leave a picture of a step; nothing is wider than the window or keeps somebody out."""
        self.steps += 1
        path = PICTURES / f"walk-{self.size}-{self.steps:02}-{what}.png"
        await self.page.screenshot(path=path)
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await self.page.evaluate(wider) == 0
        assert await axe_of(self.page) == []

    async def press(self, name: str) -> None:
        """Press a button or a link."""
        button = self.page.get_by_role("button", name=name, exact=True)
        link = self.page.get_by_role("link", name=name, exact=True)
        await button.or_(link).first.click()

    async def talk(self, text: str) -> None:
        """Say something and wait until it was answered."""
        await self.page.get_by_label("输入消息").fill(text)
        await self.press("发送")
        await expect(self.page.get_by_text("会话已结束。")).to_be_visible()

    async def begins_with_an_example(self) -> None:
        """Talk with it, and read in the author's view what was learned."""
        await self.page.locator("main form select").first.select_option(label="问候")
        await self.press("开始会话")
        await expect(self.page.locator(".message.assistant").last).to_contain_text("怎么称呼你")
        await self.talk("小明")
        await expect(self.page.get_by_text("已了解")).to_be_attached()
        await self.seen("author-view")

    async def copies_it(self) -> str:
        """Open a copy in the editor and return its text."""
        await self.press("脚本")
        await self.press("问候")
        await expect(self.editor).to_contain_text("greeting")
        await self.press("复制为新脚本")
        await expect(self.editor).to_contain_text("greeting_copy")
        await self.seen("copy")
        text = GREETING.read_text("utf-8")
        return text.replace("session_id: greeting", "session_id: my_greeting").replace(
            "session_name: 问候", "session_name: 我的问候"
        )

    async def writes(self, text: str) -> str:
        """Change the question with completion, and mend three mistakes by what is said of them."""
        asked = text.replace("我可以怎么称呼你呢？", "你希望我怎么称呼你？")
        wrong = asked
        for mistake, right, _ in MISTAKES:
            wrong = wrong.replace(right, f"action_type: {mistake}" if "aks" in mistake else mistake)
        await write(self.editor, wrong)
        for mistake, right, named in MISTAKES:
            await expect(self.findings.filter(has_text=named).first).to_be_visible()
            if mistake == "ai_aks":
                await self.seen("mistakes")
            wrong = wrong.replace(f"action_type: {mistake}" if "aks" in mistake else mistake, right)
            await write(self.editor, wrong)
        await expect(self.page.get_by_role("status").filter(has_text="没有问题")).to_be_visible()
        await write(self.editor, asked.rstrip())
        await self.editor.press("Control+End")
        await self.editor.press("Enter")
        await self.page.keyboard.type("max_r")
        await self.editor.press("Control+Space")
        offered = self.page.get_by_role("option").filter(has_text="max_rounds")
        await expect(offered).to_be_visible()
        await self.seen("completion")
        await write(self.editor, asked)
        return asked

    async def publishes_and_talks(self) -> None:
        """Publish, and hold a conversation with it."""
        await self.press("发布")
        await self.press("用它开始会话")
        await expect(self.page.locator(".message.assistant").last).to_contain_text("怎么称呼你")
        await self.talk("小红")
        await self.seen("own-script")

    async def runs_it_again(self, text: str) -> None:
        """Change the script behind a session and give it the same answers; see the difference."""
        await self.press("改脚本")
        await expect(self.editor).to_contain_text("my_greeting")
        await write(self.editor, text.replace("max_rounds: 3", "max_rounds: 2"))
        await self.press("用这次会话的回答重放")
        await expect(self.page.get_by_text("全部 1 个回答都给出了。")).to_be_visible()
        await expect(self.page.get_by_text("两次会话的差异").last).to_be_attached()
        await self.seen("replayed")
        await self.page.go_back()

    async def rehearses(self) -> None:
        """Save a session as a rehearsal, play it beside the editor and publish both."""
        await self.page.goto(self.page.url.split("#")[0] + "#/sessions")
        await self.page.get_by_role("link", name="我的问候").last.click()
        await self.press("存为排练")
        dialog = self.page.get_by_role("dialog")
        await dialog.get_by_role("textbox").fill("说出名字就结束")
        await dialog.get_by_role("button", name="保存", exact=True).click()
        await expect(self.page.get_by_text("也放进了脚本的草稿")).to_be_visible()
        await self.page.get_by_role("link", name="改脚本").last.click()
        await self.page.get_by_role("tab", name="排练").click()
        await self.press("全部排练一遍")
        await expect(self.page.get_by_text("符合预期")).to_be_visible(timeout=120_000)
        await self.seen("rehearsed")
        await self.press("发布")
        await expect(self.page.get_by_text("有未发布的修改")).to_have_count(0)

    async def finds_it_by_a_label(self) -> None:
        """Label the session and find it by that alone."""
        await self.page.goto(self.page.url.split("#")[0] + "#/sessions")
        await self.page.get_by_role("button", name=re.compile("^我的问候：")).last.click()
        await self.page.get_by_label("标签名称").fill("课程")
        await self.page.get_by_label("值（可不填）").fill("演示")
        await self.press("加上标签")
        await expect(self.page.get_by_text("课程: 演示").first).to_be_visible()
        await self.page.get_by_text("查找会话").click()
        await self.page.get_by_label("标签（名称，或 名称: 值）").fill("课程: 演示")
        await self.page.keyboard.press("Enter")
        await expect(self.page.locator("td.lead")).to_have_count(1)
        await self.seen("found")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["wide", "phone"])
async def test_a_counsellor_gets_to_a_tested_script_of_their_own(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Nothing is typed into a terminal after the start."""
    async with started(tmp_path, size) as page:
        walk = Walk(page, f"{size[0]}")
        await walk.begins_with_an_example()
        text = await walk.writes(await walk.copies_it())
        await walk.publishes_and_talks()
        await walk.runs_it_again(text)
        await walk.rehearses()
        await walk.finds_it_by_a_label()
