"""docs/how-to/write-an-agent.md holds as it is printed: from an empty folder to a run."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.documents import page

PAGE = page("docs/how-to/write-an-agent.md")
WRITTEN, _, PROGRAMMED = PAGE.text.partition("\n## In Python\n")
BLOCK = re.compile(r"^```(?:yaml|markdown|toml|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`([\w./]+\.(?:yaml|md|py|toml))`")
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder as the current one, in which packages are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HEARTRULE_MODEL", "HEARTRULE_PROVIDERS"):
        monkeypatch.delenv(name, raising=False)
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    for name in [each for each in sys.modules if each.split(".")[0] == "greeting"]:
        del sys.modules[name]


def write(folder: Path, part: str) -> list[str]:
    """Write the files of a part of the page, each named last before its block; return the names."""
    names = []
    for block in BLOCK.finditer(part):
        names.append(NAME.findall(part[: block.start()])[-1])
        path = folder / names[-1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block[1], "utf-8")
    return names


def commands(part: str) -> list[list[str]]:
    """Return the page's lines of `heartrule`, without its name."""
    lines = "".join(SHELL.findall(part)).splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("heartrule ")]


def told(part: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what the part's commands print; each of them succeeds."""
    printed = []
    for line in commands(part):
        assert main(line) == 0, capsys.readouterr().err
        printed.append(capsys.readouterr().out)
    return "".join(printed)


def test_the_agent_in_yaml_runs_as_it_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its files are those of the page, and what is shown is what is told."""
    assert write(folder, WRITTEN) == [
        "agents/title_finder/agent.yaml",
        "agents/title_finder/prompt/propose_system_prompt.md",
        "titles.yaml",
    ]
    assert SHOWN.findall(WRITTEN)[0] in told(WRITTEN, capsys)


def test_the_agent_in_python_runs_as_it_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Likewise, from a package that is not installed."""
    assert len(write(folder, PROGRAMMED)) == 5
    assert SHOWN.findall(PROGRAMMED)[0] in told(PROGRAMMED, capsys)
