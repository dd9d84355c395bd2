"""`heartrule workflow run`: a workflow runs here, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heartrule_cli.__main__ import main
from tests.support.workflow_texts import DIARY, HELLO

GREETED = """\
name: greeted
description: Greets somebody, or nobody.
inputs: {who: {type: string}, loud: {type: boolean, default: false}}
nodes:
  - {node_id: loud, type: CONDITION, name: loud, config: {expression: "${input.loud}"}}
  - {node_id: shout, type: LLM, name: shout, config: {prompt: "Shout ${input.who}."}}
  - {node_id: say, type: LLM, name: say, config: {prompt: "Say ${input.who}."}}
edges:
  - {source: loud, target: shout, condition: "true"}
  - {source: loud, target: say, condition: "false"}
"""
UNKEPT = """\
name: unkept
description: Waits for what is not there.
nodes:
  - node_id: a
    type: LLM
    name: a
    config: {prompt: "Say ${word}."}
    input_mapping: {word: "${input.words.first}"}
    on_failure: {action: SKIP}
  - {node_id: b, type: LLM, name: b, config: {prompt: "Say ${a.output.text}."}}
edges: [{source: a, target: b}]
inputs: {words: {type: object}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with workflows; no key and no policy are set."""
    monkeypatch.chdir(tmp_path)
    for name in ("HEARTRULE_DECISION_POLICY", "HEARTRULE_PROVIDERS", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    texts = {"hello": HELLO, "diary": DIARY, "greeted": GREETED, "unkept": UNKEPT}
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_run_is_told_node_by_node(capsys: pytest.CaptureFixture[str]) -> None:
    """Then comes how it ended, and what the last nodes gave."""
    assert main(["workflow", "run", "hello.yaml"]) == 0
    told = capsys.readouterr()
    node, end, output = told.out.splitlines()
    assert node.startswith("  greet  completed  0.")
    assert end.startswith("run completed in ")
    assert output.startswith('  greet gave {"text": ')
    assert "rehearsal model" in told.err


def test_inputs_decide_what_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """A default holds where nothing is given; JSON has every node, and stands alone on stdout."""
    line = ["workflow", "run", "greeted.yaml", "--input", "who=小明", "--format", "json"]
    assert main(line) == 0
    found = document(capsys)
    assert (found["version"], found["state"], found["failure"]) == (1, "completed", None)
    states = {path: each["state"] for path, each in found["nodes"].items()}
    assert states == {"loud": "completed", "shout": "skipped", "say": "completed"}
    assert list(found["outputs"]) == ["say"]
    assert main([*line, "--input", "loud=true"]) == 0
    assert list(document(capsys)["outputs"]) == ["shout"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (["words={}", "other=1"], "other is no input"),
        ([], "words"),
        (["words=[]"], "words"),
        (["words"], "NAME=VALUE"),
    ],
    ids=["unknown", "missing", "of another type", "no value"],
)
def test_wrong_inputs_begin_nothing(
    capsys: pytest.CaptureFixture[str], inputs: list[str], said: str
) -> None:
    """The gate judges them; an input that nothing takes is a mistake, too."""
    options = [each for name in inputs for each in ("--input", name)]
    assert main(["workflow", "run", "unkept.yaml", *options]) == 2
    told = capsys.readouterr()
    assert (told.out, said in told.err) == ("", True)


def test_without_a_policy_nothing_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    """The mistake has its place, and the lines that would open it are told."""
    assert main(["workflow", "run", "diary.yaml"]) == 2
    told = capsys.readouterr().err
    assert "diary.yaml:7:58: nodes.0.config.connection is 'diary'" in told
    assert '  default:\n    connections: ["diary"]\n    secrets_file: secrets.yaml\n' in told


def test_a_declared_name_needs_its_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The policy names a connection, and no file says where it is."""
    (folder / "policy.yaml").write_text("default: {connections: [diary]}\n", "utf-8")
    assert main(["workflow", "run", "diary.yaml", "--policy", "policy.yaml"]) == 2
    assert "connections.diary" in capsys.readouterr().err


def test_a_failure_is_recovered_as_the_node_says(capsys: pytest.CaptureFixture[str]) -> None:
    """The coordinator decides by on_failure; what a skipped node gave is null."""
    assert main(["workflow", "run", "unkept.yaml", "--input", "words={}"]) == 0
    told = capsys.readouterr().out
    assert "a  attempt 1 failed: MISSING_VALUE: " in told
    assert "decided: SKIP" in told
    assert "a  skipped (recovery)" in told


def test_a_run_that_fails_ends_with_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its failure is told as a sentence."""
    text = UNKEPT.replace("    on_failure: {action: SKIP}\n", "")
    (folder / "unkept.yaml").write_text(text, "utf-8")
    assert main(["workflow", "run", "unkept.yaml", "--input", "words={}"]) == 1
    told = capsys.readouterr().out
    assert "decided: ABORT" in told
    assert "run failed" in told
    assert "ABORTED: a recovery stopped the run" in told


def test_a_file_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """As for every command that reads one."""
    assert main(["workflow", "run", "none.yaml"]) == 2
    assert "cannot be read" in capsys.readouterr().err
