"""What the READMEs and the tutorials tell people to type, and what they say comes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main, parser
from tests.support.documents import page

READMES = ("README.md", "README.zh-CN.md")
TUTORIALS = ("docs/tutorial.md", "docs/tutorial.zh-CN.md")
COMMAND = re.compile(r"(?:^|[\s$|`])(?:\.venv/bin/)?heartrule ([^`#|]*)")
BREAKS = {"max_rounds: 2": "max_round: 2", '"{称呼}，谢谢': '"{名字}，谢谢'}


def typed(name: str) -> list[list[str]]:
    """Return the arguments of every `heartrule …` that stands in code."""
    lines = (line for line in page(name).code() if "heartrule " in line)
    found = (match[1].split() for line in lines for match in COMMAND.finditer(line))
    return [words for words in found if words]


def script_of(name: str) -> str:
    """Return the tutorial's script."""
    (script,) = re.findall(r"^```yaml\n(.*?)^```$", page(name).text, re.DOTALL | re.MULTILINE)
    return str(script)


@pytest.mark.parametrize("name", [*READMES, *TUTORIALS])
def test_every_command_can_be_typed(name: str) -> None:
    """A page that is behind the command line fails here, not at its reader's."""
    commands = typed(name)
    assert commands
    for words in commands:
        parser().parse_args(words)


def test_both_readmes_tell_the_same() -> None:
    """The same commands in the same order, the same length within a few lines."""
    assert typed(READMES[0]) == typed(READMES[1])
    lengths = [len(page(name).text.splitlines()) for name in READMES]
    assert all(80 <= length <= 150 for length in lengths)


def test_both_tutorials_tell_the_same() -> None:
    """One script, whose comments alone differ, and the same commands."""
    bare = [re.sub(r" +#.*", "", script_of(name)) for name in TUTORIALS]
    assert bare[0] == bare[1]
    assert typed(TUTORIALS[0]) == typed(TUTORIALS[1])


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_tutorials_script_and_its_mistakes_are_as_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is fine as it stands, and each change gives the very lines that are printed there."""
    monkeypatch.chdir(tmp_path)
    script = script_of(name)
    for text in (script, *(script.replace(*change) for change in BREAKS.items())):
        Path("sleep.yaml").write_text(text, encoding="utf-8")
        main(["check", "sleep.yaml"])
        told = capsys.readouterr()
        said = set((told.out + told.err).splitlines())
        assert said - set(page(name).text.splitlines()) == set()


@pytest.mark.parametrize("name", READMES)
def test_a_readme_says_that_this_is_no_emergency_service(name: str) -> None:
    """With the numbers to call, before anything else is explained."""
    top = "\n".join(page(name).text.splitlines()[:20])
    assert ("12356" in top, "988" in top) == (True, True)
