"""Plans that are owed, edits that are proposed between turns, and the queue they are about."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from session_store.codec import load
from session_store.plan_edit_rules import edit_draft, ended, of_topic, undo_of
from session_store.records import KeptEdit, MonitorTicket, PlanningWork, PlanView, ProposedEdit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import attempts
from session_store.sql.database.tables_beside import IS_OWED, monitor_requests
from session_store.sql.monitor import plan_edits, requests
from session_store.sql.monitor.requests import IT
from session_store.sql.sessions import calls, sessions, variables
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import plans
from session_store.sql.turns.leases import RELEASED, paused
from session_store.turn_rules import MAX_MONITOR_ATTEMPTS, tokens_of

_TURN = Prepared(
    select(attempts.c.turn_no).where(
        of(attempts), attempts.c.turn_id == bindparam("at_turn"), attempts.c.turn_no >= 0
    )
)
_NOW = Prepared(select(database_now()))
_OWED = Prepared(select(monitor_requests).where(IT, IS_OWED))
_CLAIM = Prepared(
    monitor_requests.update()
    .where(
        IT,
        IS_OWED,
        monitor_requests.c.planning_claims < MAX_MONITOR_ATTEMPTS,
        monitor_requests.c.lease_until <= bindparam("at_now"),
    )
    .values(
        planning_claims=monitor_requests.c.planning_claims + 1,
        lease_owner=bindparam("to_owner"),
        lease_until=bindparam("to_until"),
    )
    .returning(monitor_requests)
)
_DUE = Prepared(
    select(monitor_requests)
    .where(IS_OWED, monitor_requests.c.lease_until <= bindparam("at_now"))
    .order_by(monitor_requests.c.lease_until)
    .limit(bindparam("most"))
)


def due(db: sa.Connection, limit: int) -> tuple[MonitorTicket, ...]:
    """Return analyses to which a plan is owed without a lease on it; see the port."""
    rows = _DUE.rows(db, {"at_now": _NOW.scalar(db, {}), "most": limit})
    return tuple(
        replace(requests.ticket_of(row), exhausted=row.planning_claims >= MAX_MONITOR_ATTEMPTS)
        for row in rows
    )


def claim(
    db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> PlanningWork | None:
    """Claim a plan that is owed; None when it is not, is held, pauses, or is exhausted."""
    now = _NOW.scalar(db, {})
    wanted = {"at_now": now, "to_owner": owner, "to_until": now + ttl}
    row = _CLAIM.row(db, requests.named(ticket) | wanted)
    if row is None:
        return None
    session = sessions.read(db, ticket.key)
    return PlanningWork(
        judged=requests.work_of(
            db, ticket.key, session, row, attempt=row.failures + row.planning_claims
        ),
        analysis=load(MonitorAnalysis, row.analysis),
        advice_id=row.advice_id,
    )


def settle(db: sa.Connection, proposed: ProposedEdit) -> bool:
    """Write what became of the wish; False where there is none to settle, and nothing proposed."""
    if proposed.ticket is None:
        return True
    request: Found | None = _OWED.row(db, requests.named(proposed.ticket))
    if request is None or proposed.judged_turn_id not in {"", request.turn_id}:
        return False
    if proposed.retry_after is not None:
        until = _NOW.scalar(db, {}) + proposed.retry_after
        later = paused(request, until=until, claims="planning_claims")
        requests.update(db, proposed.ticket, later)
        return False
    ended = {"planning": proposed.state.value, "planning_reason": proposed.reason}
    requests.update(db, proposed.ticket, RELEASED | ended)
    return True


def propose_edit(db: sa.Connection, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
    """Keep a proposal and its calls; nothing where the session or the judged turn is gone."""
    locked = sessions.try_lock(db, proposed.key)
    if locked is None:
        return ()
    first = int(locked.row.next_call)
    origin = calls.Origin(
        key=locked.key, turn_id=proposed.judged_turn_id, first=first, now=locked.now
    )
    calls.store(db, origin, proposed.calls)
    counted: dict[str, object] = {
        "next_call": first + len(proposed.calls),
        "monitor_tokens": int(locked.row.monitor_tokens) + tokens_of(proposed.calls),
    }
    wanted = settle(db, proposed)
    judged = _TURN.rows(db, at(locked.key) | {"at_turn": proposed.judged_turn_id})
    if proposed.edit is None or not judged or not wanted:
        sessions.update(db, locked.key, counted)
        return ()
    return _keep(db, locked, proposed.edit, judged[0].turn_no, counted)


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


def plan_view(db: sa.Connection, key: SessionKey) -> PlanView:
    """Return the queue of the topic the session stands in, and the edits it had."""
    row = sessions.read(db, key)
    position = load(ExecutionPosition, row.position)
    return PlanView(
        script_id=row.script_id,
        script_version=row.script_version,
        replacements=variables.replacements(db, key) if row.replaced else (),
        position=position,
        plan_revision=row.plan_revision,
        plan=plans.of_topic(db, key, position),
        past=of_topic(plan_edits.of_session(db, key), position.phase_id, position.topic_id),
    )


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
