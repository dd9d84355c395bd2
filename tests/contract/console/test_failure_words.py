"""The console's words for failed models are those of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.domain.failure_sentences import SENTENCES

WORDS = Path(__file__).parents[3] / "gateway_service/console/static/app/lib"


@pytest.mark.parametrize(("language", "file"), [("en", "words_en.js"), ("zh-CN", "words_zh.js")])
def test_the_console_says_what_the_command_says(language: str, file: str) -> None:
    """For every cause the page has what happened and the remedy of the one table."""
    page = (WORDS / file).read_text(encoding="utf-8").replace("\\'", "'")
    lines = dict(line.split("':\n    '", 1) for line in page.split("  'cause.")[1:])
    for cause, sentences in SENTENCES.items():
        what, remedy = sentences[language]
        told = lines[cause.value]
        assert told.startswith(what)
        assert remedy in told
