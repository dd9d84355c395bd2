"""What decisions that draft a workflow may name and make (sections 2.2, 2.3 and 2.7)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.decisions.decision_case import DecisionCase, Findings
from executor_service.decisions.payloads.drafting import (
    CreateNodePayload,
    ModifyNodePayload,
    WorkflowPlanPayload,
)
from executor_service.decisions.rules.node_changes import NodeChange, moved
from executor_service.decisions.sizes import SIZE_LIMITS
from executor_service.workflows.graph import node_count
from executor_service.workflows.plan_models import workflow_of
from executor_service.workflows.plan_rules import check_plan
from heartrule.domain.decisions import DecisionType, FindingCode, RuleFinding
from heartrule.domain.workflows import MOST_NODES, MOST_WORKFLOWS, Node, Workflow

NEW_NODE = "new"
"""Stands for the id that the draft gives a node (RESOLUTIONS D25)."""
_ALONE = "nodes.0."
_PAYLOAD_KEYS = {"type": "node_type", "name": "node_name"}


def planned(case: DecisionCase) -> Workflow:
    """Return the workflow that a plan makes."""
    return workflow_of(case.read(WorkflowPlanPayload), "")


def plan_findings(case: DecisionCase) -> Findings:
    """Return what is wrong with a plan, beside the danger that forced rules look for."""
    return check_plan(planned(case), case.facts, is_danger_known=True)


def with_new_node(case: DecisionCase) -> Workflow:
    """Return the session's draft, or a new one, with the node that is added to it."""
    draft = case.ground.draft() or Workflow(workflow_id="")
    return replace(draft, nodes=(*draft.nodes, _new_node(case)))


def new_node_findings(case: DecisionCase) -> Findings:
    """Return what is wrong with a node by itself: as no edge leads to it, it can read no other."""
    alone = Workflow(workflow_id="", nodes=(_new_node(case),))
    found = check_plan(alone, case.facts, is_danger_known=True)
    return tuple(map(_of_payload, found))


def _of_payload(finding: RuleFinding) -> RuleFinding:
    inner = finding.path.removeprefix(_ALONE)
    path = _PAYLOAD_KEYS.get(inner, inner)
    return replace(finding, path=path, message=moved(finding.message, finding.path, path))


def _new_node(case: DecisionCase) -> Node:
    return case.read(CreateNodePayload).node(NEW_NODE)


def draft_size_findings(case: DecisionCase) -> Findings:
    """Find a draft that is full (section 3.1.3)."""
    count = node_count(with_new_node(case).nodes)
    if count <= MOST_NODES:
        return ()
    message = f"the draft would have {count} nodes; at most {MOST_NODES} are allowed"
    return (RuleFinding(FindingCode.TOO_MANY_NODES, "", message, SIZE_LIMITS),)


def workflow_count_findings(case: DecisionCase) -> Findings:
    """Find a session that is full (section 3.1.3); a node that joins a draft makes no workflow."""
    makes_one = case.decision_type is DecisionType.CREATE_WORKFLOW_PLAN or not case.ground.draft()
    if not makes_one or len(case.ground.workflows) < MOST_WORKFLOWS:
        return ()
    message = f"the session has {MOST_WORKFLOWS} workflows, and may have no more"
    return (RuleFinding(FindingCode.INVALID_STATE, "", message, SIZE_LIMITS),)


def modified(case: DecisionCase) -> Workflow | None:
    """Return the workflow with the changed node; None where no workflow holds the node."""
    change = _change(case)
    return change.result() if change else None


def modification_findings(case: DecisionCase) -> Findings:
    """Find a node that nobody holds, fields it does not have, and a node that breaks its rules."""
    change = _change(case)
    if change is not None:
        return change.findings(case.facts)
    message = f"node_id is {case.read(ModifyNodePayload).node_id!r}, which is no node of a workflow"
    return (RuleFinding(FindingCode.UNKNOWN_REFERENCE, "node_id", message, "2.7 node_id"),)


def _change(case: DecisionCase) -> NodeChange | None:
    payload = case.read(ModifyNodePayload)
    workflow = case.ground.holding(payload.node_id)
    if workflow is None:
        return None
    return NodeChange(workflow, payload.node_id, payload.updates, "updates")
