"""A session's record and variables as the ExecutionState clients read."""

from __future__ import annotations

from collections.abc import Iterable

from executor_service.variables.lookup import place_at, visible_variables
from heartrule.domain.position import ExecutionState
from heartrule.domain.variables import VariableValue
from session_store.records import SessionRecord


def execution_state(record: SessionRecord, variables: Iterable[VariableValue]) -> ExecutionState:
    """Return the state with the variables visible from the session's position."""
    position = record.position
    return ExecutionState(
        status=record.status,
        sequence=record.last_sequence,
        script_id=record.script_id,
        script_version=record.script_version,
        plan_revision=record.plan_revision,
        position=position,
        variables=visible_variables(variables, place_at(position)),
        last_ai_message=record.last_ai_message,
        pending_client_message_ids=record.pending_client_message_ids,
        pending_request=record.open_request,
        error=record.error,
        end_reason=record.end_reason,
    )
