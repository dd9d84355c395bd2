"""What decisions change of runs: those that begin, and those that go on otherwise or end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from heartrule.domain.errors import NotFound, NotReady, RevisionConflict
from heartrule.domain.events import SessionEvent
from heartrule.domain.runs import NodeRecord, NodeState, RunKind, RunState
from session_store.codec import dump
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.runs import RunEffect
from session_store.runs.run_drafts import node_drafts, run_draft
from session_store.sql.database.statements import Found
from session_store.sql.runs import node_rows, run_ends, run_rows
from session_store.sql.runs.run_ends import Ending
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.runs.run_values import OfRun
from session_store.sql.sessions.sessions import FREE, Locked


@dataclass(frozen=True, slots=True)
class SettledEffect:
    """An effect that can be written, of a run that has not moved since it was judged."""

    held: HeldRun
    effect: RunEffect
    is_owners: bool
    """True: the worker that has the run decided, and goes on with it."""
    ending: Ending | None

    def drafts(self, emitted_by: EmittingAttempt) -> Iterator[EventDraft]:
        """Yield what is told."""
        if self.ending is not None:
            yield from self.ending.drafts(emitted_by)
            return
        yield from node_drafts(self.held.row.run_id, self.effect.nodes, emitted_by)
        if self.held.row.state != RunState.RUNNING:
            yield run_draft(self.held.names, RunState.RUNNING, emitted_by=emitted_by)

    def write(self, db: sa.Connection, events: Sequence[SessionEvent]) -> None:
        """Write the run's copy of its workflow and its nodes; without its worker, let it wake."""
        held, effect, locked = self.held, self.effect, self.held.locked
        columns: dict[str, object] = {}
        if effect.workflow is not None:
            columns["definition"] = dump(effect.workflow)
        if self.ending is not None:
            self.ending.write(db, events)
        else:
            told = node_rows.told(events, locked.now)
            for each in effect.nodes:
                wake = _next_attempt(each, locked.now)
                node_rows.store(db, held.of, (each,), told, wake_time=wake)
            columns["state"] = RunState.RUNNING.value
            if not self.is_owners:
                on_at = locked.now + effect.wake_after
                columns |= {"owner": "", "token": held.row.token + 1}
                columns |= {"wake_time": on_at, "rest_until": FREE}
            if held.row.state == RunState.WAITING_DECISION:
                run_ends.wake_interrupted(db, locked)
        if columns:
            run_rows.update(db, held.of, columns)


def _next_attempt(record: NodeRecord, now: datetime) -> datetime | None:
    """Return when a node that is tried again begins; None: at once, or never."""
    if record.state is not NodeState.RETRYING or not record.delay_s:
        return None
    return now + timedelta(seconds=record.delay_s)


@dataclass(frozen=True, slots=True)
class SettledEffects:
    """Effects of one transaction."""

    each: tuple[SettledEffect, ...]

    def drafts(self, emitted_by: EmittingAttempt) -> tuple[EventDraft, ...]:
        """Return what is told."""
        return tuple(draft for one in self.each for draft in one.drafts(emitted_by))

    def after(self, session: Found, taken_up: int = 0) -> dict[str, object]:
        """Return the column of the session's row that counts ends which no turn has taken up."""
        change = sum(one.ending is not None for one in self.each) - taken_up
        return {"runs_waiting": session.runs_waiting + change} if change else {}

    def take_up(
        self, db: sa.Connection, locked: Locked, run_ids: Sequence[str], first: int
    ) -> dict[str, object]:
        """Take up the ends of runs, as `run_ends.take_up` does; return the column of `after`."""
        return self.after(locked.row, run_ends.take_up(db, locked, run_ids, first))

    def write(self, db: sa.Connection, events: Sequence[SessionEvent]) -> None:
        """Write all of them; none costs nothing."""
        for one in self.each:
            one.write(db, events)


def settled(
    db: sa.Connection, locked: Locked, effects: Sequence[RunEffect], *, owner: str = ""
) -> SettledEffects:
    """Return effects that can be written; `owner` is the worker that decided, if one did.

    Errors:
        NotReady: a safety level freezes the session; reason SESSION_FROZEN.
        NotFound: there is no such run of a workflow.
        RevisionConflict: a run was taken, or ended, since it was judged; reason RUN_MOVED.
    """
    if effects and locked.row.frozen:
        raise frozen()
    return SettledEffects(tuple(_settled(db, locked, each, owner) for each in effects))


def frozen() -> NotReady:
    """Return the error of a decision about a run of a frozen session."""
    return NotReady(
        "a safety level freezes the session; no decision takes effect", reason="SESSION_FROZEN"
    )


def _settled(db: sa.Connection, locked: Locked, effect: RunEffect, owner: str) -> SettledEffect:
    held = HeldRun(locked, run_rows.row_of(db, OfRun(locked.key, effect.run_id)))
    if held.row.kind != RunKind.WORKFLOW:
        raise NotFound("run", effect.run_id)  # a sub-agent decides nothing, and nothing about it
    if held.has_ended or held.row.token != effect.token:
        raise RevisionConflict(
            "the run moved on since the decision was judged",
            reason="RUN_MOVED",
            metadata={"run_id": effect.run_id, "state": held.row.state},
        )
    ending = run_ends.ending_of(db, held, effect.end) if effect.end else None
    is_owners = bool(owner) and held.row.owner == owner
    return SettledEffect(held, effect, is_owners, ending)
