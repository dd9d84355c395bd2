"""Edits of plans that are proposed between turns, and what becomes of the wish for one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from heartrule.domain.position import ExecutionStatus
from session_store.plan_edit_rules import edit_draft, ended, undo_of
from session_store.records import KeptEdit, ProposedEdit
from session_store.sql.monitor import plan_edits, requests
from session_store.sql.sessions import calls, sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts
from session_store.sql.turns.leases import RELEASED


def _settle(db: sa.Connection, now: datetime, proposed: ProposedEdit) -> bool:
    """Write what became of the wish; False where there is none to settle, and nothing proposed."""
    if proposed.ticket is None:
        return True
    request = requests.owed_request(db, proposed.ticket)
    if request is None or proposed.judged_turn_id not in {"", request.turn_id}:
        return False
    if proposed.retry_after is not None:
        until = now + proposed.retry_after
        requests.pause(db, proposed.ticket, request, until=until, claims="planning_claims")
        return False
    ended = {"planning": proposed.state.value, "planning_reason": proposed.reason}
    requests.update(db, proposed.ticket, RELEASED | ended)
    return True


def propose_edit(db: sa.Connection, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
    """Keep a proposal and its calls; nothing where the session or the judged turn is gone."""
    locked = sessions.try_lock(db, proposed.key)
    if locked is None:
        return ()
    counted = calls.append_monitor_calls(db, locked, proposed.judged_turn_id, proposed.calls)
    wanted = _settle(db, locked.now, proposed)
    judged = attempts.newest(db, locked.key, proposed.judged_turn_id)
    if proposed.edit is None or judged is None or judged.turn_no < 0 or not wanted:
        sessions.update(db, locked.key, counted)
        return ()
    return _keep(db, locked, proposed.edit, judged.turn_no, counted)


def request_undo(
    db: sa.Connection, key: SessionKey, undo: PlanEdit
) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
    """Keep an undo for the next turn; the same request again gives the first."""
    locked = sessions.lock(db, key)
    made = undo_of(plan_edits.of_session(db, key), undo)
    if made.edit_id != undo.edit_id:
        return made, ()
    emitted = _keep(db, locked, made, locked.row.next_turn - 1, {})
    return _state(locked, replace(made, made_at=locked.now)), emitted


def _keep(
    db: sa.Connection,
    locked: Locked,
    edit: PlanEdit,
    judged_turn_no: int,
    counted: dict[str, object],
) -> tuple[SessionEvent, ...]:
    made = _state(locked, replace(edit, made_at=locked.now))
    emitted = emit(locked, [edit_draft(made)])
    row = KeptEdit(edit=made, judged_turn_no=judged_turn_no, sequence=emitted.first)
    plan_edits.store(db, locked.key, [row])
    waits = made.state is PlanEditState.PENDING
    keep(db, locked, emitted, counted | {"edits_waiting": locked.row.edits_waiting + waits})
    return emitted.events


def _state(locked: Locked, edit: PlanEdit) -> PlanEdit:
    """Return the edit in the state it begins with: after the session's end it has expired."""
    return ended(edit) if locked.row.status == ExecutionStatus.COMPLETED else edit
