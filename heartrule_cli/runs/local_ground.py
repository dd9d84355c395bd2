"""What a run in this process may use."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from executor_service.decisions.policy import DecisionPolicies
from executor_service.decisions.session_spending import SessionSpending
from executor_service.workflows.engine.driver_ports import RunMeans
from executor_service.workflows.nodes.node_access import NodeAccess
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import SandboxTier
from heartrule.model.ports import ChatModel
from session_store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalGround:
    """The policy with its values, this machine's sandboxes, and a model."""

    policies: DecisionPolicies
    access: NodeAccess
    """What the policy opens, with addresses and secrets."""
    sandboxes: Container[SandboxTier]
    model: ChatModel
    """Answers LLM nodes; whoever made it closes it."""

    async def means(self, store: Store, key: SessionKey) -> RunMeans:
        """Return what the nodes of a session may use; what they spend is counted in `store`."""
        spending = SessionSpending(store=store, key=key, policy=self.policies.of(key.tenant))
        return RunMeans(access=self.access, spending=spending)
