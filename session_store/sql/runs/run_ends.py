"""The ends of runs: finished by their worker, cancelled by anybody, taken up by a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeRecord, NodeState, RunKind, RunState
from heartrule.domain.thread_changes import ThreadEnd
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.runs import RunEnd, RunLease, RunWritten
from session_store.runs.run_drafts import end_drafts, node_drafts
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Values, at, of
from session_store.sql.database.tables_of_runs import IS_UNENDED, runs
from session_store.sql.runs import node_rows, run_rows
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.runs.run_values import OfRun
from session_store.sql.sessions import sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.sessions.sessions import FREE, Locked
from session_store.sql.threads import showing, thread_ends
from session_store.sql.threads.thread_ends import ThreadsClosing

_WAKE = MappingProxyType(
    {
        state: Prepared(
            runs.update()
            .where(of(runs), runs.c.state == constant(state.value))
            .values(
                wake_time=bindparam("to_wake", type_=runs.c.wake_time.type),
                rest_until=FREE,
            )
        )
        for state in (RunState.INTERRUPTED, RunState.WAITING_DECISION)
    }
)
_TAKE_UP = runs.update().where(
    of(runs),
    runs.c.run_id.in_(bindparam("names", expanding=True)),
    runs.c.end_seq > 0,
    runs.c.taken_seq == 0,
    runs.c.listed,
)
_AGENTS_STANDING = Prepared(
    select(runs)
    .where(of(runs), IS_UNENDED, runs.c.kind == constant(RunKind.SUB_AGENT.value))
    .order_by(runs.c.sequence)
)
_CANCELLED = RunEnd(state=RunState.CANCELLED)
_OUTSIDE = EmittingAttempt()


@dataclass(frozen=True, slots=True)
class Ending:
    """A run that ends: what is told of it, and what is written."""

    held: HeldRun
    end: RunEnd
    nodes: Sequence[NodeRecord]
    """What is known of nodes, and those that had not ended, as CANCELLED."""
    threads: ThreadsClosing
    """Of a sub-agent: those that it worked in."""

    def drafts(self, emitted_by: EmittingAttempt = _OUTSIDE) -> Iterator[EventDraft]:
        """Yield what is told."""
        yield from node_drafts(self.held.row.run_id, self.nodes, emitted_by)
        yield from self.threads.drafts(emitted_by)
        yield from end_drafts(self.held.names, self.end.state, self.end.failure, emitted_by)

    def write(self, db: sa.Connection, events: Sequence[SessionEvent]) -> None:
        """Write the run and its nodes; runs that stopped for it go on."""
        held, end = self.held, self.end
        node_rows.store(db, held.of, self.nodes, node_rows.told(events, held.locked.now))
        end_seq = run_rows.ends_told(events)[held.row.run_id]
        columns = run_rows.ended_columns(held, end.state, end.failure, end_seq)
        run_rows.update(db, held.of, columns)
        self.threads.write(db, events)
        if held.row.state == RunState.WAITING_DECISION:
            wake_interrupted(db, held.locked)


def ending_of(
    db: sa.Connection,
    held: HeldRun,
    end: RunEnd,
    outermost: ThreadEnd | None = None,
    *,
    shows: bool = True,
) -> Ending:
    """Return the ending of a run with the nodes and threads that it closes.

    See `thread_ends.closing`.
    """
    threads = thread_ends.closing(db, held.locked, held.row, end, outermost, shows=shows)
    paths = {each.path for each in end.nodes}
    left = [each for each in node_rows.open_records(db, held.of) if each.path not in paths]
    cancelled = (replace(each, state=NodeState.CANCELLED) for each in left)
    return Ending(held, end, [*end.nodes, *cancelled], threads)


def finish_run(db: sa.Connection, lease: RunLease, end: RunEnd) -> RunWritten:
    """End a run; nodes that have not ended are CANCELLED, and the next turn takes the end up.

    A run never changes again after its end.
    """
    return end_run(db, run_rows.held_by(db, lease), end)


def cancel_run(db: sa.Connection, key: SessionKey, run_id: str) -> RunWritten:
    """End a run as CANCELLED, whoever has it; one that has ended stays as it is."""
    locked = sessions.lock(db, key)
    held = HeldRun(locked, run_rows.row_of(db, OfRun(key, run_id)))
    if held.has_ended:
        return RunWritten()
    return end_run(db, held, _CANCELLED)


def end_run(
    db: sa.Connection,
    held: HeldRun,
    end: RunEnd,
    *,
    outermost: ThreadEnd | None = None,
    counted: Values | None = None,
) -> RunWritten:
    """End a run of a locked session; nodes and threads that have not ended are CANCELLED.

    `outermost` is how its outermost thread ends, where that is known; `counted` are columns of the
    session's row that change with it.
    """
    ending = ending_of(db, held, end, outermost)
    emitted = emit(held.locked, list(ending.drafts()))
    columns: dict[str, object] = {
        "runs_waiting": held.locked.row.runs_waiting + 1,
        "last_message": emitted.last_message,
        **ending.threads.after(),
        **(counted or {}),
    }
    keep(db, held.locked, emitted, columns)
    ending.write(db, emitted.events)
    return RunWritten(events=emitted.events)


def close_all(db: sa.Connection, key: SessionKey) -> None:
    """Cancel the session's sub-agents, and let a message take the place of each placeholder."""
    for row in _AGENTS_STANDING.rows(db, at(key)):
        # Locked again: each end moves the session on.
        end_run(db, HeldRun(sessions.lock(db, key), row), _CANCELLED)
    shown = showing.waiting(db, locked := sessions.lock(db, key))
    if shown.each:
        emitted = emit(locked, shown.drafts())
        keep(db, locked, emitted, {"last_message": emitted.last_message})
        shown.write(db, emitted.events)


def wake_interrupted(db: sa.Connection, locked: Locked) -> None:
    """Have the session's interrupted runs go on: what they stopped for has been decided."""
    _wake(db, locked, RunState.INTERRUPTED)


def wake_waiting(db: sa.Connection, locked: Locked) -> None:
    """Have the session's runs be taken that wait for a decision: nothing freezes it any more."""
    _wake(db, locked, RunState.WAITING_DECISION)


def _wake(db: sa.Connection, locked: Locked, state: RunState) -> None:
    _WAKE[state].run(db, at(locked.key) | {"to_wake": locked.now})


def take_up(db: sa.Connection, locked: Locked, run_ids: Sequence[str], first: int) -> int:
    """Note that a step takes up the ends of runs; return how many waited.

    `first` is the number of the step's first event. One that was taken up stays as it is.
    """
    if not run_ids:
        return 0
    named = at(locked.key) | {"names": sorted(set(run_ids))}
    return db.execute(_TAKE_UP.values(taken_seq=first), named).rowcount
