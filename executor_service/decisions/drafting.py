"""The revision of a workflow that a valid decision makes (RESOLUTIONS D25)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.rules import drafting
from executor_service.workflows.graph import each_node
from executor_service.workflows.plan_rules import check_plan
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import Node, Workflow, WorkflowStatus


def drafted(case: DecisionCase) -> Workflow:
    """Return the new revision, READY where the rules of a plan hold for it, else DRAFT.

    A new workflow has no id yet.

    Args:
        case: A decision that drafts, was found valid, and has its effective payload.
    """
    made = _made(case)
    if made.workflow_id:
        made = replace(made, revision=made.revision + 1)
    # The nodes of a plan are all its own, and danger was looked for in each: for a plan of long
    # queries that is all the time it takes.
    is_known = case.decision_type is DecisionType.CREATE_WORKFLOW_PLAN
    is_ready = not check_plan(made, case.facts, is_danger_known=is_known)
    return replace(made, status=WorkflowStatus.READY if is_ready else WorkflowStatus.DRAFT)


def _made(case: DecisionCase) -> Workflow:
    if case.decision_type is DecisionType.CREATE_WORKFLOW_PLAN:
        return drafting.planned(case)
    if case.decision_type is DecisionType.MODIFY_NODE:
        modified = drafting.modified(case)
        assert modified is not None, "a valid decision names a node of a workflow"
        return modified
    draft = drafting.with_new_node(case)
    *others, added = draft.nodes
    added = replace(added, node_id=_free_id(others))
    return replace(draft, name=draft.name or added.name, nodes=(*others, added))


def _free_id(nodes: Iterable[Node]) -> str:
    """Return an id that no node has, those in loops counted; a model has to repeat it."""
    taken = {node.node_id for node, _ in each_node(nodes)}
    return next(name for number in count(1) if (name := f"node_{number}") not in taken)
