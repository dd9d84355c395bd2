"""Decisions made between turns."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import RevisionConflict
from heartrule.domain.position import EndReason, ExecutionStatus
from session_store.decisions.decision_drafts import decision_drafts
from session_store.event_drafts import OF_WORK, EmittingAttempt, kind_of
from session_store.past import busy
from session_store.records.decisions import DecisionOutcome, SubmittedDecision
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables import events
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.decisions.decision_rows import MadeBy
from session_store.sql.runs import run_effects, run_rows
from session_store.sql.sessions import past, sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts
from session_store.sql.turns.ending_rules import finished

_MOVED = Prepared(
    select(events.c.sequence)
    .where(
        of(events),
        events.c.sequence > bindparam("since"),
        events.c.kind.not_in([constant(kind_of(each)) for each in OF_WORK]),
    )
    .limit(1)
)


def submit_decision(db: sa.Connection, submitted: SubmittedDecision) -> DecisionOutcome:
    """Write a decision that is made between turns, with verdict and effect, in one transaction.

    A known id writes nothing and returns what became of it, rejected or taken back too
    (RESOLUTIONS D20). SessionFinished at the session's end; SessionBusy while a turn runs or is
    to run; RevisionConflict, reason SESSION_MOVED, where the session has moved since the
    verdict.
    """
    key = submitted.key
    locked = sessions.lock(db, key)
    known = decision_rows.find_decision(db, key, submitted.change.decision.decision_id)
    if known is not None:
        return DecisionOutcome(kept=known)
    _require_rest(db, locked, submitted.at_sequence)
    decided = decision_rows.settled(db, key, (submitted.change,))
    effects = run_effects.settled(db, locked, submitted.run_effects)
    outside = EmittingAttempt()
    told = decision_drafts(decided.changes, submitted.workflows, outside, submitted.runs)
    emitted = emit(locked, [*told, *effects.drafts(outside)])
    keep(db, locked, emitted, effects.after(locked.row))
    made_by = MadeBy(now=locked.now, events=emitted.events)
    decision_rows.store(db, key, decided, made_by)
    workflow_rows.store(db, key, submitted.workflows, made_by)
    effects.write(db, emitted.events)
    run_rows.store(db, key, submitted.runs, made_by)
    made = decision_rows.find_decision(db, key, submitted.change.decision.decision_id)
    assert made is not None, "it was written above"
    return DecisionOutcome(kept=made, events=emitted.events)


def _require_rest(db: sa.Connection, locked: Locked, at_sequence: int) -> None:
    """Refuse where the session has ended, is at work, or moved on since the decision was judged."""
    row = locked.row
    if row.status == ExecutionStatus.COMPLETED.value:
        raise finished(EndReason(row.end_reason) if row.end_reason else None)
    newest = attempts.newest(db, locked.key, row.open_turn_id) if row.open_turn_id else None
    settled = newest is None or newest.state in past.SETTLED
    if locked.is_held or row.waiting or not settled:
        raise busy()
    if _has_moved(db, locked, at_sequence):
        raise RevisionConflict(
            "the session moved on since the decision was judged",
            reason="SESSION_MOVED",
            metadata={"sequence": str(row.next_seq - 1)},
        )


def _has_moved(db: sa.Connection, locked: Locked, at_sequence: int) -> bool:
    """Return whether anything happened since but the work of runs, whose nodes begin and end."""
    if locked.row.next_seq == at_sequence + 1:
        return False
    since = at(locked.key) | {"since": at_sequence}
    return bool(_MOVED.rows(db, since))
