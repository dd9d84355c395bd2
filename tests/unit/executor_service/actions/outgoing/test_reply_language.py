"""Which language a reply is written in: by its script, its stop words, without what is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from executor_service.actions.outgoing.reply_language import DOUBTFUL, own_words, written_in

_NAME = re.compile(r"[a-z0-9_./-]+")
ROOT = Path(__file__).parents[5]
GERMAN = "Wie haben Sie in letzter Zeit geschlafen? Erzählen Sie mir bitte davon."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("你最近睡得怎么样？", "zh"),
        ("How have you been sleeping lately?", "en"),
        ("最近はよく眠れていますか？", "ja"),
        ("요즘 잠은 잘 주무시고 계신가요?", "ko"),
        ("你做的 mindfulness 练习，感觉怎么样？", "zh"),
        (GERMAN, DOUBTFUL),
    ],
)
def test_script_and_stop_words_tell_the_language(text: str, language: str) -> None:
    """Chinese, Japanese and Korean by their letters, English by its stop words."""
    assert written_in(text) == language


@pytest.mark.parametrize(
    "text",
    [
        *("OK", "ok。", "120", "小明", "好的", "Yes.", "7-8 小时", "PHQ-9: 12", "2026-11-28"),
        *("José María García López", "Sertraline 50 mg", "Nice!", "嗯，well"),
    ],
)
def test_a_short_reply_has_no_language(text: str) -> None:
    """A name, a number, a word of agreement: nothing may be said against them."""
    assert written_in(own_words(text)) == ""


def test_a_letter_that_the_client_wrote_stays_in_the_reply() -> None:
    """A short line of others is no quotation wherever its letters stand."""
    text = "What would help you this week, and what is it that you need?"
    assert own_words(text, ["a", "I", "e"]) == text


@pytest.mark.parametrize(
    "text",
    [
        "你说「I just want to be left alone for a while」，我听到了。",
        '你说 "I just want to be left alone for a while"，我听到了。',
        "你刚才写的 I just want to be left alone for a while 我听到了。",
        "```\nfor each of the things that you and I want: do it\n```\n请你运行它看看。",
        "https://example.org/what?is=the&one=that+you+have+to+be 请你看看这个。",
    ],
)
def test_what_is_quoted_does_not_count(text: str) -> None:
    """The client's words, with marks and without, code and addresses leave the reply's own."""
    own = own_words(text, ["I just want to be left alone for a while"])
    assert written_in(own) in {"zh", ""}


def texts(pattern: str) -> Iterator[str]:
    """Yield every text in the YAML files of the repository that a pattern finds."""
    for path in sorted(ROOT.glob(pattern)):
        yield from _strings(yaml.safe_load(path.read_text(encoding="utf-8")))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from () if _NAME.fullmatch(value) else (value,)
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


@pytest.mark.parametrize(
    ("pattern", "language"),
    [
        ("_system/recorded_states/*_zh.yaml", "zh"),
        ("_system/recorded_states/*_en.yaml", "en"),
        ("_system/scripts/*.yaml", "zh"),
        ("_system/skills/*.yaml", "zh"),
    ],
)
def test_no_text_of_the_repository_is_taken_for_another_language(
    pattern: str, language: str
) -> None:
    """Scripts, skills and recorded talks: each text has its file's language, or none."""
    found = {text: written_in(own_words(text)) for text in texts(pattern)}
    assert len(found) > 10
    assert [text for text, one in found.items() if one not in {language, "", DOUBTFUL}] == []
