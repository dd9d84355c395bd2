"""The author's loop in a real browser: check, publish, start, change one action and run again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.support.consoles import axe, console, write
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script

pytestmark = pytest.mark.long(
    short="tests/e2e/console/test_conversation.py::test_a_whole_conversation_is_held_in_the_browser"
)

PICTURE = Path(__file__).parents[3] / "_system" / "scripts" / "assets" / "slow_breathing.png"

SHOW = """            - action_type: show_pic
              action_id: picture
              config: {source: assets/slow_breathing.png, alt: 一条曲线}
"""


async def test_an_action_is_changed_and_run_again_from_just_before_it() -> None:
    """The fork asks the changed question; its source keeps the old one, side by side."""
    replies = [ask_reply(text) for text in ("怎么称呼你？", "还有呢", "贵姓？", "好")]
    async with console(Neighbours(model=FakeModel(replies))) as shown:
        await shown.begin(ask_script(9))
        await shown.say("嗯")
        await shown.page.get_by_role("button", name="改问题再试: ask_name").click()
        config = shown.page.get_by_label("动作设置")
        await expect(config).to_have_value(re.compile("怎么称呼你"))
        changed = (await config.input_value()).replace("怎么称呼你", "询问贵姓")
        await config.fill(changed)
        await shown.picture("fork-dialog")
        await shown.page.get_by_role("button", name="分叉并运行").click()
        left = shown.page.get_by_role("region", name="左")
        right = shown.page.get_by_role("region", name="右")
        await expect(right).to_contain_text("贵姓？")
        await expect(left).to_contain_text("还有呢")
        assert "询问贵姓" in shown.running.neighbours.model.last_prompt()
        await shown.picture("side-by-side")


async def test_a_mistake_is_shown_at_its_line_and_keeps_the_script_from_being_published() -> None:
    """The finding names line and column; once it is mended, the script is published and begun."""
    async with console(Neighbours(model=FakeModel([ask_reply("你好")]))) as shown:
        await shown.visit("scripts", "+")
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        publish = shown.page.get_by_role("button", name="发布")
        await write(editor, ask_script().replace("ai_say", "ai_sing"))
        await expect(shown.page.locator(".finding").first).to_contain_text("main.yaml:12:28")
        await expect(publish).to_be_disabled()
        await shown.picture("editor-finding")
        await write(editor, ask_script())
        await publish.click()
        await shown.page.get_by_role("button", name="用它开始会话").click()
        await expect(shown.spoken().first).to_contain_text("你好")


async def test_the_editor_completes_from_the_schema() -> None:
    """After `action_type:` the types of action are offered."""
    async with console() as shown:
        await shown.visit("scripts", "+")
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        await write(editor, ask_script().rsplit("- action_type", 1)[0].rstrip())
        await editor.press("Control+End")
        await editor.press("Enter")
        await shown.page.keyboard.type("- action_type: ")
        await editor.press("Control+Space")
        offered = shown.page.get_by_role("option")
        await expect(offered.filter(has_text="fill_form")).to_be_visible()
        await shown.picture("completion")


async def test_a_snapshot_is_kept_and_restored() -> None:
    """Restoring opens a new session that stands where the snapshot was made."""
    replies = [ask_reply(text) for text in ("怎么称呼你？", "还有呢", "然后呢")]
    async with console(Neighbours(model=FakeModel(replies))) as shown:
        await shown.begin(ask_script(9))
        await shown.say("甲")
        keep = shown.page.get_by_role("button", name="存为快照")
        await expect(keep).to_have_count(2)  # the answered turn has ended, too
        await keep.last.click()
        await shown.answer(yes="保存", written="第一回合之后")
        await shown.say("乙")
        await shown.visit("sessions")
        await shown.page.get_by_role("button", name="从快照恢复").click()
        await expect(shown.page.locator(".message.client .text")).to_have_text(["甲"])


async def test_unpublished_text_outlives_the_page() -> None:
    """Whoever comes back is asked: restored text goes on, discarded text is gone."""
    async with console() as shown:
        await shown.running.client.publish(ask_script())
        editor = shown.page.get_by_role("textbox", name="脚本编辑器")
        unsaved = shown.page.get_by_text("有未发布的修改")
        await shown.visit("scripts", "asking")
        await write(editor, ask_script().replace("怎么称呼你", "请问贵姓"))
        await expect(unsaved).to_be_visible()
        await shown.page.reload()
        await shown.answer(yes="恢复")
        await expect(editor).to_contain_text("请问贵姓")
        await shown.visit("scripts")
        await shown.visit("scripts", "asking")
        await shown.answer(yes="丢弃")
        await expect(editor).to_contain_text("怎么称呼你")
        await expect(unsaved).to_have_count(0)


async def test_a_new_script_is_clean_and_enter_keeps_the_column_of_a_key() -> None:
    """In both languages, as are the words of the editor's search; a picture can be added."""
    async with console() as shown:
        editor = shown.page.locator(".editor .cm-content")
        for language, clean, find in (("en", "clean", "Find"), ("zh", "没有问题", "查找")):
            await shown.visit("scripts")
            await shown.speak(language)
            await shown.visit("scripts", "+")
            await expect(shown.page.get_by_role("heading", name=clean)).to_be_visible()
            await editor.press("Control+f")
            await expect(shown.page.get_by_placeholder(find, exact=True)).to_be_visible()
            await editor.press("Escape")
        await write(editor, f"{ask_script().rstrip()}\n{SHOW.partition(chr(10))[0]}")
        await editor.press("Enter")
        assert await editor.locator(".cm-line").last.text_content() == " " * 14
        await write(editor, f"{ask_script().rstrip()}\n{SHOW}")
        errors = shown.page.get_by_role("heading", name="处错误")
        await expect(errors).to_be_visible()
        await shown.page.get_by_label("上传图片").set_input_files(PICTURE)
        await expect(shown.page.get_by_text("assets/slow_breathing.png").last).to_be_visible()
        await expect(errors).to_have_count(0)
        await shown.picture("picture-of-a-script")


async def test_a_note_is_written_at_a_turn_changed_and_removed() -> None:
    """Both views show it, also after the page was opened anew; an empty one is gone."""
    replies = [ask_reply(text) for text in ("怎么称呼你？", "还有呢")]
    async with console(Neighbours(model=FakeModel(replies)), view="author") as shown:
        await shown.begin(ask_script(9))
        await shown.say("甲")
        write, field = shown.page.get_by_role("button", name="批注"), shown.page.get_by_role("note")
        for words in ("停得好", "停得好，\n下次再慢些 <b>"):
            await write.last.click()
            await shown.page.get_by_label("这一回合的批注").fill(words)
            await shown.page.get_by_role("button", name="保存", exact=True).click()
            await expect(field.locator("p")).to_have_text(words)
        await shown.page.reload()
        await shown.page.get_by_role("button", name="开发者").click()
        await expect(field.locator("p")).to_have_text(words)
        assert await field.locator("p").inner_text() == words  # with its line break
        await shown.picture("note")
        assert await axe(shown) == []
        await write.last.click()
        await shown.page.get_by_label("这一回合的批注").fill("")
        await shown.page.get_by_role("button", name="保存", exact=True).click()
        await expect(field).to_have_count(0)
