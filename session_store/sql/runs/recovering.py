"""A recovery: the failure, the decision about it, its verdict and its effect at once."""

from __future__ import annotations

import sqlalchemy as sa

from session_store.decisions.decision_drafts import decision_drafts
from session_store.event_drafts import EmittingAttempt
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import RunLease, RunWritten
from session_store.sql.decisions import decision_rows
from session_store.sql.decisions.decision_rows import MadeBy
from session_store.sql.runs import run_effects, run_rows
from session_store.sql.runs.node_steps import EndedAttempt
from session_store.sql.sessions.events import emit, keep

_OUTSIDE = EmittingAttempt()


def decide_recovery(db: sa.Connection, lease: RunLease, recovery: NodeRecovery) -> RunWritten:
    """Write a failed node, the decisions about it with their verdicts, and their effect.

    NotReady, reason SESSION_FROZEN, while a safety level freezes the session; nothing is
    written then.
    """
    held = run_rows.held_by(db, lease)
    locked, key = held.locked, lease.key
    if locked.row.frozen:
        raise run_effects.frozen()
    ended = EndedAttempt(held, recovery.failed) if recovery.failed else None
    wanted = (recovery.effect,) if recovery.effect else ()
    effects = run_effects.settled(db, locked, wanted, owner=lease.owner)
    decided = decision_rows.settled(db, key, recovery.decisions)
    drafts = ended.drafts() if ended else []
    for change in decided.changes:  # what replaces a rejected one is made behind its verdict
        drafts += decision_drafts((change,), (), _OUTSIDE)
    drafts += effects.drafts(_OUTSIDE)
    emitted = emit(locked, drafts)
    called = ended.append_calls(db) if ended else {}
    keep(db, locked, emitted, effects.after(locked.row) | called)
    if ended is not None:
        ended.write(db, emitted)
    effects.write(db, emitted.events)
    decision_rows.store(db, key, decided, MadeBy(now=locked.now, events=emitted.events))
    return RunWritten(events=emitted.events)
