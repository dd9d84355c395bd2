"""What ends without a step: turns that fail, and sessions idle for too long (RESOLUTIONS C31)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump, load
from session_store.records import Lease, TurnFailure, TurnKind
from session_store.sql.database.prepared import now_of
from session_store.sql.database.tables import sessions as table
from session_store.sql.monitor import plan_edits
from session_store.sql.sessions import calls, messages, sessions, variables
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing
from session_store.sql.turns import attempts, stops
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.ending_rules import idle_end
from session_store.sql.turns.leases import RELEASED, held_by
from session_store.sql.turns.snapshot import message_ids
from session_store.step_events import StepContext, failure_drafts, step_drafts

_RESTING = (ExecutionStatus.WAITING_INPUT.value, ExecutionStatus.ERROR.value)
_IDLE = (
    select(table.c.tenant, table.c.session_id)
    .where(
        table.c.deleted.is_(False),
        table.c.opened,
        table.c.frozen.is_(False),  # nobody in danger is sent away by a clock
        table.c.waiting == 0,
        table.c.status.in_(_RESTING),
        table.c.update_time <= bindparam("until", type_=table.c.update_time.type),
    )
    .limit(bindparam("most"))
)


def find_idle(db: sa.Connection, idle: timedelta, limit: int) -> tuple[SessionKey, ...]:
    """Return opened sessions that wait for a client since longer than `idle`."""
    found = db.execute(_IDLE, {"until": now_of(db) - idle, "most": limit})
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)


def end_idle(db: sa.Connection, key: SessionKey, idle: timedelta) -> tuple[SessionEvent, ...]:
    """End the session where it is idle still, with a snapshot of each scope (C31).

    Globals survive; further input is SessionFinished. Not idle any more: nothing.
    """
    locked = sessions.try_lock(db, key)
    if locked is None or not _rests(db, locked, idle):
        return ()
    row = locked.row
    position = load(ExecutionPosition, row.position)
    step = idle_end(variables.local(db, key), position)
    shown = showing.waiting(db, locked)
    state = state_of(
        db,
        locked,
        status=ExecutionStatus.COMPLETED,
        position=position,
        last_ai_message=shown.text_in_last(),
    )
    state = replace(state, end_reason=EndReason.IDLE_TIMEOUT)
    # Numbered as if a next turn decided them: a fork after the last one has none of them.
    edits = plan_edits.settle(db, locked, step, row.next_turn)
    context = StepContext(state=state, edits=edits, in_places=tuple(shown.drafts()))
    emitted = emit(locked, step_drafts(step, context))
    variables.clear(db, key, step.scopes_left)
    variables.store(db, variables.VariableOwner(key, row.user_id), step.variables, locked.now)
    ended = {
        "status": ExecutionStatus.COMPLETED.value,
        "end_reason": EndReason.IDLE_TIMEOUT.value,
        "error": None,
        "open_turn_id": "",
        "last_message": emitted.last_message,
        **shown.after(),
    }
    keep(db, locked, emitted, ended | RELEASED | plan_edits.after(locked.row, edits))
    shown.write(db, emitted.events)
    return emitted.events


def _rests(db: sa.Connection, locked: Locked, idle: timedelta) -> bool:
    row = locked.row
    if not row.opened or row.frozen or row.waiting or row.status not in _RESTING or locked.is_held:
        return False
    unfinished = attempts.unfinished(db, locked)
    failed = unfinished is None or unfinished.state == AttemptState.FAILED
    return failed and bool(row.update_time <= locked.now - idle)


def fail_turn(db: sa.Connection, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
    """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, failure)
    key = lease.key
    shown = showing.waiting(db, locked)
    state = state_of(db, locked, status=ExecutionStatus.ERROR, last_ai_message=shown.text_in_last())
    earlier = message_ids(db, key, attempt.turn_no) if attempt.steps else ()
    drafts = failure_drafts(
        failure,
        state=replace(state, error=failure.problem.for_clients()),
        client_message_ids=attempts.inputs_of(attempt),
        message_ids=(*earlier, *shown.ids_in(failure.turn_id)),
    )
    emitted = emit(locked, [*shown.drafts(failure.turn_id, failure.attempt), *drafts])
    end = {"state": AttemptState.FAILED.value, "last_seq": emitted.events[-1].sequence}
    after: dict[str, object] = {
        "status": ExecutionStatus.ERROR.value,
        "error": dump(failure.problem.for_clients()),
        "stop_request": stops.after_failure(locked.row),
        "last_message": emitted.last_message,
        **shown.after(),
    }
    # What an opening, or a turn with a committed step, has left to say no other turn would say.
    if failure.is_final and attempt.kind == TurnKind.INPUT and not attempt.steps:
        end |= attempts.given_up(locked)
        after["open_turn_id"] = ""
    attempts.update(db, key, attempt, end)
    counted = calls.append(db, locked, failure.turn_id, failure.calls)
    keep(db, locked, emitted, after | counted | RELEASED)
    shown.write(db, emitted.events)
    return emitted.events


def state_of(
    db: sa.Connection,
    locked: Locked,
    *,
    status: ExecutionStatus,
    position: ExecutionPosition | None = None,
    last_ai_message: str | None = None,
) -> ExecutionState:
    """Return the session's state with this status; position and last message may be new."""
    row = locked.row
    if position is None:
        position = load(ExecutionPosition, row.position)
    if last_ai_message is None:
        last_ai_message = messages.text_of(db, locked.key, row.last_message)
    return ExecutionState(
        status=status,
        position=position,
        last_ai_message=last_ai_message,
        script_id=row.script_id,
        script_version=row.script_version,
        plan_revision=row.plan_revision,
        pending_client_message_ids=messages.pending(db, locked.key) if row.waiting else (),
    )
