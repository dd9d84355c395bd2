"""Makes the ExecutionState that clients read from a session's record and variables."""

from __future__ import annotations

from collections.abc import Iterable

from executor_service.variables.lookup import place_at, visible_variables
from heartrule.domain.exits import ActionRoundInfo, ExitHistoryEntry
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.variables import VariableValue
from session_store.records import SessionRecord


def execution_state(
    record: SessionRecord,
    variables: Iterable[VariableValue],
    last: ExitHistoryEntry | None = None,
) -> ExecutionState:
    """Return the state with the variables visible from the session's position.

    While a turn runs the status is RUNNING; the position stays that of the last committed step.

    Args:
        record: The session.
        variables: All its variables.
        last: The newest decision on a round; None: the state has none.
    """
    position = record.position
    return ExecutionState(
        status=status_of(record),
        sequence=record.last_sequence,
        script_id=record.script_id,
        script_version=record.script_version,
        plan_revision=record.plan_revision,
        position=position,
        variables=visible_variables(variables, place_at(position)),
        last_ai_message=record.last_ai_message,
        pending_client_message_ids=record.pending_client_message_ids,
        pending_request=record.open_request,
        error=None if record.running_turn_id else record.error,
        end_reason=record.end_reason,
        running_turn_id=record.running_turn_id,
        last_action_round_info=None if last is None else _round_info(last),
    )


def status_of(record: SessionRecord) -> ExecutionStatus:
    """Return the status, RUNNING while a turn runs."""
    return ExecutionStatus.RUNNING if record.running_turn_id else record.status


def _round_info(entry: ExitHistoryEntry) -> ActionRoundInfo:
    return ActionRoundInfo(
        action_id=entry.action_id,
        action_instance_id=entry.action_instance_id,
        current_round=entry.round,
        max_rounds=entry.max_rounds,
        exit_decision=entry.decision,
    )
