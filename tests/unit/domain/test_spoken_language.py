"""Which language a text is in, and which one a session follows."""

from __future__ import annotations

import pytest

from heartrule.domain.spoken_language import language_followed, language_spoken

ENGLISH, OTHER = "I have been tense for weeks", "mostly at work, in meetings"
CHINESE = "我最近一直很紧张"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (CHINESE, "zh"),
        ("我的 deadline 太多了，很 down", "zh"),
        ("I feel 很累 today", ""),
        ("the last one 完全不会", ""),
        ("I'm not sure", "en"),
        ("Ｉ　ａｍ　ｓａｄ", "en"),
        ("Tom Smith", ""),
        ("https://example.com/how/to/sleep", ""),
        ("看这个www.example.com/how/to/sleep，说得对", "zh"),
        ("tom.smith@mail.example.com", ""),
        ("ok", ""),
        ("你好", ""),
        ("7", ""),
        ("", ""),
    ],
)
def test_a_text_has_the_language_of_most_of_its_words(text: str, language: str) -> None:
    """A few words, a name and a mixture have none; a word of the other one changes nothing."""
    assert language_spoken(text) == language


@pytest.mark.parametrize(
    ("said", "now", "language"),
    [
        ((), "", ""),
        (("ok", "Tom"), "", ""),
        ((ENGLISH,), "", "en"),
        (("你好", "ok", ENGLISH), "", "en"),
        ((CHINESE, ENGLISH), "zh", "zh"),
        ((CHINESE, ENGLISH, OTHER), "zh", "en"),
        ((ENGLISH, "ok", OTHER), "zh", "en"),
        ((ENGLISH, CHINESE, ENGLISH), "zh", "zh"),
        ((CHINESE, CHINESE), "en", "zh"),
        ((ENGLISH, OTHER), "en", "en"),
    ],
)
def test_a_session_follows_who_goes_on(said: tuple[str, ...], now: str, language: str) -> None:
    """The first words decide; afterwards two messages in a row, with no other between them."""
    assert language_followed(said, now) == language


def test_a_long_text_is_read_in_part() -> None:
    """The beginning of a text of a megabyte is enough."""
    assert language_spoken(ENGLISH + "。" * 2_000 + CHINESE * 50_000) == "en"
