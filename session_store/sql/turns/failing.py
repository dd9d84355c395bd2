"""Ending an attempt as FAILED, and what every end of a step says of the session."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump, load
from session_store.records import Lease, TurnFailure
from session_store.sql.database.statements import Found
from session_store.sql.sessions import calls, messages
from session_store.sql.sessions.events import emit, keep
from session_store.sql.turns import attempts
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.leases import RELEASED, held_by
from session_store.sql.turns.snapshot import message_ids
from session_store.step_events import failure_drafts


def fail_turn(db: sa.Connection, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
    """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, failure)
    row, key = locked.row, lease.key
    state = state_of(
        db,
        key,
        row,
        status=ExecutionStatus.ERROR,
        position=load(ExecutionPosition, row.position),
        last_ai_message=messages.spoken(db, key, row.last_message),
    )
    state = replace(state, error=failure.problem)
    drafts = failure_drafts(
        failure,
        state=state,
        client_message_ids=attempts.inputs_of(attempt),
        message_ids=message_ids(db, key, attempt.turn_no) if attempt.steps else (),
    )
    emitted = emit(locked, drafts)
    end = {"state": AttemptState.FAILED.value, "last_seq": emitted.events[-1].sequence}
    attempts.update(db, key, attempt, end)
    origin = calls.Origin(key=key, turn_id=failure.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, failure.calls)
    after = {
        "status": ExecutionStatus.ERROR.value,
        "error": dump(failure.problem),
        "next_call": row.next_call + len(failure.calls),
        "stop_request": "",
    }
    keep(db, locked, emitted, after | RELEASED)
    return emitted.events


def state_of(
    db: sa.Connection,
    key: SessionKey,
    row: Found,
    *,
    status: ExecutionStatus,
    position: ExecutionPosition,
    last_ai_message: str,
) -> ExecutionState:
    """Return the session's state: what a step gives, and what none changes."""
    return ExecutionState(
        status=status,
        position=position,
        last_ai_message=last_ai_message,
        script_id=row.script_id,
        script_version=row.script_version,
        plan_revision=row.plan_revision,
        pending_client_message_ids=messages.pending(db, key) if row.waiting else (),
    )
