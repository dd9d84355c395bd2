"""The one form of text the crisis rules look at."""

from __future__ import annotations

import pytest

from heartrule.safety.normal_text import normal_text


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
        ("没有 想死", "没有,想死"),
        ("我 想 自 杀", "我想自杀"),
        ("想*死", "想死"),
        ("殺", "杀"),
        ("ѕuісіdе", "suicide"),
        ("привет", "привет"),
        ("dieeee", "diee"),
    ],
)
def test_normal_form(raw: str, text: str) -> None:
    """Width, case, apostrophes and hiding marks go; sentence marks and line breaks stay."""
    assert normal_text(raw) == text


@pytest.mark.parametrize(
    "plain", ["想死", "憂鬱症患者", "want to die", "soooo tired", "don't", "i w a n t"]
)
def test_a_plain_text_takes_no_shorter_way_to_another_form(plain: str) -> None:
    """A plain text has the form that all steps give; an invisible mark asks for these."""
    assert normal_text(plain) == normal_text(f"{plain}\u200b")
