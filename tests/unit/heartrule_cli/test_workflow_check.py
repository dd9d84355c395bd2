"""`heartrule workflow check`: the mistakes of workflows in files, without a server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.documents import page
from tests.support.workflow_texts import DIARY, HELLO

PAGE = "docs/reference/checking.md"
POLICY = "default: {connections: [diary]}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a good workflow, one that reads a connection, and a policy."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEARTRULE_DECISION_POLICY", raising=False)
    for name, text in (("hello", HELLO), ("diary", DIARY), ("policy", POLICY)):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_a_finding_is_told_as_one_of_a_script(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """file:line:column and a sentence; the exit code is that of a wrong file."""
    assert main(["workflow", "check", "hello.yaml", "diary.yaml"]) == 2
    told = capsys.readouterr()
    (line,) = told.out.splitlines()
    assert line.startswith("diary.yaml:7:58: nodes.0.config.connection is 'diary'")
    assert "1 error" in told.err
    assert "--policy FILE" in told.err


@pytest.mark.parametrize("given", ["option", "environment"])
def test_the_policy_says_what_there_is(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: str,
) -> None:
    """It is the one of the option, or else of the environment."""
    options = ["--policy", "policy.yaml"] if given == "option" else []
    if given == "environment":
        monkeypatch.setenv("HEARTRULE_DECISION_POLICY", "policy.yaml")
    assert main(["workflow", "check", "hello.yaml", "diary.yaml", *options]) == 0
    assert capsys.readouterr().out == "OK: 2 workflows\n"


def test_code_is_judged_as_on_a_machine_with_both_sandboxes(folder: Path) -> None:
    """A workflow runs elsewhere than where it is written."""
    code = "{code: 'import pandas\n\n      return {}'}"
    text = HELLO.replace("LLM", "PYTHON").replace("{prompt: Say hello.}", code)
    (folder / "code.yaml").write_text(text, "utf-8")
    assert main(["workflow", "check", "code.yaml"]) == 0


def test_json_has_the_gates_codes_as_rules(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document is that of `heartrule check`."""
    assert main(["workflow", "check", "diary.yaml", "--format", "json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert (document["version"], document["ok"], document["files"]) == (1, False, ["diary.yaml"])
    (found,) = document["findings"]
    assert (found["line"], found["rule"], found["severity"]) == (7, "unknown_reference", "error")


@pytest.mark.parametrize("name", ["none.yaml", "."], ids=["nowhere", "folder"])
def test_a_file_that_cannot_be_read_is_a_finding(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """The others are checked."""
    assert main(["workflow", "check", name, "hello.yaml"]) == 2
    assert "cannot be read" in capsys.readouterr().out


def test_the_example_of_the_page_is_right(folder: Path) -> None:
    """It reads the connection that the policy names."""
    blocks = re.findall(r"```yaml\n(.*?)```", page(PAGE).text, re.DOTALL)
    (written,) = (each for each in blocks if "node_id" in each)
    (folder / "page.yaml").write_text(written, "utf-8")
    assert main(["workflow", "check", "page.yaml", "--policy", "policy.yaml"]) == 0


def test_a_wrong_policy_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is judged by half of it."""
    (folder / "policy.yaml").write_text("default:\n  colour: 1\n", "utf-8")
    assert main(["workflow", "check", "hello.yaml", "--policy", "policy.yaml"]) == 2
    assert "policy.yaml:2:11: default.colour" in capsys.readouterr().err
