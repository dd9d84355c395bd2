"""The one form of text the crisis rules look at."""

from __future__ import annotations

import pytest

from executor_service.safety.normal_text import normal_text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("ＫＩＬＬ", "kill"),
        ("I’m", "i'm"),
        ("自 - 杀", "自杀"),
        ("自。杀", "自。杀"),
        ("自，杀", "自,杀"),
        ("自\u200b杀", "自杀"),
        ("a  b\tc", "a b c"),
        ("self-harm", "self harm"),
        ("s u i c i d e", "suicide"),
        ("自\r\n杀", "自\n杀"),
        ("我 am", "我 am"),
    ],
)
def test_normal_form(raw: str, text: str) -> None:
    """Width, case, apostrophes and hiding marks go; sentence marks and line breaks stay."""
    assert normal_text(raw).text == text


def test_gaps_are_remembered() -> None:
    """Where a mark was dropped is known, so that two clauses are not read as one."""
    assert normal_text("没有 想*死").gaps == {2, 3}
