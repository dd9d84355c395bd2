"""`heartrule agent check|run`: agents in folders, without a server."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.agent_files import CHAPTER, agent_bundle
from tests.support.source_tree import ROOT

PACKAGE = ROOT / "examples" / "article-agents"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sound agents as the current one, and no model but the rehearsal's."""
    for path, data in agent_bundle().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HEARTRULE_MODEL", "HEARTRULE_PROVIDERS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_agents_without_a_mistake_pass(capsys: pytest.CaptureFixture[str]) -> None:
    """An agent's folder, and one that ships."""
    assert main(["agent", "check", "agents/writer", "agents/talker", "researcher"]) == 0
    assert capsys.readouterr().out == "OK: 3 agents\n"


def test_mistakes_are_told_with_the_authors_paths(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the agent itself, and of one beside it that it has work; others are left alone."""
    (folder / "agents/chapter/agent.yaml").write_text(
        CHAPTER.replace("opening", "openning"), "utf-8"
    )
    (folder / "agents/broken").mkdir()
    (folder / "agents/broken/agent.yaml").write_text("nothing", "utf-8")
    assert main(["agent", "check", "agents/writer", "--format", "json"]) == 2
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {each["file"] for each in found} == {"agents/writer/../chapter/agent.yaml"}
    assert {each["line"] for each in found} == {7}


def test_an_agent_of_a_sub_thread_works_as_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The message is the one text that it needs; threads, phases and units are told in order."""
    assert main(["agent", "run", "agents/chapter", "--message", "睡眠"]) == 0
    told = capsys.readouterr()
    answer = "演示模型的回答，关于：请写：睡眠"
    assert told.out.splitlines() == [
        "  thread of chapter",
        "  phase write",
        "  unit 1",
        "  user   请写：睡眠",
        f"  bot    {answer}",
        "  phase done",
        "  completed",
        "",
        answer,
        f'chapter_text = "{answer}"',
    ]
    assert told.err.startswith("rehearsal model:")


def test_an_agent_of_the_main_thread_hears_lines_until_it_is_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nested threads are indented; the rest of the input is left."""
    monkeypatch.setattr("sys.stdin", io.StringIO("写睡眠\n\n开始\n还有\n"))
    assert main(["agent", "run", "agents/talker"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "phase clarify"
    assert "  thread of writer" in told
    assert "    thread of chapter" in told
    assert told[-1] == "phase done: complete"
    assert not any("还有" in each for each in told)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["nowhere"], "nowhere: no agent there"),
        (["agents/chapter"], "input.title is missing"),
        (["agents/chapter", "--input", "titel=a"], "input.titel is not declared"),
        (["agents/talker", "--input", "a=b"], "takes no --input"),
        ([str(PACKAGE)], "--agent NAME names one of"),
        ([str(PACKAGE), "--agent", "x"], "has no agent x"),
    ],
)
def test_what_cannot_run_is_told(
    line: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the hint what would be right; nothing is asked of a model."""
    assert main(["agent", "run", *line]) == 2
    assert said in capsys.readouterr().err


def test_an_agent_with_mistakes_does_not_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are told as by the check."""
    (folder / "agents/writer/agent.yaml").write_text("agent_id: writer", "utf-8")
    assert main(["agent", "run", "agents/writer", "--message", "x"]) == 2
    assert "agents/writer/agent.yaml:1:1: an agent needs `phases`" in capsys.readouterr().err


def test_a_package_that_is_none_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One without entry points, and one whose entry point is something else."""
    path = folder / "pyproject.toml"
    path.write_text('[project]\nname = "p"\n', "utf-8")
    assert main(["agent", "check", "."]) == 2
    assert "names no agents" in capsys.readouterr().err
    path.write_text('[project.entry-points."heartrule.agents"]\na = "json:dumps"\n', "utf-8")
    assert main(["agent", "check", "."]) == 2
    assert "names json:dumps as its agent a" in capsys.readouterr().err
