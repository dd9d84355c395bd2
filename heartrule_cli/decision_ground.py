"""The ground file of `heartrule decision check`: a session as the gate would find it, as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from executor_service.decisions.ground import Ground, SubagentType
from executor_service.workflows.plan_models import InputModel, PlanModel, workflow_of
from executor_service.workflows.strict_model import Name, Several, StrictModel, Text
from heartrule.domain.workflows import SandboxTier, Workflow, WorkflowStatus
from session_store.records.spending import SpentSoFar

_Count = Annotated[int, Field(ge=0)]


class GroundWorkflow(PlanModel):
    """A workflow of the session: a plan with its id and its status."""

    workflow_id: Text
    status: Literal["draft", "ready", "running", "completed", "failed"] = "ready"
    name: str = ""
    description: str = ""

    def workflow(self) -> Workflow:
        """Return the workflow."""
        made = workflow_of(self, self.workflow_id)
        return replace(made, status=WorkflowStatus(self.status))


class GroundSpent(StrictModel):
    """What was spent so far."""

    session_llm_tokens: _Count = 0
    session_api_calls: _Count = 0
    tenant_api_calls_this_minute: _Count = 0


class GroundFile(StrictModel):
    """What the gate may know of a session; what is not given is not there."""

    workflows: Several[GroundWorkflow] = ()
    """The oldest first."""
    subagent_types: dict[str, dict[Name, InputModel]] = Field(default_factory=dict)
    secrets: Several[Name] = ()
    connections: Several[Name] = ()
    sandboxes: Several[Literal["small", "process"]] = ()
    spent: GroundSpent = GroundSpent()

    def ground(self) -> Ground:
        """Return what the file says."""
        return Ground(
            workflows=tuple(each.workflow() for each in self.workflows),
            subagent_types={
                name: SubagentType(takes={key: e.workflow_input() for key, e in taken.items()})
                for name, taken in self.subagent_types.items()
            },
            secrets=frozenset(self.secrets),
            connections=frozenset(self.connections),
            sandboxes=frozenset(map(SandboxTier, self.sandboxes)),
            spent=SpentSoFar(
                llm_tokens=self.spent.session_llm_tokens,
                api_calls=self.spent.session_api_calls,
                tenant_api_calls=self.spent.tenant_api_calls_this_minute,
            ),
        )
