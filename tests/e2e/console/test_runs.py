"""The page of a run in a real browser: its plan as it goes on, what its nodes gave, and cancel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from heartrule.domain.errors import ModelUnavailable
from tests.integration.gateway_service.test_runs import ended
from tests.support.agent_runs import AGENT, HELLO, SUM, SYNC, Voices, started
from tests.support.agent_talk import answers, respond
from tests.support.consoles import PHONE, WIDE, Console, axe, console
from tests.support.executors import Neighbours
from tests.support.fake_model import Reply, ask_reply, whole
from tests.support.served_runs import Operator, a_node, a_plan
from tests.support.submissions import begun

pytestmark = pytest.mark.long(
    short="tests/integration/gateway_service/test_runs.py::test_a_run_is_listed_and_read"
)
MARKUP = "<img src=x onerror=window.hurt=1>{{7*7}}"
STEPS = a_plan(
    a_node("read", "LLM", prompt="读"),
    a_node("many", "CONDITION", expression="true"),
    a_node("write", "LLM", prompt="写"),
    a_node("idle", "LLM", prompt="不写"),
    a_node(
        "each",
        "LOOP",
        items=[1, 2],
        max_iterations=2,
        body=[a_node("say", "LLM", prompt="${item}")],
    ),
    edges=("read>many", "many>write:true", "many>idle:false", "write>each"),
)


@dataclass(frozen=True, slots=True)
class Watched:
    """The page of a run, and the operator who began it."""

    shown: Console
    operator: Operator
    run_id: str

    def node(self, name: str) -> Locator:
        """Return a node of the drawing, as whoever hears the page finds it."""
        drawing = self.shown.page.get_by_role("group", name="流程图")
        return drawing.get_by_role("button", name=name, exact=True)

    def row(self, name: str) -> Locator:
        """Return a node's row of the table."""
        header = self.shown.page.get_by_role("rowheader", name=name, exact=True)
        return self.shown.page.get_by_role("row").filter(has=header)

    @property
    def panel(self) -> Locator:
        """Return what is told of the chosen node."""
        return self.shown.page.get_by_role("complementary", name="所选节点")


def held(text: str) -> Reply:
    """Return an answer of a node that comes when its gate is opened."""
    return Reply(whole(text).pieces, gate=asyncio.Event())


def let_go(reply: Reply) -> None:
    """Let a node's answer come."""
    assert reply.gate is not None
    reply.gate.set()


@asynccontextmanager
async def watched(
    plan: Mapping[str, Any], *nodes: Reply | str, size: tuple[int, int] = WIDE
) -> AsyncIterator[Watched]:
    """Begin a run of a plan whose nodes are answered so, and open its page."""
    model = Voices([ask_reply("怎么称呼你？")], nodes)
    async with console(Neighbours(model=model), size=size) as shown:
        session_id = await begun(shown.running)
        operator = Operator(shown.running, session_id)
        run_id = await operator.execute(await operator.plan(plan))
        await shown.visit("sessions", session_id, "runs", run_id)
        yield Watched(shown, operator, run_id)


async def test_a_decision_and_the_time_line_lead_to_the_run() -> None:
    """So does the list of runs; the page's address outlives a reload."""
    model = Voices([HELLO, SYNC, answers(respond("写好了。"))], ["睡得晚"])
    async with console(Neighbours(model=model)) as shown:
        session_id = await started(shown.running.client, (AGENT,), {"sum": SUM})
        await shown.visit("sessions", session_id)
        await shown.spoken().first.wait_for()
        await shown.say("帮我写个小结")
        for tab in ("运行", "时间线", "决策"):
            link = (await shown.tab(tab)).get_by_role("link", name="写小结 的运行")
            await expect(link).to_be_attached()
        begun_by = shown.page.locator("details.card", has_text="运行工作流")
        await begun_by.get_by_role("link", name="写小结 的运行").click()
        await expect(shown.page.get_by_role("heading", name="写小结")).to_be_visible()
        await shown.page.reload()
        await expect(shown.page.get_by_role("button", name="写, LLM, 完成")).to_be_visible()
        await expect(shown.page.get_by_role("status").first).to_have_text("已连接")
        await shown.page.get_by_role("link", name="←").click()
        await expect(shown.page.get_by_role("tab", name="运行")).to_have_attribute(
            "aria-selected", "true"
        )


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_the_plan_goes_on_before_the_readers_eyes(size: tuple[int, int]) -> None:
    """Drawing and table show each state as it comes; a node tells its attempts and its output."""
    writing = held("写好了")
    async with watched(STEPS, "读过了", writing, "甲", "乙", size=size) as run:
        await expect(run.node("write, LLM, 运行中")).to_be_visible()
        await expect(run.node("each, LOOP, 未开始")).to_be_visible()
        await expect(run.row("idle")).to_contain_text("之前的节点走了别的分支")
        let_go(writing)
        await expect(run.node("each, LOOP, 完成")).to_be_visible()
        await expect(run.row("write")).to_contain_text("many 当 true")
        await expect(run.row("say")).to_contain_text("在循环 each 中")
        await run.node("say, LLM, 完成").click()
        await expect(run.panel.get_by_role("heading", name="say")).to_be_focused()
        await expect(run.panel.locator("summary", has_text="第 1 轮")).to_be_visible()
        await expect(run.panel.locator("details.card pre").nth(1)).to_contain_text("乙")
        await expect(run.shown.page.get_by_role("button", name="取消运行")).to_be_disabled()
        await run.shown.picture(f"run-{size[0]}")
        assert (await axe(run.shown), await run.shown.overflow()) == ([], 0)


async def test_a_run_is_cancelled_after_a_question() -> None:
    """Who says no ends nothing; who says yes sees what became of it, and cannot ask again."""
    async with watched(STEPS, held("读过了")) as run:
        cancel = run.shown.page.get_by_role("button", name="取消运行")
        await expect(run.node("read, LLM, 运行中")).to_be_visible()
        await cancel.click()
        await run.shown.answer(yes="先不")
        await expect(cancel).to_be_enabled()
        await cancel.click()
        await run.shown.answer(yes="取消运行")
        await expect(run.node("read, LLM, 已取消")).to_be_visible()
        await expect(cancel).to_be_disabled()
        assert await run.operator.ended(run.run_id) == "cancelled"


async def test_a_failure_is_told_first() -> None:
    """The run says why it failed, and the node that failed stands open."""
    away = Reply((), fails=ModelUnavailable("away", reason="MODEL_DOWN"))
    plan = a_plan(a_node("read", "LLM", prompt="读", keys={"on_failure": {"action": "ABORT"}}))
    async with watched(plan, away) as run:
        await expect(run.panel).to_contain_text("模型没有回答")
        await expect(run.panel.get_by_role("heading", name="read")).to_be_visible()
        await expect(run.row("read")).to_contain_text("失败")
        await run.shown.picture("run-failed")
        assert await axe(run.shown) == []


async def test_what_strangers_named_is_text() -> None:
    """Ids, names, conditions and outputs are read as they were written; nothing of them runs."""
    plan = a_plan(
        {**a_node(MARKUP, "LLM", prompt=MARKUP), "name": MARKUP, "description": MARKUP},
        a_node("__proto__", "LLM", prompt="p"),
        edges=(),
    )
    plan["edges"] = [{"source": MARKUP, "target": "__proto__", "condition": '"<b>" == "<b>"'}]
    async with watched({**plan, "name": MARKUP}, MARKUP, "好") as run:
        await expect(run.shown.page.get_by_role("heading", level=1)).to_have_text(MARKUP)
        await expect(run.node("__proto__, LLM, 完成")).to_be_visible()
        await run.node(f"{MARKUP}, LLM, 完成").click()
        await expect(run.panel.locator("details.card pre").last).to_contain_text(MARKUP)
        await expect(run.row(MARKUP)).to_be_visible()
        await expect(run.row("__proto__")).to_contain_text('"<b>" == "<b>"')
        assert await run.shown.page.evaluate("window.hurt") is None
        assert await run.shown.page.locator("img[src=x]").count() == 0


async def test_a_line_that_is_back_shows_what_came_meanwhile() -> None:
    """The page says that it lost the line, and reads the run again."""
    writing = held("写好了")
    async with watched(STEPS, "读过了", writing, "甲", "乙") as run:
        await expect(run.node("write, LLM, 运行中")).to_be_visible()
        await run.shown.page.context.set_offline(offline=True)
        await run.shown.page.evaluate("stop()")
        let_go(writing)
        assert await run.operator.ended(run.run_id) == "completed"
        await run.shown.page.context.set_offline(offline=False)
        await expect(run.node("each, LOOP, 完成")).to_be_visible()
        await expect(run.shown.page.get_by_role("alert")).to_have_count(0)


async def test_a_run_that_is_not_there_is_explained() -> None:
    """The page names it and leads to those that are there."""
    async with console(Neighbours(model=Voices([ask_reply("怎么称呼你？")], ()))) as shown:
        session_id = await begun(shown.running)
        await shown.visit("sessions", session_id, "runs", "run_none")
        await expect(shown.page.get_by_role("alert")).to_contain_text("run_none")
        await shown.page.get_by_role("link", name="这个会话的全部运行").click()
        await expect(shown.page.get_by_role("tabpanel")).to_contain_text("还没有运行过工作流")
        shown.complaints.clear()


async def test_masked_texts_are_shown_on_demand_and_files_are_downloads() -> None:
    """Without them there is no drawing and no file; a file's name is nothing but text."""
    async with console(await ended()) as shown:
        await shown.visit("sessions", "s1", "runs", "run_1")
        table = shown.page.get_by_role("table")
        await expect(table).to_contain_text("loop")
        await expect(shown.page.get_by_role("link", name="图.png")).to_have_count(0)
        await shown.page.get_by_role("button", name="显示", exact=True).click()
        await expect(shown.page.get_by_role("heading", name="流程图")).to_be_visible()
        hostile = shown.page.get_by_role("link", name="set-cookie")
        await expect(hostile).to_have_css("unicode-bidi", "isolate")
        async with shown.page.expect_download() as waiting:
            await shown.page.get_by_role("link", name="图.png").click()
        saved = await (await waiting.value).path()
        assert await asyncio.to_thread(saved.read_bytes) == b"\x89PNG\r\n"
