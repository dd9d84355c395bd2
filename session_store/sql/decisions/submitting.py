"""Decisions read, and made between turns; `session_store.decision_port` has what is promised."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound, RevisionConflict
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionStatus
from session_store.decisions.decision_drafts import decision_drafts
from session_store.ending_rules import finished
from session_store.event_drafts import EmittingAttempt
from session_store.past import busy
from session_store.records import Page
from session_store.records.decisions import (
    DecisionFilter,
    DecisionOutcome,
    KeptDecision,
    SubmittedDecision,
)
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of, page_by
from session_store.sql.database.tables_of_decisions import IS_UNDONE, decisions
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.decisions.decision_rows import MadeBy
from session_store.sql.sessions import past, sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts

_LISTED = select(decisions).where(of(decisions), decisions.c.listed).order_by(decisions.c.sequence)
_OPEN = Prepared(select(decisions).where(of(decisions), IS_UNDONE).order_by(decisions.c.sequence))


def list_decisions(
    db: sa.Connection,
    key: SessionKey,
    page: Page,
    wanted: DecisionFilter = DecisionFilter(),  # noqa: B008  frozen
) -> tuple[list[KeptDecision], str]:
    """Return decisions in the order in which they were made, and the next page's token."""
    sessions.read(db, key)
    by = {
        "turn_id": wanted.turn_id,
        "action_instance_id": wanted.action_instance_id,
        "decision_type": wanted.decision_type,
        "state": wanted.state.value if wanted.state else "",
    }
    given = {name: value for name, value in by.items() if value}
    ordered = _LISTED.where(*(decisions.c[name] == bindparam(f"at_{name}") for name in given))
    named = {f"at_{name}": value for name, value in given.items()}
    rows, token = page_by(db, ordered, at(key) | named, page, column=decisions.c.sequence)
    return [decision_rows.kept(row) for row in rows], token


def open_decisions(db: sa.Connection, key: SessionKey) -> tuple[KeptDecision, ...]:
    """Return the decisions whose effect is to come or not done, in order."""
    sessions.read(db, key)
    return tuple(decision_rows.kept(row) for row in _OPEN.rows(db, at(key)))


def get_decision(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision:
    """Return a decision with what became of it; NotFound where the session has none of that id."""
    sessions.read(db, key)
    found = _find(db, key, decision_id)
    if found is None:
        raise NotFound("decision", decision_id)
    return found


def submit_decision(db: sa.Connection, submitted: SubmittedDecision) -> DecisionOutcome:
    """Write a decision that is made between turns, or return what became of its id before."""
    key = submitted.key
    locked = sessions.lock(db, key)
    known = _find(db, key, submitted.change.decision.decision_id)
    if known is not None:
        return DecisionOutcome(kept=known)
    _require_rest(db, locked, submitted.at_sequence)
    decided = decision_rows.settled(db, key, (submitted.change,))
    drafts = list(decision_drafts(decided.changes, submitted.workflows, EmittingAttempt()))
    emitted = emit(locked, drafts)
    keep(db, locked, emitted, {})
    made_by = MadeBy(now=locked.now, events=emitted.events)
    decision_rows.store(db, key, decided, made_by)
    workflow_rows.store(db, key, submitted.workflows, made_by)
    made = _find(db, key, submitted.change.decision.decision_id)
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
    if row.next_seq != at_sequence + 1:
        raise RevisionConflict(
            "the session moved on since the decision was judged",
            reason="SESSION_MOVED",
            metadata={"sequence": str(row.next_seq - 1)},
        )


def _find(db: sa.Connection, key: SessionKey, decision_id: str) -> KeptDecision | None:
    row = decision_rows.named(db, key, (decision_id,)).get(decision_id)
    return None if row is None else decision_rows.kept(row)
