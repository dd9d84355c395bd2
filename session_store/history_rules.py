"""What histories are made of, the same in every store; pure."""

from __future__ import annotations

from heartrule.domain.action_result import ActionResult
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.monitoring import ActionMetricsEntry


def exit_entry(result: ActionResult) -> ExitHistoryEntry:
    """Return the decision on a judged round; its time is that of the event that told it."""
    assert result.exit_decision is not None, "only a judged round has an entry"
    return ExitHistoryEntry(
        action_id=result.action_id,
        action_instance_id=result.action_instance_id,
        action_type=result.action_type,
        round=result.round,
        max_rounds=result.max_rounds,
        decision=result.exit_decision,
        exit_reason=result.exit_reason,
    )


def metrics_entry(result: ActionResult) -> ActionMetricsEntry:
    """Return what a judged round said; its time is that of the event that told it."""
    return ActionMetricsEntry(
        action_id=result.action_id,
        action_instance_id=result.action_instance_id,
        action_type=result.action_type,
        round=result.round,
        metrics=result.metrics,
        progress_suggestion=result.progress_suggestion,
    )
