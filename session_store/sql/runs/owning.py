"""Who has a run: taken with a higher token, let go to wait, failed where it kills its workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunKind,
    RunProgress,
    RunState,
)
from heartrule.domain.workflows import Workflow
from session_store.codec import load
from session_store.records.runs import (
    RunEnd,
    RunLease,
    RunNotTaken,
    RunPause,
    RunWritten,
    TakenRun,
)
from session_store.runs.run_drafts import node_drafts, run_draft
from session_store.sql.database.statements import Found
from session_store.sql.runs import node_rows, run_ends, run_rows, run_values
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.runs.run_values import OfRun
from session_store.sql.sessions import sessions
from session_store.sql.sessions.events import Emitted, emit, keep
from session_store.sql.sessions.sessions import FREE

MOST_TAKEOVERS = 5
_LOST = NodeFailure(
    code=RunErrorCode.WORKER_LOST, message="the worker that ran it went away", is_retryable=True
)
_KILLS = NodeFailure(
    code=RunErrorCode.WORKER_LOST,
    message=f"more than {MOST_TAKEOVERS} workers that ran it went away",
    is_retryable=False,
)


def take_run(db: sa.Connection, run_id: str, *, owner: str) -> TakenRun | RunNotTaken:
    """Give a run to a worker, whoever had it; one that ended or waits still gives nothing.

    Its token rises. Attempts that began and did not end are RETRYING from here on, WORKER_LOST,
    where the worker that had it did not let go of it.
    A run that is taken over more than five times from workers that had not let go of it is
    failed, WORKER_LOST.
    """
    key = run_rows.session_of(db, run_id)
    locked = sessions.try_lock(db, key) if key is not None else None
    if key is None or locked is None:
        return RunNotTaken()
    held = HeldRun(locked, run_rows.row_of(db, OfRun(key, run_id)))
    if held.has_ended or _waits(held):
        return RunNotTaken(key=key)
    takeovers = held.row.takeovers + bool(held.row.owner)
    if takeovers > MOST_TAKEOVERS:
        end = RunEnd(state=RunState.FAILED, failure=_KILLS)
        return RunNotTaken(key=key, events=run_ends.end_run(db, held, end).events)
    return _taken(db, held, owner, takeovers)


def _waits(held: HeldRun) -> bool:
    """Return whether the run let go of its worker, and its time has not come."""
    row = held.row
    if row.owner or row.state == RunState.QUEUED:
        return False
    return row.wake_time is None or row.wake_time > held.locked.now


def _taken(db: sa.Connection, held: HeldRun, owner: str, takeovers: int) -> TakenRun:
    row, locked = held.row, held.locked
    newest = node_rows.newest_rows(db, held.of)
    nodes = node_rows.progress(db, held.of, newest)
    running = (each for each in nodes.values() if each.state is NodeState.RUNNING)
    lost = list(running) if row.owner else []  # who let go of it had stopped what ran
    begun_again = [replace(each, state=NodeState.RETRYING, failure=_LOST) for each in lost]
    emitted = _tell(db, held, RunState.RUNNING, begun_again)
    deadline = row.deadline or locked.now + row.timeout
    columns: dict[str, object] = {
        "owner": owner,
        "token": row.token + 1,
        "takeovers": takeovers,
        "admitted": True,
        "state": RunState.RUNNING.value,
        "deadline": deadline,
        "wake_time": None,
        "rest_until": FREE,
        "begin_time": row.begin_time or locked.now,
    }
    run_rows.update(db, held.of, columns)
    if row.state == RunState.WAITING_DECISION:
        run_ends.wake_interrupted(db, locked)
    return TakenRun(
        lease=RunLease(key=locked.key, run_id=row.run_id, owner=owner, token=row.token + 1),
        progress=progress_of(row, nodes | {each.path: each for each in begun_again}),
        time_left=deadline - locked.now,
        kind=RunKind(row.kind),
        thread_id=row.thread_id,
        turn_id=row.turn_id,
        traceparent=row.traceparent,
        waited=None if row.begin_time else locked.now - row.create_time,
        waits=node_rows.waits(newest, locked.now),
        artifacts=run_values.files_of(db, held.of),
        events=emitted.events if emitted else (),
    )


def progress_of(row: Found, nodes: Mapping[str, NodeRecord]) -> RunProgress:
    """Return what decides how the run of a row goes on."""
    inputs: dict[str, Any] = load(dict, row.inputs)
    return RunProgress(workflow=load(Workflow, row.definition), inputs=inputs, nodes=nodes)


def read_run_progress(db: sa.Connection, key: SessionKey, run_id: str) -> RunProgress:
    """Return a run's own copy of its workflow, its inputs, and how far each node is, outputs whole.

    NotFound where the session has no such run.
    """
    sessions.read(db, key)
    run = OfRun(key, run_id)
    row = run_rows.row_of(db, run)
    return progress_of(row, node_rows.progress(db, run, node_rows.newest_rows(db, run)))


def pause_run(db: sa.Connection, lease: RunLease, pause: RunPause) -> RunWritten:
    """Let go of a run until its wake-up, its deadline at the latest; others may take it."""
    held = run_rows.held_by(db, lease)
    emitted = _tell(db, held, pause.state, ())
    row, now = held.row, held.locked.now
    wake: datetime = row.deadline
    if pause.wake_after is not None:
        wake = min(wake, now + pause.wake_after)
    if pause.state is RunState.INTERRUPTED and not row.others_wait:
        wake = now  # what it stopped for was decided meanwhile
    columns: dict[str, object] = {"owner": "", "state": pause.state.value, "wake_time": wake}
    run_rows.update(db, held.of, columns)
    return RunWritten(events=emitted.events if emitted else ())


def _tell(
    db: sa.Connection, held: HeldRun, state: RunState, changed: Sequence[NodeRecord]
) -> Emitted | None:
    """Tell the state where it is another, and write and tell nodes; None: there is nothing."""
    drafts = [run_draft(held.names, state)] if state.value != held.row.state else []
    drafts += node_drafts(held.row.run_id, changed)
    if not drafts:
        return None
    emitted = emit(held.locked, drafts)
    keep(db, held.locked, emitted, {})
    told = node_rows.told(emitted.events, held.locked.now)
    node_rows.store(db, held.of, changed, told)
    return emitted
