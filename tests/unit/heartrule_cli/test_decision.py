"""`heartrule decision check`: the gate without a server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from heartrule_cli.__main__ import main
from tests.support.decision_examples import example
from tests.support.documents import page

POLICY_PAGE = "docs/reference/decision-policy.md"
GROUND = {
    "workflows": [
        {
            "workflow_id": "workflow_123",
            "nodes": [{"node_id": "a", "type": "LLM", "name": "a", "config": {"prompt": "hi"}}],
            "edges": [],
            "inputs": {"date_range": {"type": "string"}, "recipient_email": {}},
        }
    ]
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEARTRULE_DECISION_POLICY", raising=False)
    return tmp_path


def checked(folder: Path, content: Any, *more: str) -> int:
    """Return the exit code for a file with this content."""
    (folder / "d.json").write_text(json.dumps(content), "utf-8")
    return main(["decision", "check", "d.json", *more])


def test_a_valid_payload_is_told_with_its_corrections(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A payload alone is a decision of the type that it names."""
    assert checked(folder, {**example("002-06-continue"), "progress": 2, "mood": 1}) == 0
    assert capsys.readouterr().out.splitlines() == [
        "d.json: continue: valid",
        "  corrected progress: 2 becomes 1",
        "  corrected mood: taken out",
    ]


def test_a_rejected_one_is_told_with_code_and_path(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is that of a wrong file; of a list each decision has its number."""
    decision = {"decision_type": "respond", "payload": {"response": "hi", "intent": "greeting"}}
    assert checked(folder, [{**decision, "confidence": 1}, decision]) == 2
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0] == "d.json:0: respond: valid"
    assert lines[-2] == "d.json:1: respond: rejected"
    assert lines[-1].startswith("  missing_field: confidence is missing")
    assert "--ground FILE" in told.err


def test_the_ground_says_what_is_there(folder: Path) -> None:
    """Without it the session is empty."""
    (folder / "ground.json").write_text(json.dumps(GROUND), "utf-8")
    payload = example("002-04-execute-workflow")
    assert checked(folder, payload) == 2
    assert checked(folder, payload, "--ground", "ground.json") == 0


def test_json_tells_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Verdicts with corrections and errors, for tools."""
    payload = {"action_type": "continue", "thought": "x", "mood": None, "progress": -1}
    assert checked(folder, payload, "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["version"], found["ok"]) == (1, True)
    (told,) = found["decisions"]
    assert told["corrections"] == [
        {"path": "progress", "from": -1, "to": 0},
        {"path": "mood", "from": None, "removed": True},
    ]
    assert told["payload"] == {"action_type": "continue", "thought": "x", "progress": 0}


def test_the_policy_is_that_of_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page's example allows the printed call of a weather service, and no condition."""
    (block,) = re.findall(r"```yaml\n(.*?)```", page(POLICY_PAGE).text, re.DOTALL)
    (folder / "policy.yaml").write_text(block, "utf-8")
    monkeypatch.setenv("HEARTRULE_DECISION_POLICY", "policy.yaml")
    assert checked(folder, example("002-02-create-node-http")) == 0
    node = {"action_type": "create_node", "node_type": "CONDITION", "node_name": "n"}
    assert checked(folder, {**node, "config": {"expression": "true"}}) == 2
    assert "bad_enum: node_type" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("d.json", "{", "d.json: no JSON"),
        ("d.json", "3", "d.json: a decision is an object"),
        ("d.json", "[" * 100_000, "d.json: nested too deep"),
        ("policy.yaml", "default:\n  colour: 1\n", "policy.yaml:2:11: default.colour"),
    ],
    ids=["broken", "no object", "deep", "policy"],
)
def test_what_cannot_be_read_is_one_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    told: str,
) -> None:
    """The command line, or a file, is wrong."""
    (folder / "d.json").write_text("{}", "utf-8")
    (folder / name).write_text(text, "utf-8")
    if name == "policy.yaml":
        monkeypatch.setenv("HEARTRULE_DECISION_POLICY", name)
    assert main(["decision", "check", "d.json"]) == 2
    assert told in capsys.readouterr().err
