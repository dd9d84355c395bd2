"""What decisions about runs may name (sections 2.4, 2.8, 2.9 and 2.10)."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.decisions.decision_case import DecisionCase, Findings
from executor_service.decisions.payloads.running import (
    ErrorRecoveryPayload,
    ExecuteWorkflowPayload,
    ReplanPayload,
    SpawnSubagentPayload,
)
from executor_service.decisions.rules.node_changes import NodeChange
from executor_service.decisions.rules.parameters import parameter_findings
from executor_service.decisions.rules.replanning import Replanning
from executor_service.workflows.configs import BODY_TYPES
from executor_service.workflows.graph import body_nodes
from executor_service.workflows.node_updates import in_place
from executor_service.workflows.plan_rules import check_plan
from executor_service.workflows.references import input_names
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.runs import body_path
from heartrule.domain.workflows import Workflow, WorkflowInput, WorkflowStatus
from session_store.records.threads import MOST_THREADS_WAITING

_CAN_RUN = frozenset({WorkflowStatus.READY, WorkflowStatus.COMPLETED})


def workflow_findings(case: DecisionCase) -> Findings:
    """Find a workflow_id that names nothing."""
    if _workflow(case) is not None:
        return ()
    message = f"workflow_id is {case.payload['workflow_id']!r}, which is no workflow of the session"
    return (RuleFinding(FindingCode.UNKNOWN_REFERENCE, "workflow_id", message, "2.4 workflow_id"),)


def status_findings(case: DecisionCase) -> Findings:
    """Find a workflow that cannot run: unfinished, running, or failed."""
    workflow = _workflow(case)
    if workflow is None or workflow.status in _CAN_RUN:
        return ()
    message = f"workflow_id names a workflow that is {workflow.status.value}; it must be ready"
    return (RuleFinding(FindingCode.INVALID_STATE, "workflow_id", message, "2.4 status"),)


def stored_plan_findings(case: DecisionCase) -> Findings:
    """Find what was allowed when the workflow was made, and is not any more."""
    workflow = _workflow(case)
    if workflow is None or workflow.status not in _CAN_RUN:
        return ()
    return tuple(
        RuleFinding(each.code, "workflow_id", f"of this workflow: {each.message}", each.rule)
        for each in check_plan(workflow, case.facts)
    )


def input_findings(case: DecisionCase) -> Findings:
    """Find inputs that are missing, of a wrong type, or not those of the workflow (D24)."""
    workflow = _workflow(case)
    if workflow is None:
        return ()
    used = {name: WorkflowInput() for name in sorted(input_names(workflow))}
    given = case.read(ExecuteWorkflowPayload).input_params or {}
    return tuple(
        parameter_findings(given, {**used, **workflow.inputs}, "input_params", "2.4 input_params")
    )


def recovery_findings(case: DecisionCase) -> Findings:
    """Find nodes that the workflow does not have, and changes that the failed one does not bear."""
    workflow = _workflow(case)
    if workflow is None:
        return ()
    payload = case.read(ErrorRecoveryPayload)
    if wrong := tuple(_wrong_nodes(workflow, payload)):
        return wrong
    change = recovery_change(case)
    return change.findings(case.facts) if change else ()


def recovery_change(case: DecisionCase) -> NodeChange | None:
    """Return the change that a recovery asks for of what runs next, if it does.

    That is the failed node, or what an alternative makes of it (RESOLUTIONS D29).
    """
    payload, workflow = case.read(ErrorRecoveryPayload), _workflow(case)
    place = _place(workflow, payload.failed_node_id) if workflow else None
    plan = payload.recovery_plan
    if workflow is None or place is None or not plan.modifications:
        return None
    if plan.alternative_node is not None:
        workflow = in_place(workflow, place, plan.alternative_node)
    return NodeChange(workflow, place, plan.modifications, "recovery_plan.modifications")


def replanning(case: DecisionCase) -> Replanning | None:
    """Return the changes that are suggested, with their workflow; None where there is none."""
    workflow = _workflow(case)
    return Replanning(workflow, case.read(ReplanPayload)) if workflow else None


def replanning_findings(case: DecisionCase) -> Findings:
    """Find what is wrong with the suggested changes, and with the workflow that they make."""
    found = replanning(case)
    return found.findings(case.facts) if found else ()


def subagent_findings(case: DecisionCase) -> Findings:
    """Find a type that is not registered, and a task that is none of its tasks."""
    payload = case.read(SpawnSubagentPayload)
    taken = case.ground.subagent_types.get(payload.subagent_type)
    if taken is not None:
        given = payload.task_payload
        return tuple(parameter_findings(given, taken.takes, "task_payload", "2.10 task_payload"))
    known = ", ".join(sorted(case.ground.subagent_types)) or "none"
    message = f"subagent_type is {payload.subagent_type!r}; registered are: {known}"
    return (RuleFinding(FindingCode.UNKNOWN_REFERENCE, "subagent_type", message, "2.10 types"),)


def waiting_findings(case: DecisionCase) -> Findings:
    """Find that too many sub-agents wait already."""
    most, waiting = MOST_THREADS_WAITING, case.ground.subagents_waiting
    if waiting < most:
        return ()
    message = f"subagent_type: {waiting} sub-agents of the session wait already, at most {most} may"
    return (RuleFinding(FindingCode.OUT_OF_RANGE, "subagent_type", message, "2.10 waiting"),)


def _wrong_nodes(workflow: Workflow, payload: ErrorRecoveryPayload) -> Iterator[RuleFinding]:
    failed, other = payload.failed_node_id, payload.recovery_plan.alternative_node
    place = _place(workflow, failed)
    if place is None:
        yield _unknown_node("failed_node_id", failed)
    if other is None:
        return
    path = "recovery_plan.alternative_node"
    alternative = next((each for each in workflow.nodes if each.node_id == other), None)
    if alternative is None:
        yield _unknown_node(path, other)
    elif other == failed:
        message = f"{path} is the node that failed: name another"
        yield RuleFinding(FindingCode.CONFLICT, path, message, "2.8 nodes")
    elif place and "/" in place and alternative.type.value not in BODY_TYPES:
        message = f"{path} is {other!r}, a {alternative.type}, which has no place in a loop's body"
        yield RuleFinding(FindingCode.CONFLICT, path, message, "2.8 nodes")


def _unknown_node(path: str, node_id: str) -> RuleFinding:
    message = f"{path} is {node_id!r}, which is no node of the workflow"
    return RuleFinding(FindingCode.UNKNOWN_REFERENCE, path, message, "2.8 nodes")


def _workflow(case: DecisionCase) -> Workflow | None:
    return case.ground.workflow(str(case.payload["workflow_id"]))


def _place(workflow: Workflow, node_id: str) -> str | None:
    """Return the path of a node in a run; one of a loop's body has the same in every turn."""
    for node in workflow.nodes:
        if node.node_id == node_id:
            return node_id
        if any(each.node_id == node_id for each in body_nodes(node)):
            return body_path(node.node_id, 0, node_id)
    return None
