"""Ending sessions that are idle for too long (RESOLUTIONS C31)."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import load
from session_store.ending_rules import idle_end
from session_store.sql.database.schema import database_now
from session_store.sql.database.tables import sessions as table
from session_store.sql.monitor import plan_edits
from session_store.sql.sessions import messages, sessions, variables
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.leases import RELEASED
from session_store.sql.turns.turns import is_held
from session_store.step_events import StepContext, step_drafts

_RESTING = (ExecutionStatus.WAITING_INPUT.value, ExecutionStatus.ERROR.value)
_NOW = select(database_now())
_IDLE = (
    select(table.c.tenant, table.c.session_id)
    .where(
        table.c.deleted.is_(False),
        table.c.opened,
        table.c.waiting == 0,
        table.c.status.in_(_RESTING),
        table.c.update_time <= bindparam("until", type_=table.c.update_time.type),
    )
    .limit(bindparam("most"))
)


def find_idle(db: sa.Connection, idle: timedelta, limit: int) -> tuple[SessionKey, ...]:
    """Return opened sessions that wait for a client since longer than `idle`."""
    until = db.execute(_NOW).scalar_one() - idle
    found = db.execute(_IDLE, {"until": until, "most": limit})
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)


def end_idle(db: sa.Connection, key: SessionKey, idle: timedelta) -> tuple[SessionEvent, ...]:
    """End the session where it is idle still; else nothing is written and nothing returned."""
    locked = sessions.try_lock(db, key)
    if locked is None or not _rests(db, locked, idle):
        return ()
    row = locked.row
    position = load(ExecutionPosition, row.position)
    step = idle_end(variables.local(db, key), position)
    state = ExecutionState(
        status=ExecutionStatus.COMPLETED,
        script_id=row.script_id,
        script_version=row.script_version,
        plan_revision=row.plan_revision,
        position=position,
        last_ai_message=messages.spoken(db, key, row.last_message),
        end_reason=EndReason.IDLE_TIMEOUT,
    )
    edits = plan_edits.settle(db, locked, step, row.next_turn - 1)
    context = StepContext(state=state, edits=edits)
    emitted = emit(locked, step_drafts(step, context))
    variables.clear(db, key, step.scopes_left)
    variables.store(db, variables.VariableOwner(key, row.user_id), step.variables, locked.now)
    ended = {
        "status": ExecutionStatus.COMPLETED.value,
        "end_reason": EndReason.IDLE_TIMEOUT.value,
        "error": None,
        "open_turn_id": "",
    }
    keep(db, locked, emitted, ended | RELEASED | plan_edits.after(locked.row, edits))
    return emitted.events


def _rests(db: sa.Connection, locked: Locked, idle: timedelta) -> bool:
    row = locked.row
    if not row.opened or row.waiting or row.status not in _RESTING or is_held(locked):
        return False
    unfinished = attempts.unfinished(db, locked)
    failed = unfinished is None or unfinished.state == AttemptState.FAILED
    return failed and bool(row.update_time <= locked.now - idle)
