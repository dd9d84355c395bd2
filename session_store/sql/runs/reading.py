"""Runs as they are read: lists, one with all that happened in it, ends that wait for a turn."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.records import Page
from session_store.records.kept_runs import KeptRun, RunDetails, RunFilter, RunLanding
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables_of_runs import runs
from session_store.sql.lists.list_fields import RUN_FIELDS
from session_store.sql.lists.listing import Listing, meeting
from session_store.sql.rows_of import RowsOf
from session_store.sql.runs import node_rows, owning, run_rows, run_values
from session_store.sql.runs.run_values import OfRun
from session_store.sql.sessions import sessions
from session_store.sql.sessions.rows import key_of

# A list needs neither the definition nor the inputs, which are long.
_SHORT = select(*(each for each in runs.c if each.name not in {"definition", "inputs"}))
RUNS_LISTED = Listing(
    rows=_SHORT.where(of(runs), runs.c.listed),
    name=runs.c.sequence,
    fields=RUN_FIELDS,
    orders={"create_time": runs.c.sequence},
    order_by="create_time",
)
_WAITING = Prepared(
    _SHORT.where(of(runs), runs.c.listed, runs.c.end_seq > 0, runs.c.taken_seq == 0).order_by(
        runs.c.end_seq
    )
)
_RUNS = RowsOf(KeptRun, runs, name="workflow_name", is_announced="announced")


def list_runs(
    db: sa.Connection,
    key: SessionKey,
    page: Page,
    wanted: RunFilter = RunFilter(),  # noqa: B008  frozen
) -> tuple[list[KeptRun], str]:
    """Return runs in the order in which they were queued, and the next page's token.

    Those of turns that were taken back are left out.
    """
    session = sessions.read(db, key)
    rows, token = RUNS_LISTED.page(db, at(key), page, *meeting(runs, wanted))
    return [_kept(row, session) for row in rows], token


def ended_runs(db: sa.Connection, key: SessionKey) -> tuple[KeptRun, ...]:
    """Return the runs whose ends wait for a turn, in the order in which they ended."""
    session = sessions.read(db, key)
    return tuple(_kept(row, session) for row in _WAITING.rows(db, at(key)))


def get_run(db: sa.Connection, key: SessionKey, run_id: str) -> RunDetails:
    """Return a run with its attempts and files, also of a turn that was taken back.

    NotFound where the session has no such run.
    """
    session = sessions.read(db, key)
    run = OfRun(key, run_id)
    row = run_rows.row_of(db, run)
    progress = owning.progress_of(row, {})
    return RunDetails(
        run=_kept(row, session),
        workflow=progress.workflow,
        inputs=progress.inputs,
        nodes=node_rows.kept_nodes(db, run),
        artifacts=run_values.files_of(db, run),
    )


def _kept(row: Found, session: Found) -> KeptRun:
    return _RUNS.value(
        row,
        key=key_of(row),
        landing=_landing(row, session),
        is_taken_back=not row.listed,
        is_trimmed=not row.kept,
    )


def _landing(row: Found, session: Found) -> RunLanding:
    if not row.end_seq or not row.listed:
        return RunLanding.NONE
    if row.taken_seq:
        return RunLanding.TAKEN
    is_over = session.status == ExecutionStatus.COMPLETED
    return RunLanding.SESSION_OVER if is_over else RunLanding.WAITS
