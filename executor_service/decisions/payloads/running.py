"""Decisions about runs: start, recover, plan anew, hand over (document 002, scenarios 4, 8-10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import InitErrorDetails

from executor_service.decisions.payloads.payload_base import Payload
from executor_service.workflows.configs import NodesOf
from executor_service.workflows.plan_models import AddedNodeModel, EdgeModel
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.strict_model import (
    WHOLE,
    Filled,
    Free,
    Id,
    Several,
    StrictModel,
    Text,
    objection,
)
from heartrule.domain.decisions import FindingCode

_OF_FAILURE = ("failed_attempts", "failed_node_id", "failed_nodes", "failure_reason", "error")


class ExecuteWorkflowPayload(Payload):
    """Runs a workflow that is there."""

    action_type: Literal["execute_workflow"]
    """`execute_workflow`."""
    workflow_id: Id
    """The workflow; it must be ready, or have run to its end."""
    input_params: Free | None = None
    """Values of the workflow's inputs."""
    execution_mode: Literal["sync", "async"] = "async"
    """Whether the agent waits for the run."""
    notify_on_completion: bool = True
    """Whether the client is told when it ends."""


class ErrorRecoveryPayload(Payload):
    """Says how a run goes on after a node failed."""

    action_type: Literal["error_recovery"]
    """`error_recovery`."""
    workflow_id: Id
    """The workflow."""
    failed_node_id: Id
    """The node that failed."""
    failure_reason: Text
    """Why it failed."""
    error_code: str | None = None
    """The failure's code."""
    recovery_plan: RecoveryPlan
    """What is done."""
    execution_context: Filled
    """What has run so far."""


class SuggestedChanges(StrictModel):
    """How a workflow becomes another."""

    remove_nodes: Several[Id] | None = None
    """Nodes that go, with their edges."""
    add_nodes: NodesOf[AddedNodeModel] | None = None
    """Nodes that come."""
    update_edges: Several[EdgeModel] | None = None
    """Edges that come, or get another condition."""


def _tells_of_failure(context: Free) -> Free:
    """Pass an execution context that says what failed, with a field of its own or in an output."""
    outputs = context.get("node_outputs")
    each = outputs.values() if isinstance(outputs, dict) else ()
    failed = any(isinstance(one, dict) and _failed(one) for one in each)
    if not failed and not any(context.get(name) for name in _OF_FAILURE):
        raise objection(
            FindingCode.MISSING_FIELD,
            f"says nothing of the failure: give {', '.join(_OF_FAILURE)}, or an output in "
            "node_outputs with status failed.",
        )
    return context


def _failed(output: Mapping[str, Any]) -> bool:
    return output.get("status") == "failed" or bool(output.get("error"))


class ReplanPayload(Payload):
    """Plans a workflow anew that cannot go on as it is."""

    action_type: Literal["replan_workflow"]
    """`replan_workflow`."""
    workflow_id: Id
    """The workflow."""
    reason: Text
    """Why."""
    execution_context: Annotated[Filled, AfterValidator(_tells_of_failure)]
    """What has run so far, with what failed."""
    suggested_changes: SuggestedChanges | None = None
    """What changes."""
    preserve_nodes: Several[Id] | None = None
    """Nodes that stay; none of them may be removed."""

    @classmethod
    def objections(cls, value: Mapping[str, Any]) -> Iterator[InitErrorDetails]:
        """Yield nodes that are both preserved and removed (RESOLUTIONS D10)."""
        changes, kept = value.get("suggested_changes"), value.get("preserve_nodes")
        gone = changes.get("remove_nodes") if isinstance(changes, dict) else None
        if not isinstance(kept, list | tuple) or not isinstance(gone, list | tuple):
            return
        removed = {each for each in gone if isinstance(each, str)}
        for index, each in enumerate(kept):
            if isinstance(each, str) and each in removed:
                error = objection(FindingCode.CONFLICT, "is to be removed, too: do one of them.")
                yield InitErrorDetails(type=error, loc=("preserve_nodes", index), input=each)


class SpawnSubagentPayload(Payload):
    """Hands a task to a sub-agent."""

    action_type: Literal["spawn_subagent"]
    """`spawn_subagent`."""
    subagent_type: Id
    """A type that the installation has."""
    task_payload: Filled
    """The task, as the type's input schema says."""
    priority: Annotated[int, Field(ge=0, le=10), WHOLE] = 5
    """10 is the most urgent (RESOLUTIONS D19)."""
    timeout: Annotated[float, Field(gt=0)] | None = None
    """Seconds that it may take."""
    context_snapshot: Free | None = None
    """What it is told of the talk; it cannot change it."""
