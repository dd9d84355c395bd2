"""The inspector in a real browser: its tabs, the basis of exits, the time line, words for codes."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import PHONE, Console, console
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.fake_monitor import FakeMonitor, advises
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)
TABS = {
    "en": (
        "Turn", "Time line", "Model calls", "Variables", "Exits", "Monitor", "Strategy",
        "Decisions", "Runs",
    ),
    "zh": ("回合", "时间线", "模型调用", "变量", "退出", "监控", "策略", "决策", "运行"),
}  # fmt: skip
TWO_PHASES = ask_script(9) + ask_script(9).split("phases:\n")[1].replace("p1", "p2")
CUT = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth + 1).length"


async def talked(shown: Console, script: str, *said: str) -> None:
    """Begin a session and say something in it."""
    await shown.begin(script)
    for text in said:
        await shown.say(text)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), PHONE], ids=["1440", "1280", "phone"])
async def test_every_tab_can_be_chosen(language: str, size: tuple[int, int]) -> None:
    """One that does not fit stands in a list behind the others, and nothing is cut off."""
    async with console(Neighbours(model=FakeModel([ask_reply("你好")])), size=size) as shown:
        await talked(shown, ask_script(9))
        await shown.speak(language)
        if size == PHONE:
            await shown.page.locator(".room-tabs button").last.click()
        for name in TABS[language]:
            await shown.tab(name)
            chosen = shown.page.get_by_role("tab", selected=True)
            await expect(chosen).to_have_text(name)
            await expect(chosen).to_be_in_viewport(ratio=1)
            assert await shown.page.locator(".tabs").evaluate_all(CUT) == 0
        await shown.picture(f"tabs-{language}-{size[0]}")


async def test_an_exit_shows_what_the_script_has_it_decided_by() -> None:
    """Its own words for the end, and its criteria in words, not the prompt."""
    criteria = "exit: 说出了全名, exit_criteria: {outputs_known: true, min_rounds: 2}"
    script = ask_script(9).replace("exit: 说出了全名", criteria)
    replies = [ask_reply("怎么称呼你？"), ask_reply("还有呢")]
    async with console(Neighbours(model=FakeModel(replies))) as shown:
        await talked(shown, script, "小明")
        panel = await shown.tab("退出")
        for told in ("说出了全名", "要了解的都已知道；至少 2 轮"):
            await expect(panel.locator("details").first).to_contain_text(told)
        await expect(panel.locator("pre")).to_have_count(0)
        await shown.picture("exit-basis")


async def test_the_time_line_has_an_axis_figures_and_links_that_link() -> None:
    """A link leads to the bar, the turn or the tab that it names."""
    monitor = FakeMonitor(answers=[advises("换个轻松的问法")])
    replies = [ask_reply(text) for text in ("怎么称呼你？", "没关系", "那换个问题")]
    async with console(Neighbours(model=FakeModel(replies), monitor=monitor)) as shown:
        await talked(shown, ask_script(9), "不想说")
        await expect((await shown.tab("监控")).get_by_text("待使用")).to_be_visible()
        await shown.say("就是不想说")
        panel = await shown.tab("时间线")
        await expect(panel.locator(".axis span").first).to_have_text("0 ms")
        await expect(panel.locator(".lane-figure").first).to_contain_text("s")
        await expect(panel.get_by_text("尝试 1", exact=True).first).to_be_visible()
        await expect(panel.get_by_text("attempt", exact=False)).to_have_count(0)
        await shown.picture("time-line")
        await panel.get_by_role("button", name="反馈").first.click()
        await expect(shown.page.get_by_role("tab", name="监控")).to_have_attribute(
            "aria-selected", "true"
        )


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_codes_have_words_and_scopes_that_were_left_are_one_bubble(language: str) -> None:
    """No name of a code is on the screen."""
    last = ask_reply("谢谢小明。", exit_="YES", variables={"称呼": "小明"})
    replies = [
        ask_reply("怎么称呼你？"),
        "不是 JSON",
        last,
        ask_reply("再见"),
        ask_reply("请问贵姓？"),
    ]
    async with console(Neighbours(model=FakeModel(replies))) as shown:
        await talked(shown, TWO_PHASES, "嗯", "叫我小明")
        await shown.speak(language)
        left = "离开 2 个范围" if language == "zh" else "2 scopes left"
        log = shown.page.locator(".log")
        await expect(log.locator(".bubble", has_text=left)).to_have_count(1)
        await log.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        await shown.picture(f"words-{language}")
        shouted = "node => node.innerText.match(/\\b[A-Z]{3,}_[A-Z_]+\\b/g)"
        assert await log.evaluate(shouted) is None
