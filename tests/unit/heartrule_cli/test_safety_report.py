"""`heartrule safety report` prints counts and nothing else."""

from __future__ import annotations

from heartrule.domain.safety import SafetyCount, SafetyLevel, SafetySource
from heartrule.words.language import ReaderLanguage
from heartrule_cli.commands.safety_report import table

COUNT = SafetyCount(
    month="2026-11",
    level=SafetyLevel.CRISIS,
    source=SafetySource.RULE,
    language="zh",
    count=12,
    refused=1,
)


def test_a_report_is_a_table() -> None:
    """A line for each month, level, source and language, below the names of the columns."""
    assert list(table([COUNT])) == [
        "month    level   source  language  count  refused",
        "2026-11  crisis  rule    zh        12     1",
    ]


def test_a_report_has_the_words_of_its_reader() -> None:
    """The console's words for levels and sources; a language is its tag."""
    assert [line.split() for line in table([COUNT], ReaderLanguage.CHINESE)] == [
        ["月份", "级别", "来源", "语言", "次数", "其中被拒绝"],
        ["2026-11", "危机", "规则", "zh", "12", "1"],
    ]


def test_a_report_of_nothing_says_so() -> None:
    """No table without rows."""
    assert list(table([])) == ["no hits"]
