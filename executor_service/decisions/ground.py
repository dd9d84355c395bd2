"""What a rule may know of a session: read in one place, before a decision is judged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TypeAlias

from executor_service.decisions.policy import DecisionPolicy
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.domain.decisions import Decision, DecisionType
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import SandboxTier, Workflow, WorkflowInput, WorkflowStatus
from session_store.records.spending import SpentSoFar


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentType:
    """A type of sub-agent that a session may ask for."""

    takes: Mapping[str, WorkflowInput] = field(default_factory=dict)
    """What its task must and may have, by name."""
    purpose: str = ""
    """What it is for, in words for whoever may ask for it."""
    first_phase: str = ""
    """The phase of its thread at the beginning."""
    priority: int = 5
    """Where a decision names none; 10 is the most urgent (RESOLUTIONS D19)."""
    timeout: timedelta = timedelta(minutes=5)
    """Where a decision names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSubagents:
    """The sub-agents that a session has."""

    types: Mapping[str, SubagentType] = field(default_factory=dict)
    """Those that are registered, by name."""
    waiting: int = 0
    """Runs of them that wait to be admitted."""


Subagents: TypeAlias = Callable[[SessionKey], Awaitable[KnownSubagents]]
"""Returns those of a session; a port, as decisions know no thread's agent."""


async def no_subagents(_key: SessionKey) -> KnownSubagents:
    """Return none: each decision that asks for one is refused."""
    return KnownSubagents()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A session as the rules see it."""

    workflows: tuple[Workflow, ...] = ()
    """The newest revision of each, the oldest workflow first."""
    of_script: frozenset[str] = frozenset()
    """Ids of those that are as the session's script brought them."""
    subagent_types: Mapping[str, SubagentType] = field(default_factory=dict)
    """The registered types of sub-agents, by name."""
    subagents_waiting: int = 0
    """Sub-agents of the session that wait for their turn."""
    secrets: frozenset[str] = frozenset()
    """Names of secrets that were declared beside those of the policy."""
    connections: frozenset[str] = frozenset()
    """Names of database connections beside those of the policy."""
    sandboxes: Container[SandboxTier] = frozenset()
    """Where code can run; empty: nowhere, so a PYTHON node is refused (RESOLUTIONS D9)."""
    spent: SpentSoFar = field(default_factory=SpentSoFar)

    def workflow(self, workflow_id: str) -> Workflow | None:
        """Return the workflow of this id, or None."""
        return next((each for each in self.workflows if each.workflow_id == workflow_id), None)

    def draft(self) -> Workflow | None:
        """Return the newest workflow that has not run: what CREATE_NODE adds to.

        One that the script brought is whole: a node would only disturb it.
        """
        own = (each for each in self.workflows[::-1] if each.workflow_id not in self.of_script)
        return next(filter(_has_not_run, own), None)

    def holding(self, node_id: str) -> Workflow | None:
        """Return the newest workflow with this node, one that has not run before others."""
        holders = [each for each in reversed(self.workflows) if _has_node(each, node_id)]
        return next(filter(_has_not_run, holders), next(iter(holders), None))

    def of_run(self, own_copy: Workflow) -> Ground:
        """Return the ground of a decision about a run, by its own copy of the workflow.

        Recoveries may have changed the copy, and newer revisions are no matter of the run.
        """
        others = (each for each in self.workflows if each.workflow_id != own_copy.workflow_id)
        return replace(self, workflows=(*others, own_copy))

    def about(self, decision: Decision) -> Ground:
        """Return the ground of one decision: of other workflows no more than that they are there.

        A session's workflows may have a hundred megabytes; a decision concerns one of them.
        """
        payload = decision.payload if isinstance(decision.payload, Mapping) else {}
        if decision.decision_type == DecisionType.CREATE_NODE:
            concerned = self.draft()
        elif decision.decision_type == DecisionType.MODIFY_NODE:
            concerned = self.holding(str(payload.get("node_id")))
        else:
            concerned = self.workflow(str(payload.get("workflow_id")))
        told = (each if each is concerned else _outline(each) for each in self.workflows)
        return replace(self, workflows=tuple(told))


def plan_facts(ground: Ground, policy: DecisionPolicy) -> PlanFacts:
    """Return what the rules of a plan may know; what neither declares is unknown to them."""
    return PlanFacts(
        secrets=ground.secrets | policy.secrets,
        connections=ground.connections | policy.connections,
        sandboxes=ground.sandboxes,
        domains=policy.api_domains,
        node_types=policy.node_types,
    )


def _outline(workflow: Workflow) -> Workflow:
    return replace(workflow, description="", nodes=(), edges=(), inputs={}, global_config={})


def _has_not_run(workflow: Workflow) -> bool:
    return workflow.status in {WorkflowStatus.DRAFT, WorkflowStatus.READY}


def _has_node(workflow: Workflow, node_id: str) -> bool:
    return any(node.node_id == node_id for node in workflow.nodes)
