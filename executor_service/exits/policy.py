"""Which sources may end an action of a given type (document 001 section 3.2.1)."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.scripts.configs import ActionType
from heartrule.domain.exits import DecisionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitPolicy:
    """Whether an action type takes part in exits over several rounds, and by which sources."""

    supports_exit: bool
    """False: the action runs once, decides nothing and leaves no exit history."""
    enabled_sources: frozenset[DecisionSource] = frozenset()


EVERY_SOURCE = ExitPolicy(supports_exit=True, enabled_sources=frozenset(DecisionSource))
"""An interactive action: all four sources decide."""
LAST_ROUND_ONLY = ExitPolicy(
    supports_exit=True, enabled_sources=frozenset({DecisionSource.MAX_ROUNDS})
)
"""A round whose reply nobody could read: only the last round ends the action (RESOLUTIONS C4)."""
NO_EXIT = ExitPolicy(supports_exit=False)
"""An inner or single step."""


def policy_of(action_type: str) -> ExitPolicy:
    """Return the policy of an action type; a type that is not interactive has NO_EXIT."""
    interactive = (ActionType.AI_ASK, ActionType.AI_SAY, ActionType.FILL_FORM)
    return EVERY_SOURCE if action_type in interactive else NO_EXIT
