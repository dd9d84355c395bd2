"""Pages in Chinese say what the English ones say: the same examples, keys and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from tests.support.documents import DOCS, Page, page
from tests.support.source_tree import ROOT

CHINESE = sorted((DOCS / "zh").glob("*.md"))
PAIRS = [
    ("docs/zh/script-language.md", "docs/reference/script-language.md"),
    ("docs/zh/rehearse.md", "docs/how-to/rehearse-a-script.md"),
]
_BLOCK = re.compile(r"^ *```(yaml\S*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\s*#.*")
OTHER_WORDS = ("督导", "会谈", "议题", "退出标准", "提示语", "咨客")


def examples(one: Page) -> list[tuple[str, str]]:
    """Return the YAML of a page without its comments."""
    return [(match[1], _COMMENT.sub("", match[2])) for match in _BLOCK.finditer(one.text)]


def first_cells(one: Page) -> list[str]:
    """Return what stands in code in the first cell of each row of each table, in order."""
    rows = (line for line in one.prose.splitlines() if line.startswith("| `"))
    return [
        name for row in rows for name in re.findall(r"`([^`]+)`", row.strip("|").split(" | ")[0])
    ]


@pytest.mark.parametrize(("chinese", "english"), PAIRS)
def test_the_examples_are_those_of_the_english_page(chinese: str, english: str) -> None:
    """Which are checked, and so are these."""
    assert examples(page(chinese)) == examples(page(english))


def test_the_script_page_names_every_key_of_the_english_one() -> None:
    """What may be written is in the first column of a table."""
    chinese, english = (set(first_cells(page(name))) for name in PAIRS[0])
    assert (english - chinese, chinese - english) == (set(), set())


def test_the_form_of_the_page_about_forms_loads_clean() -> None:
    """What a reader copies works."""
    (script,) = [text for kind, text in examples(page("docs/zh/forms.md")) if kind == "yaml"]
    found = load_script({"s.yaml": script.encode()}, environment=trusting()).findings
    assert [each.message for each in found] == []


def test_figures_and_variables_are_those_of_the_english_pages() -> None:
    """A figure or a setting that is renamed is renamed here, too."""
    figures = first_cells(page("docs/zh/measure.md"))
    settings = [name for name in first_cells(page("docs/zh/settings.md")) if name.isupper()]
    measured, set_by = (
        page(name).text
        for name in ("docs/how-to/measure-the-second-mind.md", "docs/reference/settings.md")
    )
    own = {"LC_ALL", "LC_MESSAGES", "LANG"}
    assert [name for name in figures if f"`{name}`" not in measured] == []
    assert [name for name in settings if f"`{name}`" not in set_by and name not in own] == []


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.stem)
def test_a_term_has_one_chinese_word(path: Path) -> None:
    """That of the glossary; others for the same thing stand nowhere."""
    text = path.read_text("utf-8")
    assert [word for word in OTHER_WORDS if word in text] == []


def test_an_editors_help_has_the_same_words() -> None:
    """What the catalogues and an editor say to an author agrees with the pages."""
    catalogues = sorted((ROOT / "heartrule/words/zh_CN").rglob("*.po"))
    files = [ROOT / "executor_service/scripts/model/help.yaml", *catalogues]
    texts = "".join(path.read_text("utf-8") for path in files)
    assert [word for word in OTHER_WORDS if word in texts] == []
