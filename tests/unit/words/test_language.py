"""Which language a person asks for."""

from __future__ import annotations

import pytest

from heartrule.words.language import ReaderLanguage, language_asked, language_in, language_of


@pytest.mark.parametrize(
    ("named", "language"),
    [
        ("", ReaderLanguage.ENGLISH),
        ("zh-CN", ReaderLanguage.CHINESE),
        ("zh", ReaderLanguage.CHINESE),
        ("zh_CN.UTF-8", ReaderLanguage.CHINESE),
        ("zh-Hans;q=0.9, en;q=0.8", ReaderLanguage.CHINESE),
        ("en;q=0.5, zh;q=0.9", ReaderLanguage.CHINESE),
        ("fr, zh;q=0.1", ReaderLanguage.CHINESE),
        ("fr-FR", ReaderLanguage.ENGLISH),
        ("C.UTF-8", ReaderLanguage.ENGLISH),
        ("zh;q=0", ReaderLanguage.ENGLISH),
        ("zh;q=much", ReaderLanguage.ENGLISH),
    ],
)
def test_the_best_of_our_languages_is_taken(named: str, language: ReaderLanguage) -> None:
    """By its weight; English where none of ours is named."""
    assert language_of(named) is language


def test_a_terminal_has_the_language_of_its_environment_unless_one_is_chosen() -> None:
    """LC_ALL stands before LANG, as everywhere."""
    environ = {"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.UTF-8"}
    assert language_in(environ) is ReaderLanguage.CHINESE
    assert language_in(environ, "en") is ReaderLanguage.ENGLISH
    assert language_in({}) is ReaderLanguage.ENGLISH


def test_a_call_asks_in_its_metadata() -> None:
    """The key is that of HTTP's header; a call without it is answered in English."""
    assert language_asked((("accept-language", "zh-CN"),)) is ReaderLanguage.CHINESE
    assert language_asked((("traceparent", "zh"),)) is ReaderLanguage.ENGLISH
    assert language_asked(None) is ReaderLanguage.ENGLISH
