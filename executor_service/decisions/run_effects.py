"""What decisions about runs change: a run begins, goes on otherwise, or ends (sections 2.4 to 2.9).

All of it is pure; who judged the decision writes it with the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from executor_service.decisions.decision_case import DecisionCase
from executor_service.decisions.payloads.running import ExecuteWorkflowPayload, ReplanPayload
from executor_service.decisions.rules.running import replanning
from executor_service.workflows.kept_results import kept_results
from executor_service.workflows.plan_models import MOST_RUN_SECONDS
from executor_service.workflows.recovery import abandoned, apply_recovery, failing_path
from executor_service.workflows.schedule import cancelled, next_steps
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunProgress,
    RunState,
)
from heartrule.domain.workflows import Workflow, WorkflowStatus
from session_store.records.runs import NewRun, RunEffect, RunEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """A run as it is while a decision about it is judged."""

    run_id: str
    token: int
    progress: RunProgress
    lands_in: str = ""
    """The variable that gets its result; empty: none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginningRun:
    """Where a run that begins comes from."""

    run_id: str
    decision_id: str
    traceparent: str = ""
    lands_in: str = ""


def begun_run(case: DecisionCase, begins: BeginningRun) -> NewRun:
    """Return the run that a valid EXECUTE_WORKFLOW begins.

    Inputs without a value keep the defaults of the workflow, which the run has a copy of.
    """
    payload = case.read(ExecuteWorkflowPayload)
    workflow = case.ground.workflow(payload.workflow_id)
    assert workflow is not None, "a valid decision names a workflow"
    return NewRun(
        run_id=begins.run_id,
        workflow=workflow,
        decision_id=begins.decision_id,
        inputs=payload.input_params or {},
        timeout=_timeout(workflow),
        is_announced=payload.notify_on_completion,
        traceparent=begins.traceparent,
        lands_in=begins.lands_in,
    )


def recovered(run: JudgedRun, payload: Mapping[str, JsonValue]) -> RunEffect:
    """Return what a valid ERROR_RECOVERY changes of a run, by its effective payload.

    Raises:
        LookupError: No such node waits in the run, as `not_failing` says.
    """
    after = apply_recovery(run.progress, payload)
    if any(after.state(each.node_id) is NodeState.FAILED for each in after.workflow.nodes):
        return _ended(run, after, _stopped(str(payload["failed_node_id"])))
    nodes = _changed(run.progress, after)
    waits = [each.delay_s for each in nodes if each.state is NodeState.RETRYING]
    return RunEffect(
        run_id=run.run_id,
        token=run.token,
        workflow=after.workflow if after.workflow is not run.progress.workflow else None,
        nodes=nodes,
        wake_after=timedelta(seconds=min(waits, default=0.0)),
    )


def not_failing(run: JudgedRun, payload: Mapping[str, JsonValue]) -> RuleFinding | None:
    """Return why a recovery has nothing to recover; None where its node waits for one."""
    node_id = str(payload["failed_node_id"])
    if failing_path(run.progress, node_id) is not None:
        return None
    message = f"failed_node_id is {node_id!r}, which waits for no recovery in this run"
    return RuleFinding(FindingCode.INVALID_STATE, "failed_node_id", message, "2.8 nodes")


def given_up(run: JudgedRun, path: str) -> RunEffect:
    """Return what fails a run whose failed node nothing recovers (RESOLUTIONS D14)."""
    record = run.progress.nodes[path]
    assert record.failure is not None, "a node that waits for a decision has failed"
    return _ended(run, abandoned(run.progress, path), record.failure)


def left_behind(run: JudgedRun) -> RunEffect | None:
    """Return what fails a run that waits for a decision, once it was decided to plan anew.

    None: it waits for none.
    """
    nodes = run.progress.nodes.values()
    waiting = (each.path for each in nodes if each.state is NodeState.WAITING_DECISION)
    path = next(waiting, None)
    return given_up(run, path) if path is not None else None


def replanned(case: DecisionCase, run: JudgedRun, begins: BeginningRun) -> NewRun | None:
    """Return the run that a valid REPLAN_WORKFLOW begins; None where it suggests no changes.

    It is of a new revision, has the inputs of the run before, and keeps what D10 allows of its
    results.
    """
    payload, found = case.read(ReplanPayload), replanning(case)
    assert found is not None, "a valid decision names a workflow"
    if payload.suggested_changes is None:
        return None
    result = found.result()
    workflow = replace(result, revision=result.revision + 1, status=WorkflowStatus.READY)
    inputs = run.progress.inputs
    kept = kept_results(run.progress, workflow, inputs, payload.preserve_nodes or ())
    return NewRun(
        run_id=begins.run_id,
        workflow=workflow,
        decision_id=begins.decision_id,
        inputs=inputs,
        timeout=_timeout(workflow),
        traceparent=begins.traceparent,
        lands_in=begins.lands_in or run.lands_in,
        replaces=run.run_id,
        kept=tuple(kept.values()),
    )


def _timeout(workflow: Workflow) -> timedelta:
    given = workflow.global_config.get("timeout")
    return timedelta(seconds=given if isinstance(given, int | float) else MOST_RUN_SECONDS)


def _stopped(node_id: str) -> NodeFailure:
    return NodeFailure(
        code=RunErrorCode.ABORTED,
        message=f"a recovery stopped the run, as its node {node_id!r} had failed",
        is_retryable=False,
    )


def _ended(run: JudgedRun, after: RunProgress, failure: NodeFailure) -> RunEffect:
    left = cancelled(after, next_steps(after).cancelled)
    nodes = (*_changed(run.progress, after), *left)
    end = RunEnd(state=RunState.FAILED, failure=failure, nodes=nodes)
    return RunEffect(run_id=run.run_id, token=run.token, end=end)


def _changed(before: RunProgress, after: RunProgress) -> tuple[NodeRecord, ...]:
    return tuple(each for path, each in after.nodes.items() if each != before.nodes.get(path))
