"""What an agent knows of its session when a step begins."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from executor_service.decisions.run_results import RunResult
from heartrule.domain.workflows import NodeType
from session_store.records import KeptDecision

_EMPTY = Ground()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGround:
    """The session as the agent of one action finds it."""

    turn_id: str = ""
    """The turn that runs."""
    ground: Ground = _EMPTY
    """What the gate may know."""
    policy: DecisionPolicy = NO_POLICY
    of_turn: tuple[KeptDecision, ...] = ()
    """What it has decided in this turn, in order."""
    waiting: tuple[KeptDecision, ...] = ()
    """Its decisions whose effect is to come or goes on, of any turn, in order; a question that
    waits for its answer is one."""
    runs: tuple[RunResult, ...] = ()
    """Runs that it is told of, the newest last."""


def narrowed(
    known: AgentGround, *, node_types: Collection[NodeType], subagent_types: Collection[str]
) -> AgentGround:
    """Return what an agent may know and do whose script narrows what the installation allows.

    Args:
        known: The session, with the installation's policy.
        node_types: The types of nodes that the script allows; none: those of the policy.
        subagent_types: The sub-agents that it allows.
    """
    registered = known.ground.subagent_types
    named = {name: registered[name] for name in subagent_types if name in registered}
    policy = known.policy
    if node_types:
        allowed = frozenset((*node_types, NodeType.START, NodeType.END))
        both = allowed if policy.node_types is None else allowed & policy.node_types
        policy = policy.model_copy(update={"node_types": both})
    return replace(known, ground=replace(known.ground, subagent_types=named), policy=policy)
