"""Decisions and the glossary keep their form."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.support.documents import DOCS, Page, page
from tests.support.source_tree import ROOT

DECISIONS = [page(str(p.relative_to(ROOT))) for p in sorted((DOCS / "adr").glob("*.md"))]
GLOSSARY = page("docs/glossary.md")
SECTIONS = ("Context", "Decision", "Consequences")
LONGEST_DECISION = 40


def test_decisions_are_numbered_without_a_gap() -> None:
    """The number in a file's name is its place, and its heading says the same."""
    names = [int(one.path.name[:4]) for one in DECISIONS]
    headings = [int(one.headings()[0].partition(".")[0]) for one in DECISIONS]
    assert list(range(1, len(DECISIONS) + 1)) == names == headings


@pytest.mark.parametrize("one", DECISIONS, ids=lambda one: one.path.stem)
def test_a_decision_says_why_what_and_then(one: Page) -> None:
    """Context, decision, consequences, a status with its day, on half a page."""
    assert one.headings()[1:] == SECTIONS
    assert re.search(r"^Status: \w+, \d{4}-\d\d-\d\d$", one.text, re.MULTILINE)
    assert len(one.text.splitlines()) <= LONGEST_DECISION


def test_a_word_of_the_glossary_stands_once() -> None:
    """One word per idea begins with one line per word, with its Chinese and its meaning."""
    rows = [row for heading in GLOSSARY.headings()[1:] for row in GLOSSARY.table(heading)]
    words = Counter(row[0] for row in rows)
    assert [word for word, count in words.items() if count > 1] == []
    assert [row[0] for row in rows if not all(row) or len(row) < 3] == []
