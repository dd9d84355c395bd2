"""Inputs, outputs and files of runs, and texts of their threads, emptied by age; states stay."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from session_store.sql.database.prepared import now_of
from session_store.sql.database.statements import of_one_session
from session_store.sql.database.tables_of_runs import (
    IS_KEPT_RUN,
    node_runs,
    run_artifacts,
    run_values,
    runs,
)
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

# Runs one transaction empties, so that no other writer waits long.
TRIM_BATCH = 20

_NAMES = tuple(each.name for each in runs.primary_key.columns)
# Its result has not taken its placeholder's place.
_IS_OWED = sa.exists().where(
    of_one_session(sub_threads, runs),
    sub_threads.c.thread_id == runs.c.thread_id,
    sub_threads.c.listed,
    sa.not_(sub_threads.c.shown),
)
_OLD = (
    select(*(runs.c[name] for name in _NAMES))
    .where(
        IS_KEPT_RUN,
        runs.c.end_time < bindparam("before", type_=runs.c.end_time.type),
        sa.not_(_IS_OWED),
    )
    .limit(TRIM_BATCH)
)


def _of_them(table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row is of one of the runs that are emptied."""
    return sa.tuple_(*(table.c[name] for name in _NAMES)).in_(bindparam("those", expanding=True))


# Messages have their threads', not their runs', names.
_THREADS_OF_THEM = select(
    sub_threads.c.tenant, sub_threads.c.session_id, sub_threads.c.thread_id
).where(_of_them(sub_threads))
_SAID_IN_THEM = sa.tuple_(
    sub_thread_messages.c.tenant,
    sub_thread_messages.c.session_id,
    sub_thread_messages.c.thread_id,
).in_(_THREADS_OF_THEM)
_SILENT = {"request": "{}", "settings": "{}", "result_text": "", "result_values": "{}"}
_NOTHING = {"inputs": "", "inputs_hash": "", "output": "", "output_hash": ""}
_EMPTYING = (
    run_values.delete().where(_of_them(run_values)),
    run_artifacts.delete().where(_of_them(run_artifacts)),
    node_runs.update().where(_of_them(node_runs)).values(_NOTHING),
    sub_thread_messages.update().where(_SAID_IN_THEM).values(text="", meta="{}"),
    sub_threads.update().where(_of_them(sub_threads)).values(_SILENT),
    runs.update().where(_of_them(runs)).values(kept="", inputs="{}"),
)


def trim_runs(db: sa.Connection, older_than: timedelta) -> int:
    """Empty a batch of runs that ended before; return how many it was."""
    found = db.execute(_OLD, {"before": now_of(db) - older_than}).all()
    those = [tuple(row) for row in found]
    for statement in _EMPTYING if those else ():
        db.execute(statement, {"those": those})
    return len(those)
