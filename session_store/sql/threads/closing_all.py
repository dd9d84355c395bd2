"""Every thread of a session closed, before what runs them is deleted by age (T10)."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind, RunState
from session_store.records.runs import RunEnd
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables_of_runs import IS_UNENDED, runs
from session_store.sql.runs import run_ends
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.sessions import sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.threads import showing

_STANDING = Prepared(
    select(runs)
    .where(of(runs), IS_UNENDED, runs.c.kind == constant(RunKind.SUB_AGENT.value))
    .order_by(runs.c.sequence)
)
_CANCELLED = RunEnd(state=RunState.CANCELLED)


def close_all(db: sa.Connection, key: SessionKey) -> None:
    """Cancel the session's sub-agents, and let a message take the place of each placeholder."""
    for row in _STANDING.rows(db, at(key)):
        # Locked again: each end moves the session on.
        run_ends.end_run(db, HeldRun(sessions.lock(db, key), row), _CANCELLED)
    shown = showing.waiting(db, locked := sessions.lock(db, key))
    if shown.each:
        emitted = emit(locked, shown.drafts())
        keep(db, locked, emitted, {"last_message": emitted.last_message})
        shown.write(db, emitted.events)
