"""Threads folded into the conversation in a real browser: live, nested, cancelled, failed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from playwright.async_api import Locator, expect

from session_store.open import open_in_memory
from tests.integration.executor.test_agents_with_runs import broken, gated, opened
from tests.integration.executor.test_agents_with_threads import (
    AGENT,
    FOUND,
    RESULT,
    SPAWN,
    TALKS,
    UNDELIVERED,
)
from tests.support.agent_runs import HELLO, SUM, Voices, started
from tests.support.agent_talk import answers, decision
from tests.support.consoles import PHONE, WIDE, Console, axe, console
from tests.support.executors import Neighbours
from tests.support.fake_model import Reply
from tests.support.kept_threads import SECRET, with_threads

pytestmark = pytest.mark.long(
    short="tests/integration/executor/test_threads_over_the_api.py::"
    "test_an_agents_thread_is_read_by_path_and_as_a_document"
)
MARKUP = "<img src=x onerror=window.hurt=1>{{7*7}}"
WRITER = AGENT.replace("researcher", "article_writing").replace("findings", "article")
WRITE = answers(
    decision(
        "spawn_subagent", subagent_type="article_writing", task_payload={"requirements": "短"}
    ),
    intent="complex_task",
)


@dataclass(frozen=True, slots=True)
class Watched:
    """A conversation whose agent has a sub-agent at work."""

    shown: Console

    @property
    def thread(self) -> Locator:
        """Return the outermost thread where the conversation has it folded."""
        return self.shown.page.locator(".message > .thread")

    async def unfold(self, thread: Locator) -> None:
        """Unfold a thread by keyboard."""
        await thread.locator("summary").first.press("Enter")

    def log(self) -> Locator:
        """Return the conversation."""
        return self.shown.page.get_by_role("log")


@asynccontextmanager
async def watched(
    *nodes: Reply | str,
    spawn: str = SPAWN,
    agent: str = AGENT,
    size: tuple[int, int] = WIDE,
) -> AsyncIterator[Watched]:
    """Say something upon which the agent asks a sub-agent that is answered so."""
    model = Voices([HELLO, spawn, TALKS], nodes)
    async with console(Neighbours(model=model), size=size) as shown:
        session_id = await started(shown.running.client, (agent,), {"sum": SUM})
        await shown.visit("sessions", session_id)
        await shown.spoken().first.wait_for()
        await shown.say("帮我查查")
        yield Watched(shown)


async def test_a_thread_goes_on_in_its_message_and_stays_beside_the_result() -> None:
    """Label, messages and result come live; in the end, and after a reload, one message stands."""
    finding, concluding = gated(FOUND), gated(RESULT)
    async with watched(finding, "YES", concluding) as seen:
        await expect(seen.thread).to_contain_text("researcher · gather 运行中")
        await expect(seen.log()).to_contain_text("结果还在准备")
        await seen.unfold(seen.thread)
        await expect(seen.thread.locator(".thread-message.user")).to_contain_text("睡不着怎么办")
        opened(finding)
        await expect(seen.thread.locator(".thread-message.bot")).to_contain_text(FOUND)
        await expect(seen.thread.locator("summary").first).to_contain_text("正在整理 运行中")
        opened(concluding)
        await expect(seen.thread.locator("summary").first).to_contain_text("完成")
        await expect(seen.thread).to_have_attribute("open", "")
        await seen.shown.page.reload()
        await expect(seen.thread).to_have_count(1)
        await expect(seen.thread.locator("..")).to_contain_text(RESULT)
        assert await seen.shown.spoken().count() == 3


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_threads_nested_in_threads_unfold_likewise(size: tuple[int, int]) -> None:
    """Each chapter stands in the message that announced it; what a stranger wrote is text."""
    chapter = gated("水是软的")
    nodes = (f"{MARKUP}\n二章", "山是高的", chapter, f"定稿{MARKUP}", "YES")
    async with watched(*nodes, spawn=WRITE, agent=WRITER, size=size) as seen:
        await seen.unfold(seen.thread)
        nested = seen.thread.locator(".thread")
        await expect(nested).to_have_count(2)
        await expect(nested.first.locator("summary")).to_contain_text("chapter_writing · done 完成")
        await seen.unfold(nested.first)
        await expect(nested.first).to_contain_text("山是高的")
        await expect(nested.first).to_contain_text(MARKUP)
        await seen.unfold(nested.last)
        await expect(nested.last.locator("summary").first).to_contain_text("运行中")
        await seen.shown.picture(f"threads-{size[0]}")
        opened(chapter)
        await expect(nested.last).to_contain_text("水是软的")
        await expect(seen.thread.locator("..")).to_contain_text(f"定稿{MARKUP}")
        assert (await axe(seen.shown), await seen.shown.overflow()) == ([], 0)
        assert await seen.shown.page.evaluate("window.hurt") is None
        assert await seen.shown.page.locator("img[src=x]").count() == 0


async def test_a_thread_is_cancelled_after_a_question() -> None:
    """It says so, nothing is left to cancel, and a plain line stands in the message's place."""
    async with watched(gated(FOUND)) as seen:
        await seen.unfold(seen.thread)
        await seen.thread.get_by_role("button", name="取消").click()
        await seen.shown.answer(yes="取消")
        await expect(seen.thread.locator("summary").first).to_contain_text("已取消")
        await expect(seen.thread.get_by_role("button", name="取消")).to_have_count(0)
        await expect(seen.thread.locator("..")).to_contain_text(UNDELIVERED)


async def test_a_failed_thread_says_why() -> None:
    """Folded already; the plain line stands above it."""
    async with watched(broken()) as seen:
        await expect(seen.thread.locator("summary")).to_contain_text("失败 模型没有回答")
        await expect(seen.thread.locator("..")).to_contain_text(UNDELIVERED)
        await seen.shown.picture("thread-failed")
        assert await axe(seen.shown) == []


async def test_the_time_line_has_a_lane_and_the_list_of_runs_a_page() -> None:
    """Both lead to what was said in the thread."""
    async with watched(FOUND, "YES", RESULT) as seen:
        await expect(seen.thread.locator("summary")).to_contain_text("完成")
        lanes = await seen.shown.tab("时间线")
        await expect(lanes.locator("rect.threads")).to_have_count(1)
        fold = lanes.locator(".thread")
        await seen.unfold(fold)
        await expect(fold).to_contain_text(FOUND)
        await expect(lanes).not_to_contain_text("这一回合开始的工作流运行")
        await seen.shown.picture("threads-time-line")
        assert await axe(seen.shown) == []
        runs = await seen.shown.tab("运行")
        await runs.get_by_role("link", name="researcher 的运行").click()
        await expect(seen.shown.page.get_by_role("heading", level=1)).to_have_text("researcher")
        await expect(seen.shown.page.locator(".thread summary")).to_contain_text("完成")


async def test_masked_texts_are_shown_on_demand_and_long_threads_whole() -> None:
    """The page of the agent's run has its thread; more messages than a page holds are read."""
    store = open_in_memory()
    at = await with_threads(store)
    for number in range(1, 502):
        await at.say(number, f"第 {number} 句")
    async with console(Neighbours(store=store)) as shown:
        await shown.visit("sessions", "s1", "runs", "run_1")
        outer = shown.page.locator(".run-page .thread").first
        await outer.locator("summary").first.click()
        await expect(outer.locator(".text").first).to_have_text("•••")
        await outer.get_by_role("button", name="显示", exact=True).click()
        await expect(outer.locator(".text").first).to_contain_text(SECRET)
        inner = outer.locator(".thread")
        await inner.locator("summary").first.click()
        await inner.get_by_role("button", name="显示", exact=True).click()
        await expect(inner.locator(".text")).to_have_count(502)
        await expect(inner.locator(".text").last).to_have_text("第 501 句")
        await expect(inner.get_by_role("button", name="取消")).to_have_count(0)
