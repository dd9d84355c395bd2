"""Exit policies: the sources that may end an action (document 001 section 3.2.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from executor_service.scripts.model.actions import INTERACTIVE, AskConfig
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.scripts.model.script import Action
from heartrule.domain.exits import DecisionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveExitPolicy:
    """Whether an action type takes part in exits over several rounds, and by which sources."""

    supports_exit: bool
    """False: the action runs once, decides nothing and leaves no exit history."""
    enabled_sources: frozenset[DecisionSource] = frozenset()


#: An interactive action: all four sources decide.
EVERY_SOURCE = EffectiveExitPolicy(supports_exit=True, enabled_sources=frozenset(DecisionSource))
#: An inner or single step.
NO_EXIT = EffectiveExitPolicy(supports_exit=False)


def policy_for(action: Action) -> EffectiveExitPolicy:
    """Return an action's policy: its own `exit_policy` narrows that of its type."""
    policy = policy_of(action.action_type)
    if action.exit_sources is None or not policy.supports_exit:
        return policy
    return replace(policy, enabled_sources=policy.enabled_sources & action.exit_sources)


def criteria_of(config: AskConfig) -> ExitCriteria | None:
    """Return the criteria of an ask; one that names no end of its own ends when all is known."""
    if config.exit or config.exit_criteria is not None:
        return config.exit_criteria
    return ExitCriteria(outputs_known=True)


def ends_by_rounds(action: Action) -> bool:
    """Return whether the last round ends the action; a script may take that source away."""
    return DecisionSource.MAX_ROUNDS in policy_for(action).enabled_sources


def unreadable_policy(policy: EffectiveExitPolicy) -> EffectiveExitPolicy:
    """Return the policy of a round with an unreadable reply: the last round alone (C4)."""
    last = policy.enabled_sources & {DecisionSource.MAX_ROUNDS}
    return replace(policy, enabled_sources=last)


def policy_of(action_type: str) -> EffectiveExitPolicy:
    """Return the policy of an action type; a type that is not interactive has NO_EXIT."""
    return EVERY_SOURCE if action_type in INTERACTIVE else NO_EXIT
