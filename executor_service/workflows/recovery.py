"""How a run goes on after a node failed: its own retries, then a recovery (section 6.2; D22, D23).

A node is first tried again as its `retry_config` says. Then there is a decision: the coordinator's,
from the node's `on_failure` or the policy, or somebody else's; what it changes is told here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from executor_service.workflows.graph import node_at
from executor_service.workflows.node_updates import in_place, updated
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.schedule import step_order
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    BEGUN_NODES,
    ENDED_NODES,
    NodeFailure,
    NodeRecord,
    NodeState,
    RunProgress,
    SkipReason,
    id_at,
)
from heartrule.domain.workflows import Node

MOST_DELAY_S = 60.0
"""The longest time between two attempts."""
_FACTOR = 2.0
ABORT = RecoveryPlan(action="ABORT")
_LISTED = MappingProxyType({NodeState.COMPLETED: "completed", NodeState.FAILED: "failed"})


def retry_delay(node: Node, record: NodeRecord) -> float | None:
    """Return the seconds until a node whose attempt failed is tried again; None: it is not.

    Where a recovery had it tried again, its attempts count, whatever they fail with; else those of
    the node's `retry_config`, for failures that may pass.
    """
    if record.last_attempt:
        return record.delay_s if record.attempt < record.last_attempt else None
    retries = node.retry_config or {}
    may_pass = record.failure is not None and record.failure.is_retryable
    if not may_pass or record.attempt > _number(retries.get("max_retries"), 0):
        return None
    delay = _number(retries.get("retry_delay"), 1) * _FACTOR ** (record.attempt - 1)
    return min(MOST_DELAY_S, delay)


def recovery_decision(
    progress: RunProgress, record: NodeRecord, default: RecoveryPlan
) -> dict[str, JsonValue]:
    """Return the payload of the coordinator's ERROR_RECOVERY for a node whose retries are spent.

    The plan is the node's `on_failure`, else the default, of which a RETRY is ABORT for a failure
    that does not pass. A node that failed again after a recovery is given up: ABORT.
    """
    node, failure = node_at(progress.workflow, record.path), _failure(record)
    if record.last_attempt:
        plan = ABORT
    elif node.on_failure:
        plan = RecoveryPlan.model_validate(node.on_failure)
    else:
        plan = ABORT if default.action == "RETRY" and not failure.is_retryable else default
    return {
        "action_type": "error_recovery",
        "workflow_id": progress.workflow.workflow_id,
        "failed_node_id": node.node_id,
        "failure_reason": failure.message,
        "error_code": failure.code.value,
        "recovery_plan": plan.given(),
        "execution_context": {
            **_context(progress, {NodeState.COMPLETED}),
            "retry_count": record.attempt - 1,
        },
    }


def replanning_decision(progress: RunProgress, record: NodeRecord) -> dict[str, JsonValue]:
    """Return the payload of the coordinator's REPLAN_WORKFLOW after an invalid recovery (D14)."""
    failed = replace(progress, nodes={**progress.nodes, record.path: _failed(record)})
    return {
        "action_type": "replan_workflow",
        "workflow_id": progress.workflow.workflow_id,
        "reason": _failure(record).message,
        "execution_context": {
            **_context(failed, {NodeState.COMPLETED, NodeState.FAILED}),
            "failed_attempts": record.attempt,
        },
    }


def failing_path(progress: RunProgress, node_id: str) -> str | None:
    """Return where a node waits for a decision or to be tried again; None: nowhere in this run."""
    waiting = {NodeState.WAITING_DECISION, NodeState.RETRYING}
    found = (path for path, each in progress.nodes.items() if each.state in waiting)
    return next((path for path in found if id_at(path) == node_id), None)


def apply_recovery(progress: RunProgress, payload: Mapping[str, JsonValue]) -> RunProgress:
    """Return the run after a valid ERROR_RECOVERY, by its effective payload.

    RETRY and MODIFY leave the node RETRYING, with `delay_s` and `last_attempt`. SKIP leaves it
    SKIPPED with a null output, ABORT leaves it FAILED. An `alternative_node` that completed gives
    its output at once; another one's definition takes the node's place, whatever the action but
    ABORT. A loop whose definition changed runs its turns anew.

    Raises:
        LookupError: No node of this id waits in the run, or it has no such alternative.
        ValidationError: The modified node breaks its schema.
    """
    path = failing_path(progress, str(payload["failed_node_id"]))
    if path is None:
        raise LookupError(str(payload["failed_node_id"]))
    plan = RecoveryPlan.model_validate(payload["recovery_plan"])
    record = progress.nodes[path]
    if plan.action == "ABORT":
        return abandoned(progress, path)
    if plan.alternative_node is not None:
        other = progress.nodes.get(plan.alternative_node)
        if other is not None and other.state is NodeState.COMPLETED:
            given = replace(record, state=NodeState.COMPLETED, output=other.output)
            return _with(_anew(progress, path), given)
    elif plan.action == "SKIP":
        skipped = replace(record, state=NodeState.SKIPPED, skip_reason=SkipReason.RECOVERY)
        return _with(progress, skipped)
    return _tried_again(progress, record, plan)


def abandoned(progress: RunProgress, path: str) -> RunProgress:
    """Return the run with the failed node at a path FAILED, and the loop that it stands in."""
    record = progress.nodes[path]
    loop_id, *place = path.split("/")
    if place:
        loop = progress.nodes[loop_id]
        progress = _with(progress, replace(_failed(loop), failure=record.failure))
    return _with(progress, _failed(record))


def _tried_again(progress: RunProgress, record: NodeRecord, plan: RecoveryPlan) -> RunProgress:
    workflow = progress.workflow
    if plan.alternative_node is not None:
        workflow = in_place(workflow, record.path, plan.alternative_node)
    if plan.modifications:
        workflow = updated(workflow, record.path, plan.modifications)
    if workflow is not progress.workflow:
        progress = replace(_anew(progress, record.path), workflow=workflow)
    again = replace(
        record,
        state=NodeState.RETRYING,
        last_attempt=record.attempt + (plan.max_attempts or 1),
        delay_s=plan.delay or 0.0,
    )
    return _with(progress, again)


def _failed(record: NodeRecord) -> NodeRecord:
    return replace(record, state=NodeState.FAILED)


def _anew(progress: RunProgress, path: str) -> RunProgress:
    """Return the run in which nothing counts any more that a loop at the path has done."""
    inside = [each for key, each in progress.nodes.items() if key.startswith(f"{path}/")]
    for each in inside:
        cancelled = NodeRecord(path=each.path, state=NodeState.CANCELLED, attempt=each.attempt)
        progress = _with(progress, cancelled)
    return progress


def _with(progress: RunProgress, record: NodeRecord) -> RunProgress:
    return replace(progress, nodes={**progress.nodes, record.path: record})


def _context(progress: RunProgress, told: set[NodeState]) -> dict[str, JsonValue]:
    """Return what has run so far, by ids; outputs stay with the run, their states are told."""
    begun = BEGUN_NODES | (ENDED_NODES - {NodeState.SKIPPED, NodeState.CANCELLED})
    order = {node_id: place for place, node_id in enumerate(step_order(progress.workflow))}
    records = sorted(
        (each for each in progress.nodes.values() if each.state in begun),
        key=lambda each: (order.get(each.path.split("/")[0], len(order)), each.path),
    )
    outputs: dict[str, JsonValue] = {}
    for each in records:
        if each.state in told:
            outputs[id_at(each.path)] = _outcome(each)
    ids = dict.fromkeys(id_at(each.path) for each in records)
    return {"executed_nodes": list(ids), "node_outputs": outputs}


def _outcome(record: NodeRecord) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {"status": _LISTED[record.state]}
    if record.failure is not None and record.state is NodeState.FAILED:
        told["error"] = record.failure.code.value
    return told


def _failure(record: NodeRecord) -> NodeFailure:
    assert record.failure is not None, "a node that waits for a decision has failed"
    return record.failure


def _number(value: JsonValue, otherwise: float) -> float:
    return value if isinstance(value, int | float) else otherwise
