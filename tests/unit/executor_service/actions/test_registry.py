"""Every action type has its runner."""

from __future__ import annotations

from executor_service.actions.registry import action_runners
from executor_service.scripts.model.actions import ActionType


def test_every_type_a_script_may_use_can_run() -> None:
    """A script that loads never meets a type without one; use_skill is part of the plan."""
    assert set(action_runners()) >= set(ActionType) - {ActionType.USE_SKILL}
