"""The author's loop in a real browser: replay, rehearse, compare versions, publish one again."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.support.consoles import PATIENT, Console, axe, console, write
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/contract/console/test_modules.py::test_the_modules_do_what_their_tests_say"
)
SIZE = (1440, 900)
PHONE = (390, 844)


async def pictures(shown: Console, name: str) -> None:
    """Leave what is seen on both sizes; nothing may be wider than the window."""
    for size, kind in ((PHONE, "phone"), (SIZE, "wide")):
        await shown.page.set_viewport_size({"width": size[0], "height": size[1]})
        await shown.picture(f"{name}-{kind}")
        assert await shown.overflow() == 0
    assert await axe(shown) == []


async def open_older(shown: Console) -> None:
    """Have the first of two versions edited."""
    await shown.page.get_by_role("tab", name="历史版本").click()
    await shown.page.locator(".versions li").last.get_by_role("button", name="打开来改").click()


async def test_a_changed_script_gets_the_clients_answers_until_one_does_not_fit() -> None:
    """It is not published by that; the page says why it stopped, and shows where both part."""
    replies = [ask_reply(text) for text in ("怎么称呼你？", "还有呢", "再说说", "贵姓？")]
    replies.append(ask_reply("好的", exit_="YES"))
    async with console(Neighbours(model=FakeModel(replies)), size=SIZE) as shown:
        session_id = await shown.begin(ask_script(9))
        await shown.say("嗯")
        await shown.say("小明")
        await shown.page.get_by_role("link", name="改脚本").click()
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await write(editor, ask_script(9).replace("ask_name", "ask_family_name"))
        shown.running.neighbours.model.will_say(*[ask_reply("再见")] * 3)
        await shown.page.get_by_role("button", name="用这次会话的回答重放").click()
        stopped = shown.page.get_by_text("重放停在第 1 回合：现在提问的是 ask_family_name")
        await expect(stopped).to_be_visible()
        right = shown.page.get_by_role("region", name="右")
        await expect(right).to_contain_text("贵姓？")
        await expect(shown.page.locator("tr.parted")).to_have_count(1)
        await pictures(shown, "replay-stopped")
        listed = await (await shown.page.request.get("/api/v1/scripts")).json()
        assert [each["number"] for each in listed["scripts"]] == [1]
        assert session_id in shown.page.url


async def test_a_session_is_kept_as_a_rehearsal_and_played_beside_the_editor() -> None:
    """What is changed in the script then differs, and stands at its line of the conversation."""
    replies = [ask_reply("怎么称呼你？"), ask_reply("还有呢")]
    async with console(Neighbours(model=FakeModel(replies), environ=PATIENT), size=SIZE) as shown:
        await shown.begin(ask_script(9))
        await shown.say("嗯")
        async with shown.page.expect_download() as saved:
            await shown.page.get_by_role("button", name="存为排练").click()
            await shown.answer(yes="保存", written="先不说名字")
        assert (await saved.value).suggested_filename.startswith("asking-")
        await shown.page.get_by_role("link", name="改脚本").first.click()
        await shown.page.get_by_role("tab", name="排练").click()
        play = shown.page.get_by_role("button", name="全部排练一遍")
        await play.click()
        await expect(shown.page.get_by_text("符合预期 · 2 回合")).to_be_visible(timeout=120_000)
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await write(editor, ask_script(9).replace("ask_name", "ask_family_name"))
        await play.click()
        await expect(shown.page.get_by_text("与预期不同")).to_be_visible(timeout=120_000)
        await shown.page.locator(".rehearsals .finding").click()
        await expect(editor).to_contain_text("先不说名字")
        await expect(shown.page.locator(".cm-lint-marker-error")).to_be_visible()
        await pictures(shown, "rehearsal-differs")


async def test_an_older_version_is_compared_and_published_again() -> None:
    """Its differences stand in one column; afterwards it is the newest, under the next number."""
    async with console(size=SIZE) as shown:
        await shown.running.client.publish(ask_script())
        await shown.running.client.publish(ask_script().replace("怎么称呼你", "请问贵姓"))
        await shown.visit("scripts", "asking")
        await shown.page.get_by_role("tab", name="历史版本").click()
        await shown.page.get_by_role("button", name="看差异").last.click()
        await expect(shown.page.get_by_text("第 1 版与现在写的有 1 个文件不同")).to_be_visible()
        await expect(shown.page.locator(".cm-deletedChunk")).to_contain_text("怎么称呼你")
        await pictures(shown, "version-difference")
        await shown.page.get_by_role("button", name="回到编辑器").click()
        await shown.page.get_by_role("button", name="重新发布这一版").click()
        newest = shown.page.locator(".versions li").first
        await expect(newest).to_contain_text("第 3 版")
        await expect(newest).to_contain_text("现行")
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await expect(editor).to_contain_text("怎么称呼你")


async def test_a_version_that_was_published_over_is_opened_again() -> None:
    """What it became stays as published; the editor shows it as it was."""
    async with console(size=SIZE) as shown:
        await shown.running.client.publish(ask_script())
        await shown.running.client.publish(ask_script(5))
        await shown.visit("scripts", "asking")
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await open_older(shown)
        await expect(editor).to_contain_text("max_rounds: 3")
        await write(editor, ask_script(7))
        await shown.page.get_by_role("button", name="发布", exact=True).click()
        await expect(shown.page.locator(".versions li").first).to_contain_text("正在编辑")
        await open_older(shown)
        await expect(editor).to_contain_text("max_rounds: 3")


async def test_a_draft_stands_in_the_place_of_no_version_that_its_author_opens() -> None:
    """In the editor of a session it goes on by itself once; then the author is asked."""
    async with console(Neighbours(model=FakeModel([ask_reply("你好")])), size=SIZE) as shown:
        await shown.running.client.publish(ask_script(5))
        session_id = await shown.begin(ask_script())
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await shown.visit("scripts", "asking", "session", session_id)
        await write(editor, ask_script(7))
        await shown.page.reload()
        await expect(editor).to_contain_text("max_rounds: 7")
        await open_older(shown)
        await shown.answer(yes="丢弃")
        await expect(editor).to_contain_text("max_rounds: 5")
