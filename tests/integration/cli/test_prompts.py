"""`heartrule prompts`, as whoever changes a template types it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule_cli.__main__ import main
from tests.support.require import require_tool

TEMPLATE = "config/default/ai_ask_v1.md"
ADDED = "多加的一句。"
SCRIPT = """
session:
  session_id: short
  phases:
    - phase_id: p
      topics:
        - topic_id: t
          actions:
            - {action_type: ai_ask, action_id: name, content: 怎么称呼, output: [{get: 称呼}]}
"""
CONVERSATION = """
model:
  - 怎么称呼你？
  - {content: 好的。, EXIT: YES, variables: {称呼: 小明}}
turns: [{}, {client: 叫我小明}]
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the system files, in use; beside it, in the current folder, a short script."""
    folder = tmp_path / "mine"
    shutil.copytree(system_dir(), folder)
    monkeypatch.setenv("HEARTRULE_SYSTEM_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    Path("s.yaml").write_text(SCRIPT, encoding="utf-8")
    Path("c.yaml").write_text(CONVERSATION, encoding="utf-8")
    return folder


def edit(path: Path, section: str) -> None:
    """Begin a section of a template with one sentence more."""
    head = f"<!-- section: {section} -->\n"
    before, found, after = path.read_text(encoding="utf-8").partition(head)
    assert found
    path.write_text(f"{before}{head}{ADDED}\n{after}", encoding="utf-8")


def commit(folder: Path) -> None:
    """Put a folder under git as it is."""
    for words in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "all"],
    ):
        subprocess.run([require_tool("git"), "-C", str(folder), *words], check=True)


def diff(*words: str) -> int:
    """Compare the prompts of the short script."""
    return main(["prompts", "diff", "s.yaml", "--with", "c.yaml", *words])


def test_the_recorded_states_are_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Both languages, with tokens; a system text stands once, and messages in their order."""
    assert main(["prompts", "show", "--template", "ai_ask"]) == 0
    told = capsys.readouterr().out
    assert "sleep_zh · turn 4 · ai_ask, round 2 of 3 (default)" in told
    assert "sleep_en · turn 4 · ai_ask, round 2 of 3 (default/en)" in told
    assert (
        len(re.findall(r"^    [\d,]+ tokens: system [\d,]+, task \d+, data", told, re.MULTILINE))
        == 10
    )
    assert len(re.findall(r"^\[system\]$", told, re.MULTILINE)) == 2
    assert "ai_say" not in told


def test_an_edit_is_compared_with_the_last_commit(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the prompts gained is marked, once where several share it; tokens are told, exit 1."""
    commit(mine)
    edit(mine / TEMPLATE, "system")
    assert diff() == 1
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if ADDED in line] == [f"+{ADDED}"]
    assert "    system: as in ai_ask, opening, turn 1" in told
    assert re.search(r"tokens: system [\d,]+ → [\d,]+, task \d+, data \d+, earlier \d+", told)
    last = told.splitlines()[-1]
    assert re.fullmatch(r"against HEAD: 2 prompts differ of 2; tokens .* \(\+\d+, \+.* %\)", last)


def test_nothing_differs_from_a_folder_with_the_same_prompts(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder of system files and that of its templates both do; the code is 0."""
    assert diff("--against", str(mine)) == 0
    assert diff("--against", str(mine / "config")) == 0
    assert capsys.readouterr().out.count("0 prompts differ of 2") == 2


def test_files_that_are_not_under_git_are_compared_with_those_that_ship(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An author with a folder of his own sees what he changed of ours."""
    edit(mine / TEMPLATE, "opening")
    assert diff() == 1
    told = capsys.readouterr().out
    assert f"+{ADDED}" in told
    assert "against shipped: 1 prompt differs of 2" in told


def test_a_scheme_is_compared_with_the_default_it_stands_for(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--scheme` plays scripts that name none as its own."""
    scheme = mine / "config" / "custom" / "mine"
    scheme.mkdir()
    shutil.copy(mine / TEMPLATE, scheme)
    edit(scheme / "ai_ask_v1.md", "system")
    assert diff("--scheme", "mine", "--against", "shipped") == 1
    told = capsys.readouterr().out
    assert "ai_ask, opening (custom/mine)" in told
    assert f"+{ADDED}" in told


def test_what_ships_is_compared_with_nothing_without_git(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an installation a folder has to be named; that needs no git."""
    monkeypatch.setenv("PATH", "")
    assert main(["prompts", "diff", "--template", "ai_think"]) == 2
    assert "name a folder with `--against`" in capsys.readouterr().err
    assert main(["prompts", "diff", "--template", "ai_think", "--against", str(system_dir())]) == 0


def test_a_state_that_lacks_an_answer_is_told(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The prompts up to there are shown, and the code is 1."""
    Path("c.yaml").write_text("model: [怎么称呼你？]\nturns: [{}, {client: 小明}]\n", "utf-8")
    assert main(["prompts", "show", "s.yaml", "--with", "c.yaml"]) == 1
    told = capsys.readouterr()
    assert "turn 2: the model is asked once more (ai_ask_v1)" in told.err
    assert "turn 1 · ai_ask, opening" in told.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["diff", "--against", "nowhere"], "neither a folder nor a revision"),
        (["diff", "--against=--output=x"], "neither a folder nor a revision"),
        (["diff", "--against", "."], "holds no prompts"),
        (["show", "--scheme", "nobodys"], "no template scheme 'nobodys'"),
        (["show", "s.yaml"], "name a script and, with `--with`"),
        (["show", "none.yaml", "--with", "c.yaml"], "1 error"),
    ],
)
def test_a_wrong_command_line_is_code_two(
    mine: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """One sentence says what is wrong."""
    assert main(["prompts", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_broken_template_is_named(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another one would stand for it, and the comparison would mislead."""
    path = mine / TEMPLATE
    path.write_text(path.read_text("utf-8").replace("<!-- section: turn -->", ""), "utf-8")
    assert diff("--against", "shipped") == 2
    assert "default/ai_ask_v1.md:1: the section 'turn' is missing" in capsys.readouterr().err
