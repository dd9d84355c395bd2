"""The page about rehearsals tells what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from heartrule_cli.rehearsal.shapes import (
    ANSWER,
    CONVERSATION,
    EXPECT,
    MATCH,
    MONITOR_ANSWER,
    RECORDS,
    TURN,
)
from tests.support.documents import page

PAGE = page("docs/how-to/rehearse-a-script.md")
TALK, NAME = re.findall(r"^```yaml\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
SCREENS = re.findall(r"^```console\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
EXAMPLES = Path(__file__).parents[4] / "_system" / "examples"


@pytest.fixture
def told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> object:
    """Play a conversation of this name and text, and return the lines that are printed."""
    monkeypatch.chdir(tmp_path)

    def play(name: str, text: str) -> list[str]:
        Path(name).write_text(text, encoding="utf-8")
        main(["rehearse", "greeting", "--with", name])
        printed = capsys.readouterr()
        return (printed.out + printed.err).splitlines()

    return play


@pytest.mark.parametrize(
    ("screen", "name", "text"),
    [
        (0, "talk.yaml", TALK),
        (1, "name.yaml", NAME),
        (2, "name.yaml", NAME.replace("variables: {称呼: 小明}\n", "variables: {称呼: 小红}\n")),
        (3, "name.yaml", NAME.replace("current_round", "round").replace("prompt:", "promt:")),
    ],
)
def test_a_screen_of_the_page_is_what_is_printed(
    screen: int, name: str, text: str, told: object
) -> None:
    """Lines may be left out, in order; none is made up."""
    assert callable(told)
    lines = iter(told(name, text))
    typed, *shown = SCREENS[screen].splitlines()
    assert typed == f"$ heartrule rehearse greeting --with {name}"
    assert [line for line in shown if line not in lines] == []


@pytest.mark.parametrize(
    "shape",
    [
        *(CONVERSATION, TURN, ANSWER, MONITOR_ANSWER, MATCH, EXPECT),
        *(RECORDS["judged"], RECORDS["asked"]),
    ],
    ids=lambda shape: str(shape.what),
)
def test_the_page_names_every_key(shape: object) -> None:
    """A key nobody reads about is a key nobody uses."""
    keys = getattr(shape, "keys", ())
    assert keys
    assert [key for key in keys if not re.search(rf"[`{{ ]{key}[`:,]", PAGE.text)] == []


def test_the_page_lists_the_examples() -> None:
    """All that ship, and no other."""
    named = set(re.findall(r"^\|[^|]*\| `(\w+/\w+)` \|", PAGE.text, re.MULTILINE))
    there = {
        f"{path.parent.name}/{path.name.removesuffix('.conversation.yaml')}"
        for path in EXAMPLES.glob("*/*.conversation.yaml")
    }
    assert named == there
