"""A rehearsal runs the workflows that its agent runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from tests.support.scripts import topic_script

SUM = """\
name: 写小结
description: 写一句话，再寄出去。
nodes:
  - {node_id: write, type: LLM, name: 写, config: {prompt: 写一句小结}}
  - node_id: send
    type: HTTP
    name: 寄
    config: {url: "https://mail.example.com/send", method: POST, body: "${write.output.text}"}
    on_failure: {action: SKIP}
edges: [{source: write, target: send}]
"""
AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他写小结, run_output: 小结, "
    "allowed_decisions: [respond, execute_workflow]}"
)
CONDITION = """\
name: 判断
description: 只判断一次。
nodes: [{node_id: yes, type: CONDITION, name: 判断, config: {expression: "true"}}]
edges: []
"""
ASK = "{action_type: ai_ask, action_id: after, config: {content: 还好吗}}"
TALK = """\
model:
  - decisions:
      - decision_type: respond
        payload: {response: 写什么？, intent: greeting, confidence: 1, requires_followup: true}
  - intent: workflow_request
    decisions:
      - {decision_type: execute_workflow, payload: {workflow_id: sum, execution_mode: MODE}}
REPLIES
turns:
  - expect: {said: [写什么？]}
  - client: 写一句小结
    expect:
      runs: [{workflow: sum, state: completed}]
"""
WRITTEN_AND_TOLD = """\
  - 今天睡得好
  - decisions:
      - decision_type: respond
        payload: {response: 写好了, intent: greeting, confidence: 1, requires_followup: true}
"""
ASKED_TWICE = """\
  - {content: 还好吗, EXIT: NO}
  - {content: 早点休息会好一些。, EXIT: NO}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a script and its workflow."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(topic_script(AGENT, ASK), "utf-8")
    (tmp_path / "workflows").mkdir()
    (tmp_path / "workflows" / "sum.yaml").write_text(SUM, "utf-8")
    return tmp_path


def played(folder: Path, talk: str, capsys: pytest.CaptureFixture[str]) -> str:
    (folder / "talk.yaml").write_text(talk, "utf-8")
    code = main(["rehearse", "s.yaml", "--with", "talk.yaml", "--transcript"])
    told = capsys.readouterr()
    assert code == 0, told.out + told.err
    return told.out


def test_an_agent_waits_for_its_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """LLM nodes take written answers, and what would reach the world is refused."""
    talk = TALK.replace("MODE", "sync").replace("REPLIES\n", WRITTEN_AND_TOLD)
    told = played(folder, talk, capsys)
    assert "node send failed in attempt 1: REFUSED: " in told
    assert "写好了" in told


def test_a_run_has_ended_before_the_next_turn(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its result is there when the next turn begins; nobody waits in between."""
    (folder / "workflows" / "sum.yaml").write_text(CONDITION, "utf-8")
    talk = TALK.replace("MODE", "async").replace("REPLIES\n", ASKED_TWICE)
    talk += "  - client: 嗯\n    expect: {wrote: [extract 小结 t1]}\n"
    played(folder, talk, capsys)
