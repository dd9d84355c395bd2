"""Runs where the last turn is taken back: those begun since are cancelled, ends wait again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.runs import RunKind, RunState
from heartrule.domain.sent_effects import SentEffect
from session_store.event_drafts import EventDraft
from session_store.records.runs import RunEnd
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables_of_runs import node_runs, runs
from session_store.sql.runs import run_ends, run_rows
from session_store.sql.runs.run_ends import Ending
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.runs.run_values import OfRun
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing, thread_rows

_TOUCHED = Prepared(
    select(runs)
    .where(
        of(runs),
        runs.c.listed,
        sa.or_(runs.c.sequence >= bindparam("first"), runs.c.taken_seq >= bindparam("first")),
    )
    .order_by(runs.c.sequence)
)
_SENT = (
    select(node_runs.c.run_id, node_runs.c.path)
    .where(
        of(node_runs),
        node_runs.c.has_effect,
        node_runs.c.run_id.in_(bindparam("names", expanding=True)),
    )
    .group_by(node_runs.c.run_id, node_runs.c.path)
    .order_by(sa.func.min(node_runs.c.sequence))
)
_CANCELLED = RunEnd(state=RunState.CANCELLED)


@dataclass(frozen=True, slots=True)
class RunsTakenBack:
    """What becomes of runs with a turn."""

    locked: Locked
    gone: Sequence[Found]
    """Begun by the turn, or after it."""
    endings: Sequence[Ending]
    """Of those that had not ended."""
    waits_again: Sequence[Found]
    """Taken up by the turn, or after it."""
    effects: tuple[SentEffect, ...]
    """What those that are gone did outside."""
    results_lost: int
    """Results of theirs that have not taken their placeholders' places."""

    def drafts(self) -> list[EventDraft]:
        """Return what is told."""
        return [draft for each in self.endings for draft in each.drafts()]

    def after(self) -> dict[str, object]:
        """Return the columns of the session's row that count what waits for a turn."""
        lost = sum(row.end_seq > 0 and row.taken_seq == 0 for row in self.gone)
        waiting = self.locked.row.runs_waiting + len(self.waits_again) - lost
        results = self.locked.row.results_waiting - self.results_lost
        return {"runs_waiting": waiting, "results_waiting": results}

    def write(self, db: sa.Connection, events: Sequence[SessionEvent]) -> None:
        """Cancel what has not ended, and take the rest out of the lists and of what was taken."""
        for each in self.endings:
            each.write(db, events)
        for row in self.gone:
            run_rows.update(db, OfRun(self.locked.key, row.run_id), {"listed": False})
            if row.kind == RunKind.SUB_AGENT:
                thread_rows.unlist(db, self.locked.key, row.run_id)
        for row in self.waits_again:
            run_rows.update(db, OfRun(self.locked.key, row.run_id), {"taken_seq": 0})


def taken_back(db: sa.Connection, locked: Locked, first: int) -> RunsTakenBack:
    """Return what becomes of runs with a turn, whose first event is given."""
    rows = _TOUCHED.rows(db, at(locked.key) | {"first": first})
    gone = [row for row in rows if row.sequence >= first]
    held = [HeldRun(locked, row) for row in gone]
    return RunsTakenBack(
        locked=locked,
        gone=gone,
        endings=[
            run_ends.ending_of(db, each, _CANCELLED, shows=False)
            for each in held
            if not each.has_ended
        ],
        waits_again=[row for row in rows if row.sequence < first],
        effects=_sent(db, locked, [row.run_id for row in gone]),
        results_lost=showing.waiting_of_runs(db, locked, {row.run_id for row in gone}),
    )


def _sent(db: sa.Connection, locked: Locked, run_ids: Sequence[str]) -> tuple[SentEffect, ...]:
    if not run_ids:
        return ()
    rows = db.execute(_SENT, at(locked.key) | {"names": run_ids})
    return tuple(SentEffect(run_id=run_id, path=path) for run_id, path in rows)
