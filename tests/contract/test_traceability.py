"""docs/reference/traceability.md against the tests, scenes and pages it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
import yaml

from tests.support.source_tree import ROOT, Function

PAGE = ROOT / "docs" / "reference" / "traceability.md"
SCENES = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))
LISTS = {"A": 4, "B": 10, "S": 4, "D": 11, "O": 6, "M": 7, "T": 15, "W": 10}
"""How many lines each acceptance list of document 000 has."""
LISTS_OF_001 = {"V": 7, "X": 7, "S": 9, "E": 4}
"""The same of document 001: sections 6.1 to 6.3, and the scenes of 2.2.2."""
RULES_OF_002 = {
    "2.1": 3,
    "2.2": 6,
    "2.3": 6,
    "2.4": 4,
    "2.5": 3,
    "2.6": 3,
    "2.7": 4,
    "2.8": 5,
    "2.9": 4,
    "2.10": 4,
    "3.1": 3,
    "3.2": 3,
    "3.3": 4,
    "4.1": 1,
    "4.2": 4,
    "5": 1,
    "6.1": 2,
    "6.2": 2,
    "7": 2,
    "8": 4,
}
"""How many rules each scenario of document 002 has, and each later part."""
RULES_OF_003 = {
    "1": 5,
    "2.1": 1,
    "2.2": 3,
    "3.1": 3,
    "3.2": 1,
    "4.1": 2,
    "4.2": 1,
    "5.1": 1,
    "5.2": 3,
    "6.1": 2,
    "6.2": 3,
    "6.3": 1,
    "7.1": 4,
    "7.2": 1,
    "8": 2,
    "9.1": 2,
    "9.2": 2,
    "10.1": 1,
    "11.1": 6,
    "11.2": 6,
    "11.3": 1,
    "T": 20,
}
"""How many lines each section of document 003 has, and the resolutions about threads."""
LAST_RESOLUTION = 37
TEST = re.compile(r"`(tests/[\w/.-]+\.py)::(\w+)`")
SCENE = re.compile(r"`(tests/scenarios/[\w.-]+\.yaml)`")
HEADING = re.compile(r"page `(docs/[\w/.-]+\.md)#([^`]+)`")
SUPERSEDED = re.compile(r"superseded by ((?:C\d+)(?: and C\d+)*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the page."""

    id: str
    text: str
    shown_by: str

    def scenes(self) -> list[str]:
        """Return the scenes it names."""
        return SCENE.findall(self.shown_by)


@cache
def lines() -> tuple[Line, ...]:
    """Return every row of every table."""
    rows = re.findall(
        r"^\| (\S+) \| (.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return tuple(Line(*row) for row in rows if row[0] not in {"id", "---"})


@cache
def functions(path: str) -> frozenset[str]:
    """Return the functions a file defines; none where there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, Function))


def missing(line: Line) -> Iterator[str]:
    """Yield what a line names and the repository does not have."""
    for path, name in TEST.findall(line.shown_by):
        if name not in functions(path):
            yield f"{path}::{name}"
    yield from (scene for scene in line.scenes() if not (ROOT / scene).is_file())
    for path, heading in HEADING.findall(line.shown_by):
        page = ROOT / path
        headings = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
        if not any(re.fullmatch(rf"#+ {re.escape(heading)}", text) for text in headings):
            yield f"{path}#{heading}"


def test_everything_named_exists() -> None:
    """Tests, scenes and headings that a line names are in the repository."""
    assert [f"{line.id}: {name}" for line in lines() for name in missing(line)] == []


@pytest.mark.parametrize(
    "shown_by",
    [
        "`tests/contract/test_traceability.py::test_nothing_of_this_name`",
        "`tests/contract/no_such_file.py::test_x`",
        "`tests/scenarios/no-such-scene.yaml`",
        "page `docs/reference/traceability.md#No such heading`",
    ],
)
def test_a_name_that_leads_nowhere_is_noticed(shown_by: str) -> None:
    """The check itself can fail."""
    assert list(missing(Line("x", "x", shown_by)))


def test_every_line_is_shown_or_superseded() -> None:
    """No line stands there without an answer."""
    answers = (TEST, SCENE, HEADING, SUPERSEDED)
    open_ = [line.id for line in lines() if not any(each.search(line.shown_by) for each in answers)]
    assert open_ == []


def test_what_supersedes_is_a_resolution() -> None:
    """A superseded line names its resolution by number."""
    named = [name for line in lines() for name in SUPERSEDED.findall(line.shown_by)]
    numbers = [int(number) for name in named for number in re.findall(r"\d+", name)]
    assert numbers
    assert all(1 <= number <= LAST_RESOLUTION for number in numbers)
    assert sum("superseded" in line.shown_by for line in lines()) == len(named)


@pytest.mark.parametrize("letter", LISTS)
def test_no_line_of_a_list_is_left_out(letter: str) -> None:
    """Each acceptance list of document 000 is here from its first line to its last."""
    found = [line.id for line in lines() if line.id.startswith(f"000-{letter}-")]
    assert found == [f"000-{letter}-{number:02}" for number in range(1, LISTS[letter] + 1)]


@pytest.mark.parametrize("letter", LISTS_OF_001)
def test_no_line_of_document_001_is_left_out(letter: str) -> None:
    """Its acceptance lists are here from their first line to their last."""
    found = [line.id for line in lines() if line.id.startswith(f"001-{letter}-")]
    assert found == [f"001-{letter}-{n:02}" for n in range(1, LISTS_OF_001[letter] + 1)]


@pytest.mark.parametrize("part", RULES_OF_002)
def test_no_rule_of_document_002_is_left_out(part: str) -> None:
    """Each scenario has its payload as line 00, and its rules of validation behind it."""
    found = [line.id for line in lines() if line.id.startswith(f"002-{part}-")]
    first = 0 if part.startswith("2.") else 1
    assert found == [f"002-{part}-{n:02}" for n in range(first, RULES_OF_002[part] + 1)]


@pytest.mark.parametrize("part", RULES_OF_003)
def test_no_rule_of_document_003_is_left_out(part: str) -> None:
    """Each section has its lines from the first to the last."""
    found = [line.id for line in lines() if line.id.startswith(f"003-{part}-")]
    assert found == [f"003-{part}-{n:02}" for n in range(1, RULES_OF_003[part] + 1)]


def test_ids_are_unique() -> None:
    """One id is one line."""
    ids = [line.id for line in lines()]
    assert len(ids) == len(set(ids))


def test_scenes_and_lines_name_each_other() -> None:
    """What a scene says it shows is what the page says of it."""
    by_page = {(scene, line.id) for line in lines() for scene in line.scenes()}
    by_scene = {
        (path.relative_to(ROOT).as_posix(), shown)
        for path in SCENES
        for shown in yaml.safe_load(path.read_text(encoding="utf-8"))["shows"]
    }
    assert by_page == by_scene


def test_the_question_template_tells_the_two_kinds_of_variables_apart() -> None:
    """What the client said and what the model observed have each a part of the guidance."""
    text = (ROOT / "_system" / "config" / "default" / "ai_ask_v1.md").read_text(encoding="utf-8")
    headings = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert any("用户变量" in heading and "系统变量" in heading for heading in headings)
    assert "评估指引" in headings
