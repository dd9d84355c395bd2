"""Decisions that draft workflows: a node, a plan, a change (document 002, scenarios 2, 3, 7)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator

from executor_service.decisions.payloads.payload_base import Payload
from executor_service.workflows.configs import RetryConfig, config_of_its_type
from executor_service.workflows.plan_models import PlanModel
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.strict_model import Filled, Id, Text, Unread
from heartrule.domain.workflows import Node, NodeType


class CreateNodePayload(Payload):
    """Adds a node to the session's draft, or begins one."""

    action_type: Literal["create_node"]
    """`create_node`."""
    node_type: Literal["LLM", "HTTP", "PYTHON", "DATABASE", "CONDITION", "LOOP"]
    """What the node does."""
    node_name: Text
    """For readers."""
    config: Annotated[Unread, AfterValidator(config_of_its_type)]
    """What its type needs."""
    description: str | None = None
    """For readers."""
    retry_config: RetryConfig | None = None
    """How often it is tried again."""
    on_failure: RecoveryPlan | None = None
    """What is done when it failed and is not tried again; else what the installation does."""

    def node(self, node_id: str) -> Node:
        """Return the node, with the id that it is given (RESOLUTIONS D25)."""
        return Node(
            node_id=node_id,
            type=NodeType(self.node_type),
            name=self.node_name,
            config=self.config,
            description=self.description or "",
            retry_config=self.retry_config.given() if self.retry_config else None,
            on_failure=self.on_failure.given() if self.on_failure else None,
        )


class WorkflowPlanPayload(PlanModel, Payload):
    """Drafts a workflow of several nodes."""

    action_type: Literal["create_workflow_plan"]
    """`create_workflow_plan`."""


class ModifyNodePayload(Payload):
    """Changes a node of the newest draft or plan that holds it."""

    action_type: Literal["modify_node"]
    """`modify_node`."""
    node_id: Id
    """The node."""
    updates: Filled
    """New values by field; a dotted key such as `config.timeout` names a field within."""
    reason: str | None = None
    """Why."""
