"""Runs that workers are to take, or to take over; and the workers that live."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind, RunState
from session_store.records.kept_runs import QueuedRun, RunWorker
from session_store.records.threads import MOST_THREADS_AT_ONCE
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of, upsert
from session_store.sql.database.tables_of_runs import IS_UNENDED, runs, workers
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import sessions
from session_store.sql.sessions.rows import key_of

# A run that has waited so long is as urgent as one of the next priority.
_ONE_PRIORITY = timedelta(minutes=1)
_NOW = bindparam("at_now", type_=runs.c.rest_until.type)
_UNTIL = bindparam("until", type_=runs.c.rest_until.type)
_MOST = bindparam("most", type_=sa.Integer)
_IS_QUEUED = runs.c.state == constant(RunState.QUEUED.value)
_SESSION = (runs.c.tenant, runs.c.session_id)
_IS_AGENTS = runs.c.kind == constant(RunKind.SUB_AGENT.value)


def _how_many(which: sa.ColumnElement[bool]) -> sa.Function[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((which, 1), else_=0)), 0)


_ADMITTED = _how_many(runs.c.admitted)
_OF_AGENTS = _how_many(sa.and_(_IS_AGENTS, runs.c.admitted))
_ALIVE = workers.c.heartbeat > bindparam("since", type_=workers.c.heartbeat.type)
_SLOTS = select(sa.func.coalesce(sa.func.sum(workers.c.slots), 0)).where(_ALIVE)
_WITH_ROOM = (
    select(*_SESSION)
    .where(IS_UNENDED)
    .group_by(*_SESSION)
    .having(
        bindparam("share") > _ADMITTED,
        sa.or_(
            _how_many(sa.not_(sa.or_(runs.c.admitted, _IS_AGENTS))) > 0,
            sa.and_(
                _how_many(sa.and_(_IS_AGENTS, sa.not_(runs.c.admitted))) > 0,
                _OF_AGENTS < MOST_THREADS_AT_ONCE,
            ),
        ),
    )
    .order_by(sa.func.min(runs.c.create_time))
    .limit(_MOST)
)
_COUNT = select(_ADMITTED, _OF_AGENTS).where(of(runs), IS_UNENDED)
_QUEUED = (
    runs.c.tenant,
    runs.c.session_id,
    runs.c.run_id,
    runs.c.kind,
    runs.c.priority,
    runs.c.sequence,
    runs.c.create_time,
)
_WAITING = Prepared(
    select(*_QUEUED).where(of(runs), IS_UNENDED, _IS_QUEUED, sa.not_(runs.c.admitted))
)
_ADMIT = runs.update().where(of(runs), runs.c.run_id.in_(bindparam("names", expanding=True)))
_STANDING = Prepared(
    select(runs)
    .where(IS_UNENDED, runs.c.admitted, runs.c.run_id > bindparam("after"))
    .order_by(runs.c.run_id)
    .limit(_MOST)
)
_TAKEOVERS = Prepared(
    select(runs.c.takeovers).where(IS_UNENDED, runs.c.run_id == bindparam("at_run"))
)
_RESTED = sa.and_(IS_UNENDED, runs.c.rest_until <= _NOW)
_DUE = (
    select(runs.c.run_id)
    .where(_RESTED, runs.c.owner == "", runs.c.wake_time <= _NOW)
    .with_for_update(skip_locked=True)
)
_ORPHANED = (
    select(runs.c.run_id)
    .where(
        _RESTED,
        runs.c.owner != "",
        runs.c.owner.not_in(select(workers.c.worker_id).where(_ALIVE)),
    )
    .with_for_update(skip_locked=True)
)
_BEAT = Prepared(upsert(workers))
_FORGET = Prepared(workers.delete().where(workers.c.worker_id == bindparam("at_worker")))
_LIVING = Prepared(select(workers).where(_ALIVE))
_WORKERS = RowsOf(RunWorker, workers)
_QUEUED_RUNS = RowsOf(QueuedRun, runs)


def beat(db: sa.Connection, worker: RunWorker) -> None:
    """Write that a worker lives now."""
    _BEAT.run(db, _WORKERS.columns(worker, heartbeat=now_of(db)))


def forget_worker(db: sa.Connection, worker_id: str) -> None:
    """Write that a worker has stopped: what it has is orphaned at once."""
    _FORGET.run(db, {"at_worker": worker_id})


def living_workers(db: sa.Connection, silent: timedelta) -> tuple[RunWorker, ...]:
    """Return the workers whose heartbeat is younger than `silent`."""
    rows = _LIVING.rows(db, _since(db, silent))
    return tuple(sorted(map(_WORKERS.value, rows), key=lambda each: each.worker_id))


def find_admissible(db: sa.Connection, silent: timedelta, limit: int) -> tuple[SessionKey, ...]:
    """Return sessions with runs that `admit_runs` would admit, the longest waiting first."""
    share = {"share": _share(db, silent), "most": limit}
    return tuple(SessionKey(*each) for each in db.execute(_WITH_ROOM, share))


def admit_runs(db: sa.Connection, key: SessionKey, silent: timedelta) -> tuple[QueuedRun, ...]:
    """Admit a session's queued runs to its share of the living workers; return these, in order.

    The share is half of their slots, at least one; runs that are admitted and have not ended
    have it, `MOST_THREADS_AT_ONCE` of sub-agents among them. Urgent ones come first, and one
    that has waited a minute has risen by one priority. Nothing is admitted twice.
    """
    if sessions.try_lock(db, key) is None:
        return ()
    admitted, of_agents = db.execute(_COUNT, at(key)).one()
    most = max(0, _share(db, silent) - admitted)
    waiting = sorted(_WAITING.rows(db, at(key)), key=_rank) if most else []
    rows = _first(waiting, most, MOST_THREADS_AT_ONCE - of_agents)
    if rows:
        names = {"names": [row.run_id for row in rows]}
        db.execute(_ADMIT.values(admitted=True), at(key) | names)
    return tuple(map(_queued, rows))


def standing_runs(db: sa.Connection, limit: int, after: str = "") -> tuple[QueuedRun, ...]:
    """Return admitted runs that have not ended, by id, from the one after `after` on."""
    return tuple(map(_queued, _STANDING.rows(db, {"after": after, "most": limit})))


def takeovers_of(db: sa.Connection, run_id: str) -> int:
    """Return how often a run was taken from a worker that had not let go; 0: it has ended."""
    row = _TAKEOVERS.row(db, {"at_run": run_id})
    return row.takeovers if row else 0


def due_runs(db: sa.Connection, limit: int, *, again_after: timedelta) -> tuple[str, ...]:
    """Return runs without a worker whose time to go on has come.

    Neither this nor `orphaned_runs` returns them again before `again_after` has passed.
    """
    now = now_of(db)
    return _leave_alone(db, _DUE.limit(limit), {"at_now": now, "until": now + again_after})


def orphaned_runs(
    db: sa.Connection, limit: int, *, silent: timedelta, again_after: timedelta
) -> tuple[str, ...]:
    """Return runs whose worker has no heartbeat, or one older than `silent`, as `due_runs`."""
    now = now_of(db)
    times: dict[str, object] = {"at_now": now, "until": now + again_after, "since": now - silent}
    return _leave_alone(db, _ORPHANED.limit(limit), times)


def _leave_alone(
    db: sa.Connection, which: sa.Select[tuple[str]], times: dict[str, object]
) -> tuple[str, ...]:
    statement = (
        runs.update()
        .where(IS_UNENDED, runs.c.rest_until <= _NOW, runs.c.run_id.in_(which))
        .values(rest_until=_UNTIL)
        .returning(runs.c.run_id)
    )
    return tuple(db.execute(statement, times).scalars())


def _share(db: sa.Connection, silent: timedelta) -> int:
    slots: int = db.execute(_SLOTS, _since(db, silent)).scalar_one()
    return max(1, slots // 2)


def _since(db: sa.Connection, silent: timedelta) -> dict[str, object]:
    return {"since": now_of(db) - silent}


def _rank(row: Found) -> tuple[datetime, int]:
    """Return what orders runs: urgent ones first, and a minute's wait makes one more urgent."""
    return row.create_time - row.priority * _ONE_PRIORITY, row.sequence


def _first(waiting: Sequence[Found], most: int, most_of_agents: int) -> list[Found]:
    """Return the first of those that wait, in order, so many of sub-agents among them."""
    found: list[Found] = []
    for row in waiting:
        is_agents = row.kind == RunKind.SUB_AGENT
        if len(found) < most and (not is_agents or most_of_agents > 0):
            found.append(row)
            most_of_agents -= is_agents
    return found


def _queued(row: Found) -> QueuedRun:
    return _QUEUED_RUNS.value(row, key=key_of(row))
