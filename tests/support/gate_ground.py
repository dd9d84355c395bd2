"""A session in which the decisions that document 002 prints are valid (RESOLUTIONS D27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground, SubagentType
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from heartrule.domain.decisions import Decision, FindingCode, Verdict
from heartrule.domain.workflows import (
    NodeType,
    SandboxTier,
    WorkflowInput,
    WorkflowStatus,
)
from tests.support.decision_examples import changed, example
from tests.support.workflow_builders import a_node, a_plan

SALES = replace(
    a_plan(
        a_node("node_0"),
        a_node("node_1", NodeType.HTTP, timeout=30),
        a_node("node_2", NodeType.LLM, prompt="Look at ${node_1.output.data}."),
        a_node("node_3"),
        a_node("node_4"),
        edges=("node_0>node_1", "node_1>node_2", "node_2>node_3", "node_3>node_4"),
    ),
    workflow_id="workflow_123",
    status=WorkflowStatus.READY,
    inputs={"date_range": WorkflowInput(type="string"), "recipient_email": WorkflowInput()},
)
RESEARCHER = {
    "query": WorkflowInput(type="string"),
    "sources": WorkflowInput(type="array", is_required=False),
    "max_results": WorkflowInput(type="integer", is_required=False),
    "filters": WorkflowInput(type="object", is_required=False),
}
GROUND = Ground(
    workflows=(SALES,),
    subagent_types={"researcher": SubagentType(takes=RESEARCHER)},
    secrets=frozenset({"WEATHER_API_KEY"}),
    connections=frozenset({"sales_db"}),
    sandboxes=frozenset(SandboxTier),
)


def a_decision(payload: Any, decision_type: str = "", confidence: float | None = None) -> Decision:
    """Return a decision with a payload, of the type that it says."""
    return Decision(
        decision_id="d",
        correlation_id="c",
        decision_type=decision_type or payload["action_type"],
        payload=payload,
        confidence=confidence,
    )


def printed(name: str) -> dict[str, Any]:
    """Return an example; the query that the document elides is a short one."""
    path = "suggested_changes.add_nodes.0.config.query"
    return changed(name, path, "SELECT 1") if "replan" in name else example(name)


def judged(
    payload: Mapping[str, Any], ground: Ground = GROUND, policy: DecisionPolicy = NO_POLICY
) -> Verdict:
    """Return the verdict on a payload."""
    return judge(a_decision(payload), ground, policy)


def refused(
    payload: Mapping[str, Any], ground: Ground = GROUND, policy: DecisionPolicy = NO_POLICY
) -> list[tuple[FindingCode, str]]:
    """Return codes and paths of the errors."""
    return [(each.code, each.path) for each in judged(payload, ground, policy).errors]


def with_sales(**changes: Any) -> Ground:
    """Return the session with another state of its workflow."""
    return replace(GROUND, workflows=(replace(SALES, **changes),))


def a_new_node(node_type: str, **config: Any) -> dict[str, Any]:
    """Return a payload that adds a node."""
    return {
        "action_type": "create_node",
        "node_type": node_type,
        "node_name": "n",
        "config": config,
    }
