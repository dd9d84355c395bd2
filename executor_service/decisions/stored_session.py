"""Reads from the store what the agents of a session know (RESOLUTIONS C22, D25)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from executor_service.decisions.ground import Ground, Subagents, no_subagents, plan_facts
from executor_service.decisions.policy import NO_POLICIES, DecisionPolicies
from executor_service.decisions.turn_reading import SessionRead
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import SandboxTier
from session_store.ports import Store
from session_store.records import DecisionFilter, KeptDecision, Page
from session_store.records.spending import NO_LIMITS, SpentSoFar

# Decisions of one turn; a script allows at most 20, and those that were refused at once beside.
_OF_TURN = Page(size=200)
# A session has a hundred at most (3.1.3), however they came to be.
_ALL_WORKFLOWS = Page(size=1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSessions:
    """Reads sessions of one store; an instance is a `SessionReader`."""

    store: Store
    policies: DecisionPolicies = NO_POLICIES
    sandboxes: Container[SandboxTier] = frozenset()
    """Where code of a PYTHON node can run; empty: nowhere, and such a node is refused (D9)."""

    subagents: Subagents = no_subagents

    async def __call__(self, key: SessionKey, turn_id: str) -> SessionRead:
        """Read a session's workflows, its open decisions, and those of a turn that has begun."""
        workflows, _ = await self.store.list_workflows(key, _ALL_WORKFLOWS)
        kept: dict[str, KeptDecision] = {}
        if turn_id:
            wanted = DecisionFilter(turn_id=turn_id)
            of_turn, _ = await self.store.list_decisions(key, _OF_TURN, wanted)
            kept = {each.decision.decision_id: each for each in of_turn}
        waiting = await self.store.open_decisions(key)
        kept |= {each.decision.decision_id: each for each in waiting}
        policy = self.policies.of(key.tenant)
        known = await self.subagents(key)
        # What runs have used is read where the policy limits it.
        is_limited = policy.limits != NO_LIMITS
        spent = await self.store.spent(key) if is_limited else SpentSoFar()
        return SessionRead(
            ground=Ground(
                workflows=tuple(each.workflow for each in workflows),
                of_script=frozenset(e.workflow.workflow_id for e in workflows if e.is_of_script),
                subagent_types=known.types,
                subagents_waiting=known.waiting,
                sandboxes=self.sandboxes,
                spent=spent,
            ),
            policy=policy,
            decisions=tuple(sorted(kept.values(), key=lambda each: each.sequence)),
        )

    def plan_facts(self, tenant: str) -> PlanFacts:
        """Return what a workflow of a tenant's script is judged by, whatever the session."""
        return plan_facts(Ground(sandboxes=self.sandboxes), self.policies.of(tenant))
