"""What an agent is told of its decisions and drafts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from executor_service.actions.agent_prompt import agent_values
from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import DecisionPolicy
from executor_service.decisions.run_results import RunResult
from executor_service.scripts.model.agent_config import AgentConfig
from heartrule.chassis.system_files import system_dir
from heartrule.domain.decisions import (
    Correction,
    Decision,
    DecisionState,
    DecisionType,
    FindingCode,
    RuleFinding,
    Verdict,
)
from heartrule.domain.runs import RunState
from heartrule.domain.workflows import Node, NodeType, Workflow
from heartrule.model.template_store import TemplateStore
from session_store.records import KeptDecision
from tests.support.forged import FORGED, own_headings

TEMPLATE = TemplateStore(system_dir() / "config").get("ai_agent")
EVERYTHING = AgentConfig(goal="g", allowed_decisions=tuple(DecisionType))


def kept(kind: str, state: DecisionState = DecisionState.DONE, **payload: Any) -> KeptDecision:
    """Return a decision of the turn."""
    decision = Decision(decision_id=kind, correlation_id="c", decision_type=kind, payload=payload)
    return KeptDecision(decision=decision, state=state)


def told(known: AgentGround, config: AgentConfig = EVERYTHING) -> dict[str, str]:
    """Return what the template is filled with."""
    return agent_values(TEMPLATE, config, known, left=2)


def test_a_rejection_is_told_with_its_payload_code_path_and_sentence() -> None:
    """So that the next decision can mend it: a model sees nothing else of what it wrote."""
    error = RuleFinding(code=FindingCode.MISSING_FIELD, path="config.url", message="it is missing")
    rejected = replace(
        kept("create_node", DecisionState.REJECTED, node_name="取天气"),
        verdict=Verdict(is_valid=False, payload={}, errors=(error,)),
    )
    line = json.loads(told(AgentGround(of_turn=(rejected,)))["decided"])
    assert (line["state"], line["payload"]) == ("rejected", {"node_name": "取天气"})
    assert line["errors"] == [
        {"code": "missing_field", "path": "config.url", "message": "it is missing"}
    ]


def rejected(number: int) -> KeptDecision:
    """Return a decision that was rejected, with a payload that fills a line."""
    error = RuleFinding(code=FindingCode.MISSING_FIELD, path=f"p{number}", message="错" * 500)
    made = kept("create_node", DecisionState.REJECTED, node_name=f"n{number}", config="长" * 5000)
    return replace(made, verdict=Verdict(is_valid=False, payload={}, errors=(error,)))


def test_what_is_told_has_one_budget() -> None:
    """The newest stay, the payload is that of the last rejection, and drafts find room."""
    of_turn = tuple(map(rejected, range(20)))
    drafts = tuple(_workflow(f"w{number}", "很" * 1500) for number in range(9))
    values = told(AgentGround(of_turn=of_turn, ground=Ground(workflows=drafts)))
    decided, workflows = (values[name].splitlines() for name in ("decided", "workflows"))
    assert len(values["decided"]) + len(values["workflows"]) <= 6100
    assert '"p19"' in decided[-1]
    assert ["payload" in line for line in decided] == [False] * (len(decided) - 1) + [True]
    assert all(f'"p{n}"' in line for n, line in enumerate(decided, 20 - len(decided)))
    assert '"w8"' in workflows[0]


def test_the_question_that_is_answered_stays() -> None:
    """Whatever was decided since."""
    asked = kept("request_clarification", DecisionState.RUNNING, question="看哪一样？")
    lines = told(AgentGround(of_turn=tuple(map(rejected, range(20))), waiting=(asked,)))["decided"]
    assert "看哪一样？" in lines.splitlines()[0]


def test_a_correction_is_told() -> None:
    """The agent learns what it may not ask for."""
    verdict = Verdict(is_valid=True, payload={}, corrections=(Correction(path="progress"),))
    corrected = replace(kept("continue", thought="想"), verdict=verdict)
    line = json.loads(told(AgentGround(of_turn=(corrected,)))["decided"])
    assert line["corrected"] == ["progress"]


def test_a_thought_forges_no_heading() -> None:
    """Neither with brackets nor with line breaks of any kind."""
    forged = kept("continue", thought=f"{FORGED}\u2028{FORGED}")
    assert own_headings(told(AgentGround(of_turn=(forged,)))["decided"]) == []


def test_types_that_nothing_executes_are_not_told() -> None:
    """They would only cost a decision."""
    lines = told(AgentGround())["decision_list"]
    assert "- respond" in lines
    assert "- execute_workflow" in lines
    assert "spawn_subagent" not in lines


def a_run(name: str, output: str) -> RunResult:
    """Return a run that completed."""
    return RunResult(
        run_id=name,
        workflow_id="sum",
        name="写小结",
        state=RunState.COMPLETED,
        outputs={"write": {"text": output}},
    )


def test_runs_are_told_before_decisions_and_the_newest_with_its_outputs() -> None:
    """A line each, whatever a node wrote."""
    known = AgentGround(
        of_turn=(kept("continue", thought="想"),),
        runs=(
            a_run("run_1", "早的"),
            a_run("run_2", f"{FORGED}\u2028{FORGED}"),
        ),
    )
    text = told(known)["decided"]
    first, second, *_, last = text.split("\n")
    assert json.loads(first)["run"] == {
        "run_id": "run_1",
        "workflow_id": "sum",
        "workflow": "写小结",
        "state": "completed",
    }
    assert '"outputs": ' in second
    assert json.loads(last)["decision_type"] == "continue"
    assert own_headings(text) == []


def test_types_of_nodes_are_those_that_are_allowed() -> None:
    """By the script and by the installation."""
    policy = DecisionPolicy(node_types=frozenset({NodeType.LLM}))
    lines = told(AgentGround(policy=policy))["node_list"]
    assert lines.startswith("- LLM")
    assert "HTTP" not in lines


def test_the_newest_workflow_is_told_whole() -> None:
    """Others by their ids alone; one that is too long loses its configurations first."""
    short = _workflow("a", "写小结")
    newest = _workflow("b", "写报告")
    lines = told(AgentGround(ground=Ground(workflows=(short, newest))))["workflows"].splitlines()
    first, second = map(json.loads, lines)
    assert first["nodes"][0]["config"] == {"prompt": "写报告"}
    assert first["nodes"][0]["input_mapping"] == {"before": "${input.before}"}
    assert not {"config", "input_mapping"} & {*second["nodes"][0]}
    long = told(AgentGround(ground=Ground(workflows=(_workflow("c", "很" * 9000),))))["workflows"]
    assert json.loads(long)["nodes"] == [{"node_id": "node_1", "type": "LLM", "name": "一"}]


def _workflow(workflow_id: str, prompt: str) -> Workflow:
    node = Node(
        node_id="node_1",
        type=NodeType.LLM,
        name="一",
        config={"prompt": prompt},
        input_mapping={"before": "${input.before}"},
    )
    return Workflow(workflow_id=workflow_id, name="流程", nodes=(node,))
