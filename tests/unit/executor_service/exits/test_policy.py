"""Exit policies by action type."""

from __future__ import annotations

import pytest

from executor_service.exits.policy import EVERY_SOURCE, NO_EXIT, policy_of
from heartrule.domain.exits import DecisionSource


@pytest.mark.parametrize("action_type", ["ai_ask", "ai_say"])
def test_interactive_types(action_type: str) -> None:
    """ai_ask and ai_say may end by each of the four sources."""
    assert policy_of(action_type) == EVERY_SOURCE
    assert EVERY_SOURCE.enabled_sources == frozenset(DecisionSource)


@pytest.mark.parametrize("action_type", ["ai_think", "show_pic", "something"])
def test_inner_types(action_type: str) -> None:
    """Every other type takes no part in exits."""
    assert policy_of(action_type) == NO_EXIT
    assert not NO_EXIT.supports_exit
