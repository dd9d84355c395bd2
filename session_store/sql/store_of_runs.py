"""The store of runs of workflows; `session_store.run_port` has what each call promises."""

from __future__ import annotations

import sqlalchemy as sa

from session_store.records.runs import BegunNode, RunLease, RunWritten
from session_store.sql.bound import OfEngine, reads, writes
from session_store.sql.runs import (
    node_steps,
    owning,
    reading,
    recovering,
    run_ends,
    run_values,
    standing,
)
from session_store.sql.sessions.events import was_emitted


def _was_told(
    db: sa.Connection, done: RunWritten | BegunNode, lease: RunLease, *_: object, **__: object
) -> bool:
    """Return whether a worker's write was committed, as far as its events say."""
    return was_emitted(db, lease.key, done.events)


class SqlRunStore(OfEngine):
    """What RunStore promises, but for retention."""

    take_run = writes(owning.take_run)
    begin_node = writes(node_steps.begin_node, proof=_was_told)
    end_node = writes(node_steps.end_node, proof=_was_told)
    decide_recovery = writes(recovering.decide_recovery, proof=_was_told)
    pause_run = writes(owning.pause_run, proof=_was_told)
    finish_run = writes(run_ends.finish_run, proof=_was_told)
    cancel_run = writes(
        run_ends.cancel_run, proof=lambda db, done, key, *_: was_emitted(db, key, done.events)
    )

    beat = writes(standing.beat)
    forget_worker = writes(standing.forget_worker)
    living_workers = reads(standing.living_workers)
    find_admissible = reads(standing.find_admissible)
    admit_runs = writes(standing.admit_runs)
    standing_runs = reads(standing.standing_runs)
    takeovers_of = reads(standing.takeovers_of)
    due_runs = writes(standing.due_runs)
    orphaned_runs = writes(standing.orphaned_runs)

    list_runs = reads(reading.list_runs)
    ended_runs = reads(reading.ended_runs)
    get_run = reads(reading.get_run)
    read_run_progress = reads(owning.read_run_progress)
    get_run_value = reads(run_values.get_run_value)
    get_run_artifact = reads(run_values.get_run_artifact)
