"""Rows of runs: written when a run begins, read, and changed under the session's lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.errors import LeaseLost, NotFound, NotReady
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import ENDED_RUNS, NodeFailure, RunKind, RunState
from heartrule.domain.workflows import WorkflowStatus
from session_store.codec import dump
from session_store.records.runs import NewRun, RunLease, RunNames
from session_store.sql.database.prepared import PendingRows, Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, of, of_one_session, owned
from session_store.sql.database.tables_of_runs import IS_UNENDED, runs
from session_store.sql.decisions import workflow_rows
from session_store.sql.decisions.decision_rows import MadeBy
from session_store.sql.rows_of import RowsOf
from session_store.sql.runs import node_rows, run_values
from session_store.sql.runs.run_values import OF_RUN, OfRun
from session_store.sql.sessions import sessions
from session_store.sql.sessions.sessions import FREE, Locked

_RUNNABLE = frozenset({WorkflowStatus.READY, WorkflowStatus.COMPLETED})
_INSERT = Prepared(runs.insert())
_UPDATE = Prepared(runs.update().where(of(runs), runs.c.run_id == OF_RUN))
_OTHER = runs.alias("other")
# Another run of the session waits for a decision, so that this one stops between two nodes.
_OTHERS_WAIT = sa.exists().where(
    of_one_session(_OTHER, runs),
    _OTHER.c.run_id != runs.c.run_id,
    _OTHER.c.state == constant(RunState.WAITING_DECISION.value),
)
_ONE = Prepared(
    select(runs, _OTHERS_WAIT.label("others_wait")).where(of(runs), runs.c.run_id == OF_RUN)
)
_FIND = Prepared(
    select(runs.c.tenant, runs.c.session_id).where(IS_UNENDED, runs.c.run_id == OF_RUN)
)
_NAMES = RowsOf(RunNames, runs, name="workflow_name", is_announced="announced")
_BEGUN = RowsOf(NewRun, runs, but="kept")
_ENDED = frozenset(each.value for each in ENDED_RUNS)


@dataclass(frozen=True, slots=True)
class HeldRun:
    """A run and its session, locked."""

    locked: Locked
    row: Found

    @property
    def of(self) -> OfRun:
        """Return what names it."""
        return OfRun(self.locked.key, self.row.run_id)

    @property
    def names(self) -> RunNames:
        """Return what its events say of it."""
        return names_of(self.row)

    @property
    def has_ended(self) -> bool:
        """Return whether it is COMPLETED, FAILED or CANCELLED."""
        return self.row.state in _ENDED


def names_of(row: Found) -> RunNames:
    """Return what events of a row's run say of it."""
    agent = row.workflow_name if row.kind == RunKind.SUB_AGENT else ""
    return _NAMES.value(row, agent=agent)


def session_of(db: sa.Connection, run_id: str) -> SessionKey | None:
    """Return the session of a run that has not ended; None where there is no such run."""
    row = _FIND.row(db, {"at_run": run_id})
    return None if row is None else SessionKey(row.tenant, row.session_id)


def find(db: sa.Connection, run: OfRun) -> Found | None:
    """Return the row of a run; None where the session has none of that id."""
    return _ONE.row(db, run.at)


def row_of(db: sa.Connection, run: OfRun) -> Found:
    """Return the row of a run; NotFound where the session has none of that id."""
    row = find(db, run)
    if row is None:
        raise NotFound("run", run.run_id)
    return row


def held_by(db: sa.Connection, lease: RunLease) -> HeldRun:
    """Lock the session of the run that this lease may write.

    Errors:
        LeaseLost: the token is not the newest, or run or session are gone; reason RUN_TAKEN.
    """
    return ask_held(db, lease)()


def ask_held(db: sa.Connection, lease: RunLease) -> Callable[[], HeldRun]:
    """Send for what `held_by` returns; the result returns it, once."""
    locking = sessions.ask_lock(db, lease.key)
    asked: PendingRows = _ONE.ask(db, OfRun(lease.key, lease.run_id).at)

    def held() -> HeldRun:
        locked = sessions.locked_by(lease.key, locking)
        found = asked.rows()  # read in any case: SQLite's VACUUM fails while a statement is open
        owned_by = (lease.owner, lease.token)
        if locked is None or not found or (found[0].owner, found[0].token) != owned_by:
            raise LeaseLost("another worker took the run over, or it has ended", reason="RUN_TAKEN")
        return HeldRun(locked, found[0])

    return held


def update(db: sa.Connection, run: OfRun, columns: dict[str, object]) -> None:
    """Write columns of a run's row."""
    _UPDATE.run(db, run.at | columns)


def store(db: sa.Connection, key: SessionKey, begun: Sequence[NewRun], made_by: MadeBy) -> None:
    """Insert runs that begin, with the nodes and files they keep of an earlier one.

    Errors:
        NotReady: the workflow runs, has failed, or is a draft; reason WORKFLOW_NOT_READY.
        QuotaSpent: what is kept is too large.
    """
    numbers = {
        each.body.run_id: each.sequence
        for each in made_by.events
        if isinstance(each.body, RunChanged) and each.body.state is RunState.QUEUED
    }
    for each in begun:
        if each.kind is RunKind.WORKFLOW:
            _require_ready(db, key, each)
        else:
            assert each.message_id, "the step that begins it opens its thread in a message"
        run = OfRun(key, each.run_id)
        _INSERT.run(db, owned(key) | _new_row(each, numbers[each.run_id], made_by))
        if each.kept:
            node_rows.store(db, run, each.kept, node_rows.told(made_by.events, made_by.now))
            kept_paths = [record.path for record in each.kept]
            run_values.keep_files(db, run, each.replaces, kept_paths)


def _require_ready(db: sa.Connection, key: SessionKey, begun: NewRun) -> None:
    workflow = begun.workflow
    kept = workflow_rows.find(db, key, workflow.workflow_id, workflow.revision)
    status = kept.workflow.status if kept else None
    if status not in _RUNNABLE:
        raise NotReady(
            f"revision {workflow.revision} of workflow {workflow.workflow_id!r} cannot run now",
            reason="WORKFLOW_NOT_READY",
            metadata={"status": status.value if status else ""},
        )


def _new_row(begun: NewRun, sequence: int, made_by: MadeBy) -> dict[str, object]:
    return _BEGUN.new_row(
        begun,
        **_NAMES.columns(begun.names),
        turn_id=made_by.turn_id,
        sequence=sequence,
        listed=True,
        state=RunState.QUEUED.value,
        definition=dump(begun.workflow),
        kept="full",
        rest_until=FREE,
        create_time=made_by.now,
    )


def ended_columns(
    held: HeldRun, state: RunState, failure: NodeFailure | None, end_seq: int
) -> dict[str, object]:
    """Return the columns of a run that ends; whoever had it is fenced."""
    return {
        "state": state.value,
        "failure": dump(failure) if failure else "",
        "end_seq": end_seq,
        "end_time": held.locked.now,
        "owner": "",
        "token": held.row.token + 1,
        "wake_time": None,
    }


def ends_told(events: Sequence[SessionEvent]) -> dict[str, int]:
    """Return the numbers of the events that tell the ends of runs, by run."""
    return {
        each.body.run_id: each.sequence
        for each in events
        if isinstance(each.body, RunChanged) and each.body.state in ENDED_RUNS
    }
