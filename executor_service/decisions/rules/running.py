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
from executor_service.workflows.plan_rules import check_plan
from executor_service.workflows.references import input_names
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.workflows import Node, Workflow, WorkflowInput, WorkflowStatus

_CAN_RUN = frozenset({WorkflowStatus.READY, WorkflowStatus.COMPLETED})


def workflow_findings(case: DecisionCase) -> Findings:
    """Find a workflow_id that names nothing."""
    if _workflow(case) is not None:
        return ()
    message = f"workflow_id is {case.payload['workflow_id']!r}, which is no workflow of the session"
    return (_finding(FindingCode.UNKNOWN_REFERENCE, "workflow_id", message, "2.4 workflow_id"),)


def status_findings(case: DecisionCase) -> Findings:
    """Find a workflow that cannot run: unfinished, running, or failed."""
    workflow = _workflow(case)
    if workflow is None or workflow.status in _CAN_RUN:
        return ()
    message = f"workflow_id names a workflow that is {workflow.status.value}; it must be ready"
    return (_finding(FindingCode.INVALID_STATE, "workflow_id", message, "2.4 status"),)


def stored_plan_findings(case: DecisionCase) -> Findings:
    """Find what was allowed when the workflow was made, and is not any more."""
    workflow = _workflow(case)
    if workflow is None or workflow.status not in _CAN_RUN:
        return ()
    return tuple(
        _finding(each.code, "workflow_id", f"of this workflow: {each.message}", each.rule)
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
    unknown = tuple(_unknown_nodes(workflow, payload))
    change = recovery_change(case)
    return unknown or (change.findings(case.facts) if change else ())


def recovery_change(case: DecisionCase) -> NodeChange | None:
    """Return the change of the failed node that a recovery asks for, if it does."""
    payload, workflow = case.read(ErrorRecoveryPayload), _workflow(case)
    node = _node(workflow, payload.failed_node_id) if workflow else None
    updates = payload.recovery_plan.modifications
    if workflow is None or node is None or not updates:
        return None
    return NodeChange(workflow, node, updates, "recovery_plan.modifications")


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
        return tuple(
            parameter_findings(payload.task_payload, taken, "task_payload", "2.10 task_payload")
        )
    known = ", ".join(sorted(case.ground.subagent_types)) or "none"
    message = f"subagent_type is {payload.subagent_type!r}; registered are: {known}"
    return (_finding(FindingCode.UNKNOWN_REFERENCE, "subagent_type", message, "2.10 types"),)


def _unknown_nodes(workflow: Workflow, payload: ErrorRecoveryPayload) -> Iterator[RuleFinding]:
    named = [("failed_node_id", payload.failed_node_id)]
    if (other := payload.recovery_plan.alternative_node) is not None:
        named.append(("recovery_plan.alternative_node", other))
    for path, node_id in named:
        if _node(workflow, node_id) is None:
            message = f"{path} is {node_id!r}, which is no node of the workflow"
            yield _finding(FindingCode.UNKNOWN_REFERENCE, path, message, "2.8 nodes")
    if other == payload.failed_node_id:
        message = f"{named[1][0]} is the node that failed: name another"
        yield _finding(FindingCode.CONFLICT, named[1][0], message, "2.8 nodes")


def _workflow(case: DecisionCase) -> Workflow | None:
    return case.ground.workflow(str(case.payload["workflow_id"]))


def _node(workflow: Workflow, node_id: str) -> Node | None:
    return next((each for each in workflow.nodes if each.node_id == node_id), None)


def _finding(code: FindingCode, path: str, message: str, rule: str) -> RuleFinding:
    return RuleFinding(code=code, path=path, message=message, rule=rule)
