"""Flags, progress and copied skeletons."""

from __future__ import annotations

import pytest

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.field_reader import read_progress
from heartrule.model.reply.flags import read_exit, read_flag
from heartrule.model.reply.prose import Skeleton, is_repeated


@pytest.mark.parametrize(
    "value", ["YES", "yes", " Yes ", "TRUE", "true", "1", "Y", "是", "退出", "ＹＥＳ", True, 1]
)
def test_exit_words(value: JsonValue) -> None:
    """Whole words for yes ask to leave (RESOLUTIONS C5)."""
    assert read_exit(value) is True


@pytest.mark.parametrize("value", ["NO", "no", "False", "0", "N", "否", False, 0, 0.0])
def test_stay_words(value: JsonValue) -> None:
    """Whole words for no mean stay."""
    assert read_exit(value) is False


@pytest.mark.parametrize(
    "value",
    ["YES或NO，表示是否满足退出条件", "YES NO", "yeah", "NOT", "", "2", 2, 0.5, None, [], {"a": 1}],
)
def test_unclear_exit(value: JsonValue) -> None:
    """Nothing is read by prefix; all else is unclear."""
    assert read_exit(value) is None


def test_leaving_is_no_flag() -> None:
    """退出 means yes for EXIT only."""
    assert read_flag("退出") is None


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("continue_needed", "continue_needed"),
        ("Continue Needed", "continue_needed"),
        ("continue-needed", "continue_needed"),
        ("ｃｏｎｔｉｎｕｅ", "continue_needed"),
        ("继续_needed", "continue_needed"),
        ("需要继续", "continue_needed"),
        ("已完成", "completed"),
        (" COMPLETED ", "completed"),
        ("抗拒", "blocked"),
        ("off-topic", "off_topic"),
        ("跑题", "off_topic"),
    ],
)
def test_progress(value: str, kind: str) -> None:
    """Whole values and their synonyms are known (RESOLUTIONS C16)."""
    assert read_progress(value) is ProgressSuggestion(kind)


@pytest.mark.parametrize(
    "value",
    [
        "continue_needed | completed | blocked | off_topic",
        "需要进一步询问",
        "not completed",
        "",
        None,
        True,
        ["completed"],
    ],
)
def test_unknown_progress(value: JsonValue) -> None:
    """A copied list and a sentence name nothing."""
    assert read_progress(value) is None


@pytest.mark.parametrize(
    ("value", "copied"),
    [
        ("对回答的简要总结", True),
        ("「对回答的 简要总结」", True),
        ("对回答的总结", False),
        ("", False),
        (3, False),
    ],
)
def test_copied_skeleton(value: JsonValue, copied: bool) -> None:  # noqa: FBT001 - a table column
    """A text that equals or contains the description is a copy (RESOLUTIONS C36)."""
    skeleton = Skeleton({"BRIEF": "对回答的简要总结", "empty": ""})
    assert skeleton.copied("BRIEF", value) is copied
    assert not skeleton.copied("empty", value)
    assert not skeleton.copied("other", value)


@pytest.mark.parametrize(
    ("content", "repeated"),
    [("你好吗？", True), ("你好吗 ?", True), ("你好", False), ("", False), ("？", False)],
)
def test_repeated_content(content: str, repeated: bool) -> None:  # noqa: FBT001 - a table column
    """Spaces and punctuation make no difference (RESOLUTIONS C37)."""
    assert is_repeated(content, ["早。", "你好吗？", "…"]) is repeated
