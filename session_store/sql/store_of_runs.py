"""The store of runs and of their sub-threads."""

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
from session_store.sql.threads import checkpoints, thread_paths
from session_store.sql.threads import reading as thread_reading


def _was_told(
    db: sa.Connection, done: RunWritten | BegunNode, lease: RunLease, *_: object, **__: object
) -> bool:
    """Return whether a worker's write was committed, as far as its events say."""
    return was_emitted(db, lease.key, done.events)


class SqlRunStore(OfEngine):
    """Runs, of workflows and sub-agents, and their threads.

    What a worker writes of a run that it took, and of the threads of it, is fenced by the run's
    token: by a lease that is no longer the newest, or of a run that has ended, it writes nothing
    and is LeaseLost, reason RUN_TAKEN. A step, a submitted decision or a recovery begins runs; a
    step of a turn opens a run's outermost thread (`StepCommit.threads`), which whoever takes the
    run over finds with `read_run_threads`.
    """

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

    checkpoint = writes(checkpoints.checkpoint, proof=_was_told)
    finish_thread = writes(checkpoints.finish_thread, proof=_was_told)

    get_thread = reads(thread_reading.get_thread)
    list_threads = reads(thread_reading.list_threads)
    list_thread_messages = reads(thread_reading.list_thread_messages)
    read_run_threads = reads(thread_reading.read_run_threads)
    read_thread_tree = reads(thread_reading.read_thread_tree)
    threads_waiting = reads(thread_reading.threads_waiting)
    thread_at = reads(thread_paths.thread_at)
    paths_of = reads(thread_paths.paths_of)
    list_main_messages = reads(thread_paths.list_main_messages)
