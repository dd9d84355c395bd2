"""What stands on the screen after drafts, commits and lines."""

from __future__ import annotations

import io

import pytest

from heartrule_cli.chat.screen import Screen
from heartrule_cli.style import Style


def screen(*, live: bool = True) -> tuple[Screen, io.StringIO]:
    out = io.StringIO()
    return Screen(out, Style(colours=False), live=live), out


def draft(target: Screen, offset: int, text: str, *, message: str = "m1") -> None:
    target.draft(message, attempt=1, offset=offset, text=text)


def test_a_message_equal_to_its_draft_is_not_written_twice() -> None:
    """The commit only ends the line."""
    target, out = screen()
    draft(target, 0, "你好，")
    draft(target, 3, "小明。")
    target.commit("m1", "你好，小明。")
    assert out.getvalue() == "你好，小明。\n"


def test_what_a_draft_lacked_is_added() -> None:
    """A reader who missed the end of a draft gets it with the message."""
    target, out = screen()
    draft(target, 0, "你好，")
    target.commit("m1", "你好，小明。")
    assert out.getvalue() == "你好，小明。\n"


def test_after_a_gap_the_message_itself_is_waited_for() -> None:
    """A piece that does not join is not shown; nothing is shown out of order."""
    target, out = screen()
    draft(target, 0, "一")
    draft(target, 4, "五")
    draft(target, 1, "二")
    assert out.getvalue() == "一"
    target.commit("m1", "一二三四五")
    assert out.getvalue() == "一二三四五\n"


def test_a_repeated_piece_is_shown_once() -> None:
    """Overlapping offsets add only what is new."""
    target, out = screen()
    draft(target, 0, "一二")
    draft(target, 1, "二三")
    assert out.getvalue() == "一二三"


def test_a_voided_draft_is_taken_off_the_screen() -> None:
    """The cursor goes back to where the draft began and clears from there."""
    target, out = screen()
    draft(target, 0, "半句")
    target.void(1)
    assert out.getvalue() == "半句\r\x1b[J"


def test_a_voided_draft_of_several_rows_is_taken_off_whole() -> None:
    """Rows are counted as the terminal wraps them: 80 columns here, two for each sign."""
    target, out = screen()
    draft(target, 0, "长" * 41 + "\n尾")
    target.void(1)
    assert out.getvalue().endswith("\r\x1b[2A\x1b[J")


def test_a_later_attempt_is_not_voided_with_an_earlier_one() -> None:
    """Voiding is about attempts, not about the screen."""
    target, out = screen()
    target.draft("m2", attempt=2, offset=0, text="第二次")
    target.void(1)
    assert out.getvalue() == "第二次"


def test_a_draft_too_long_to_take_back_is_said_to_be_withdrawn() -> None:
    """What has left the screen cannot be erased, so a line says what it was."""
    target, out = screen()
    draft(target, 0, "行\n" * 40)
    target.void(1)
    assert "withdrawn" in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_another_text_replaces_the_draft() -> None:
    """Only the committed text is authoritative."""
    target, out = screen()
    draft(target, 0, "草稿")
    target.commit("m1", "定稿")
    assert out.getvalue() == "草稿\r\x1b[J定稿\n"


def test_lines_wait_until_the_open_draft_has_ended() -> None:
    """A note never lands in the middle of a sentence."""
    target, out = screen()
    draft(target, 0, "一")
    target.line("note")
    assert out.getvalue() == "一"
    target.commit("m1", "一二")
    assert out.getvalue() == "一二\nnote\n"


def test_a_draft_left_standing_is_not_written_again() -> None:
    """Where the next message begins before a commit, the commit finds its text on the screen."""
    target, out = screen()
    draft(target, 0, "一")
    draft(target, 0, "二", message="m2")
    target.commit("m1", "一")
    target.commit("m2", "二")
    assert out.getvalue() == "一\n二\n"


def test_without_a_terminal_only_whole_messages_are_written() -> None:
    """A file cannot take back what it holds."""
    target, out = screen(live=False)
    draft(target, 0, "草")
    target.void(1)
    target.commit("m1", "定稿")
    assert out.getvalue() == "定稿\n"


def test_a_line_appears_above_the_prompt() -> None:
    """What is being typed is drawn again beneath the line."""
    target, out = screen()
    target.open_prompt("> ", lambda: "正在写")
    target.line("note")
    assert out.getvalue() == "\r\x1b[Jnote\n> 正在写"
    target.close_prompt()
    target.line("after")
    assert out.getvalue().endswith("> 正在写after\n")


@pytest.mark.parametrize("live", [True, False])
def test_no_escape_of_a_model_reaches_the_terminal(*, live: bool) -> None:
    """Drafts and messages are cleaned alike, so they still agree."""
    target, out = screen(live=live)
    draft(target, 0, "a\x1b[2")
    draft(target, 4, "Jb")
    target.commit("m1", "a\x1b[2Jb")
    assert out.getvalue() == "a[2Jb\n"


def test_a_prompt_leaves_what_was_drafted_and_the_rest_follows_above_it() -> None:
    """Somebody begins to type while a message is being written; none of it is written twice."""
    target, out = screen()
    draft(target, 0, "你好，")
    target.open_prompt("> ", lambda: "等")
    draft(target, 3, "小明")
    target.commit("m1", "你好，小明。")
    assert out.getvalue() == "你好，\n\r\x1b[J小明。\n> 等"


def test_the_rest_follows_a_prompt_that_was_answered() -> None:
    """Pieces that came meanwhile are no longer there to be shown one by one."""
    target, out = screen()
    draft(target, 0, "你好，")
    target.open_prompt("> ", str)
    draft(target, 3, "小明")
    target.close_prompt()
    draft(target, 5, "。")
    target.commit("m1", "你好，小明。")
    assert out.getvalue() == "你好，\n小明。\n"


def test_a_draft_that_a_prompt_cut_is_said_to_be_withdrawn() -> None:
    """It stands above what was typed and cannot be erased."""
    target, out = screen()
    draft(target, 0, "你好，")
    target.open_prompt("> ", str)
    target.void(1)
    assert "withdrawn" in out.getvalue()


UP = "\r\x1b[1A\x1b[J"
"""Goes up one row, and clears from there."""


def test_a_pending_line_changes_where_it_stands() -> None:
    """It is written over, and taken away in the end."""
    target, out = screen()
    target.pending("m1", "在查…")
    target.pending("m1", "在查… (核对)")
    target.settle("m1")
    target.settle("m1")
    assert out.getvalue() == f"在查…\n{UP}在查… (核对)\n{UP}"


def test_a_pending_line_stands_above_the_prompt() -> None:
    """It changes while somebody types; once they have answered, it goes on below."""
    target, out = screen()
    target.pending("m1", "一")
    target.open_prompt("> ", lambda: "写")
    out.truncate(0)
    out.seek(0)
    target.pending("m1", "二")
    target.line("note")
    assert out.getvalue() == f"{UP}二\n> 写{UP}note\n二\n> 写"
    target.close_prompt()
    target.pending("m1", "三")
    assert out.getvalue().endswith("> 写三\n")


def test_a_draft_hides_pending_lines_until_it_has_ended() -> None:
    """They stand below what was said."""
    target, out = screen()
    target.pending("m1", "在查…")
    draft(target, 0, "你好", message="m2")
    target.pending("m1", "在查… (核对)")
    target.commit("m2", "你好")
    assert out.getvalue() == f"在查…\n{UP}你好\n在查… (核对)\n"


def test_a_draft_becomes_the_pending_line() -> None:
    """A placeholder that was streamed is written once."""
    target, out = screen()
    draft(target, 0, "在查")
    target.line("note")
    target.pending("m1", "在查…")
    assert out.getvalue() == "在查\r\x1b[J在查…\n" + f"{UP}note\n在查…\n"


def test_without_a_terminal_a_pending_line_is_written_once() -> None:
    """A file cannot take back what it holds."""
    target, out = screen(live=False)
    target.pending("m1", "在查…")
    target.pending("m1", "在查… (核对)")
    target.settle("m1")
    assert out.getvalue() == "在查…\n"
