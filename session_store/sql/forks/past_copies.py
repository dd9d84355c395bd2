"""The past turns of a session, copied row by row to a fork."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Table

from heartrule.domain.events import (
    AdviceChanged,
    AnalysisEnded,
    InputAccepted,
    MessageCommitted,
    PlanEdited,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice, AdviceState
from session_store.codec import dump, load
from session_store.decisions.plan_edit_rules import edits_of_turns, is_kept, planning_in_fork
from session_store.event_drafts import (
    OF_DECISIONS,
    OF_FORKS,
    OF_RUNS,
    class_of,
    kind_of,
)
from session_store.sql.database.prepared import Prepared, copy_rows
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import attempts, events, messages
from session_store.sql.database.tables_beside import (
    advice,
    monitor_requests,
    session_labels,
    turn_notes,
)
from session_store.sql.database.tables_of_decisions import decisions, workflows
from session_store.sql.database.tables_of_runs import node_runs, run_artifacts, run_values, runs
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.forks import runs_in_forks, threads_in_forks
from session_store.sql.forks.runs_in_forks import EndedRuns, EventNumbers
from session_store.sql.forks.threads_in_forks import NO_PLACES, OpenPlaces
from session_store.sql.monitor import plan_edits
from session_store.sql.sessions import messages as message_rows
from session_store.sql.sessions.event_texts import (
    NamedAdvice,
    NamedDecision,
    NamedRun,
    without_others,
)
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

_ANALYSIS_ENDED = kind_of(AnalysisEnded)
_ADVICE_CHANGED = kind_of(AdviceChanged)
_Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Past:
    """What is copied, and where to."""

    source: SessionKey
    target: SessionKey
    turns: Sequence[Found]


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied."""

    numbers: EventNumbers
    runs_waiting: int = 0
    """Runs whose ends no turn had taken up by then."""
    results_waiting: int = 0
    """Threads that had ended by then, and whose results took no place yet."""
    places: OpenPlaces = NO_PLACES
    """Placeholders that nothing had replaced by then."""


def copy(db: sa.Connection, past: Past) -> Copied:
    """Write the turns' rows for the new session; its own row, plan and variables are others' work.

    Calls of models stay where they were made. Requests that the monitor had not answered when the
    last turn ended are not asked again.
    """
    target = owned(past.target)
    copy_rows(db, session_labels, _all(db, past, session_labels), target)
    if not past.turns:
        brought = workflow_rows.made_by_then(db, past.source, 0)
        copy_rows(db, workflows, brought, target)
        return Copied(EventNumbers())
    last = past.turns[-1].last_seq
    ended = runs_in_forks.ended_by(db, past.source, last)
    rows = _choose(db, past, ended)
    numbers = EventNumbers([row.sequence for row in rows[events]])
    places = threads_in_forks.open_places(rows[messages], last)
    names = {row.client_message_id for row in rows[messages]}
    states = _last_states(rows[events])
    changes: dict[Table, Callable[[Found], _Row]] = {
        events: lambda row: _event(row, numbers, names),
        messages: lambda row: _message(row, numbers, last),
        attempts: lambda row: (
            numbers.moved(row, "last_seq") | {"first_seq": numbers.from_number(row.first_seq)}
        ),
        monitor_requests: lambda row: _request(row, numbers),
        advice: lambda row: _advice(row, past.target, states),
        decisions: lambda row: _decision(row, numbers, last),
        workflows: lambda row: numbers.moved(row, "sequence"),
        runs: lambda row: ended.run_columns(row, numbers),
        node_runs: lambda row: numbers.moved(row, "sequence"),
        sub_threads: lambda row: (
            numbers.moved(row, "sequence", "end_seq")
            | {"shown": not row.parent_thread_id and not places.is_one(row)}
        ),
    }
    for table, found in rows.items():
        copy_rows(db, table, found, target, changes.get(table, lambda _row: {}))
    waiting = sum(places.is_one(row) for row in rows[sub_threads])
    return Copied(numbers, ended.waiting, waiting, places)


def last_message(db: sa.Connection, source: SessionKey, copied: Copied, number: int) -> int:
    """Return the new number of the assistant's last message, or of what took its place by then."""
    old = copied.numbers.old
    said, _ = message_rows.last_said(db, source, number, until=old[-1] if old else 0)
    return copied.numbers.number(said)


def _choose(db: sa.Connection, past: Past, runs_ended: EndedRuns) -> dict[Table, Sequence[Found]]:
    """Return the rows of the turns, and of the analyses that had ended with the last of them."""
    ids = {turn.turn_id for turn in past.turns}
    last = past.turns[-1]
    emitted = [row for row in _all(db, past, events) if row.sequence <= last.last_seq]
    committed = [
        row
        for row in _all(db, past, messages)
        if row.turn_no is not None
        and 0 <= row.turn_no <= last.turn_no
        and row.sequence <= last.last_seq
    ]
    ended = {row.subject for row in emitted if row.kind == _ANALYSIS_ENDED}
    of_turns = _with(db, past, monitor_requests.c.turn_id, ids)
    requests = [row for row in of_turns if f"{row.action_instance_id}/{row.round}" in ended]
    given = {row.advice_id for row in requests}
    decided = decision_rows.made_by_then(db, past.source, last.last_seq)
    passes = _Passes(
        turns=frozenset(ids),
        messages=frozenset(row.sequence for row in committed),
        requests=frozenset(f"{row.action_instance_id}/{row.round}" for row in requests),
        advice=frozenset(given),
        edits=edits_of_turns(plan_edits.of_session(db, past.source), last.turn_no),
        decisions=frozenset(row.decision_id for row in decided),
        runs=runs_ended.ids,
    )
    threads = _with(db, past, sub_threads.c.run_id, runs_ended.of_agents)
    said_in = {row.thread_id for row in threads}
    return {
        events: sorted((row for row in emitted if passes.has(row)), key=lambda row: row.sequence),
        messages: committed,
        attempts: _with(db, past, attempts.c.turn_id, ids),
        turn_notes: _with(db, past, turn_notes.c.turn_id, ids),
        monitor_requests: requests,
        advice: _with(db, past, advice.c.advice_id, given),
        decisions: decided,
        workflows: workflow_rows.made_by_then(db, past.source, last.last_seq),
        runs: runs_ended.rows,
        node_runs: _with(db, past, node_runs.c.run_id, runs_ended.ids),
        run_values: _with(db, past, run_values.c.run_id, runs_ended.ids),
        run_artifacts: _with(db, past, run_artifacts.c.run_id, runs_ended.ids),
        sub_threads: threads,
        sub_thread_messages: _with(db, past, sub_thread_messages.c.thread_id, said_in),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passes:
    """Which events belong to what is copied."""

    turns: frozenset[str]
    messages: frozenset[int]
    requests: frozenset[str]
    advice: frozenset[str]
    edits: frozenset[str]
    decisions: frozenset[str]
    runs: frozenset[str]

    def has(self, event: Found) -> bool:
        """Return whether the event is emitted in the new session too."""
        body = class_of(event.kind)
        if body is InputAccepted or body is MessageCommitted:
            return event.sequence in self.messages
        if body is AnalysisEnded:
            return event.subject in self.requests
        if body is AdviceChanged:
            return load(NamedAdvice, event.body).advice_id in self.advice
        if body in OF_RUNS:
            return load(NamedRun, event.body).id in self.runs
        if body in OF_FORKS and not event.turn_id:
            return True
        if body in OF_DECISIONS and not event.turn_id:
            return load(NamedDecision, event.body).decision_id in self.decisions
        if body is PlanEdited and not event.turn_id:
            return is_kept(load(PlanEdited, event.body), self.edits)
        return event.turn_id in self.turns


def _all(db: sa.Connection, past: Past, table: Table) -> list[Found]:
    return Prepared(sa.select(table).where(of(table))).rows(db, at(past.source))


def _with(
    db: sa.Connection, past: Past, column: sa.Column[str], names: Collection[str]
) -> Sequence[Found]:
    """Return the rows of the column's table that have one of these names; no name, no query."""
    if not names:
        return ()
    found = sa.select(column.table).where(of(column.table), column.in_(sorted(names)))
    return db.execute(found, at(past.source)).all()


def _event(row: Found, numbers: EventNumbers, names: set[str]) -> _Row:
    """Return the event by its new number, without waiting inputs of turns that are not copied."""
    text = without_others(row.kind, row.body, names)
    return numbers.moved(row, "sequence", "message") | {"body": text}


def _message(row: Found, numbers: EventNumbers, last: int) -> _Row:
    """Return the message by its new number, standing where nothing had replaced it by then."""
    by = numbers.number(row.replaced_by) if row.replaced_by <= last else 0
    return numbers.moved(row, "sequence") | {"replaced_by": by}


def _request(row: Found, numbers: EventNumbers) -> _Row:
    """Return the request by its new numbers, free of what is owed where it came from."""
    state, reason = planning_in_fork(row.planning, row.planning_reason)
    planning = {"planning": state, "planning_reason": reason}
    return numbers.moved(row, "judged_seq", "answer_from", "answer_to") | planning


def _decision(row: Found, numbers: EventNumbers, last: int) -> _Row:
    """Return the decision by its new number, as it stood when the last turn had ended."""
    standing = decision_rows.in_fork(row, last, numbers.from_number)
    return numbers.moved(row, "sequence") | standing


def _advice(row: Found, target: SessionKey, states: Mapping[str, AdviceState]) -> _Row:
    """Return the advice as it stood when the last turn had ended."""
    own = replace(load(Advice, row.advice), session_id=target.session_id)
    return {"advice": dump(own), "state": states[row.advice_id].value}


def _last_states(emitted: Sequence[Found]) -> dict[str, AdviceState]:
    changes = (load(NamedAdvice, row.body) for row in emitted if row.kind == _ADVICE_CHANGED)
    return {each.advice_id: each.state for each in changes}
