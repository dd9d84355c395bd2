"""The past turns of a session, copied row by row to a fork."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
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
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import attempts, events, messages
from session_store.sql.database.tables_beside import advice, monitor_requests, turn_notes
from session_store.sql.database.tables_of_decisions import decisions, workflows
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.forks import runs_in_forks, threads_in_forks
from session_store.sql.forks.runs_in_forks import EndedRuns
from session_store.sql.forks.threads_in_forks import NO_PLACES, OpenPlaces
from session_store.sql.lists import label_rows
from session_store.sql.monitor import plan_edits
from session_store.sql.sessions import messages as message_rows
from session_store.sql.sessions.event_texts import (
    NamedAdvice,
    NamedDecision,
    NamedRun,
    without_others,
)
from session_store.sql.sessions.sessions import Locked

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
    """The numbers of the events that are copied, in order: the new session counts them from 1."""

    numbers: Sequence[int]
    runs_waiting: int = 0
    """Runs whose ends no turn had taken up by then."""
    results_waiting: int = 0
    """Threads that had ended by then, and whose results took no place yet."""
    places: OpenPlaces = NO_PLACES
    """Placeholders that nothing had replaced by then."""

    def number(self, old: int) -> int:
        """Return the number of an event in the new session; what is no event's stays."""
        return self.numbers.index(old, bisect_left(self.numbers, old)) + 1 if old > 0 else old

    def from_number(self, old: int) -> int:
        """Return the number of the first event there is from one on; that one may be left out."""
        return bisect_left(self.numbers, old) + 1


def copy(db: sa.Connection, past: Past) -> Copied:
    """Write the turns' rows for the new session; its own row, plan and variables are others' work.

    Calls of models stay where they were made. Requests that the monitor had not answered when the
    last turn ended are not asked again.
    """
    label_rows.copy(db, past.source, past.target)
    if not past.turns:
        brought = workflow_rows.made_by_then(db, past.source, 0)
        _write(db, past, workflows, brought, lambda _row: {})
        return Copied(())
    chosen = _choose(db, past)
    last = past.turns[-1].last_seq
    places = threads_in_forks.open_places(chosen.messages, last)
    copied = Copied([row.sequence for row in chosen.events], chosen.runs.waiting, places=places)
    names = {row.client_message_id for row in chosen.messages}
    _write(db, past, events, chosen.events, lambda row: _event(row, copied, names))
    _write(db, past, messages, chosen.messages, lambda row: _message(row, copied, last))
    _write(db, past, attempts, chosen.attempts, lambda row: _attempt(row, copied))
    _write(db, past, turn_notes, chosen.notes, lambda _row: {})
    _write(db, past, monitor_requests, chosen.requests, lambda row: _request(row, copied))
    states = _last_states(chosen.events)
    _write(db, past, advice, chosen.advice, lambda row: _advice(row, past.target, states))
    _write(db, past, decisions, chosen.decisions, lambda row: _decision(row, copied, last))
    _write(db, past, workflows, chosen.workflows, lambda row: _moved(row, copied, "sequence"))
    keys = (past.source, past.target)
    runs_in_forks.copy(db, chosen.runs, keys, copied)
    waiting = threads_in_forks.copy(db, chosen.runs.of_agents, places, keys, copied)
    return replace(copied, results_waiting=waiting)


def last_message(db: sa.Connection, source: SessionKey, copied: Copied, number: int) -> int:
    """Return the new number of the assistant's last message, or of what took its place by then."""
    until = copied.numbers[-1] if copied.numbers else 0
    return copied.number(message_rows.last_said(db, source, number, until=until)[0])


def close_places(db: sa.Connection, source: Locked, made: Locked, copied: Copied) -> Locked:
    """Close the placeholders whose threads a fork does not have; return it as it is then."""
    return threads_in_forks.close(db, source, made, copied.places)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The rows that are written anew."""

    events: Sequence[Found]
    messages: Sequence[Found]
    attempts: Sequence[Found]
    notes: Sequence[Found]
    requests: Sequence[Found]
    advice: Sequence[Found]
    decisions: Sequence[Found]
    workflows: Sequence[Found]
    runs: EndedRuns


def _choose(db: sa.Connection, past: Past) -> _Chosen:
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
    requests = [
        row
        for row in _all(db, past, monitor_requests)
        if row.turn_id in ids and f"{row.action_instance_id}/{row.round}" in ended
    ]
    given = {row.advice_id for row in requests}
    decided = decision_rows.made_by_then(db, past.source, last.last_seq)
    ended_runs = runs_in_forks.ended_by(db, past.source, last.last_seq)
    passes = _Passes(
        turns=frozenset(ids),
        messages=frozenset(row.sequence for row in committed),
        requests=frozenset(f"{row.action_instance_id}/{row.round}" for row in requests),
        advice=frozenset(given),
        edits=edits_of_turns(plan_edits.of_session(db, past.source), last.turn_no),
        decisions=frozenset(row.decision_id for row in decided),
        runs=ended_runs.ids,
    )
    return _Chosen(
        events=sorted((row for row in emitted if passes.has(row)), key=lambda row: row.sequence),
        messages=committed,
        attempts=[row for row in _all(db, past, attempts) if row.turn_id in ids],
        notes=[row for row in _all(db, past, turn_notes) if row.turn_id in ids],
        requests=requests,
        advice=[row for row in _all(db, past, advice) if row.advice_id in given],
        decisions=decided,
        workflows=workflow_rows.made_by_then(db, past.source, last.last_seq),
        runs=ended_runs,
    )


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


def _write(
    db: sa.Connection,
    past: Past,
    table: Table,
    rows: Sequence[Found],
    change: Callable[[Found], _Row],
) -> None:
    insert = Prepared(table.insert())
    insert.run_each(db, [row._asdict() | change(row) | owned(past.target) for row in rows])


def _moved(row: Found, copied: Copied, *names: str) -> _Row:
    """Return the columns that name events, by their new numbers."""
    return {name: copied.number(getattr(row, name)) for name in names}


def _event(row: Found, copied: Copied, names: set[str]) -> _Row:
    """Return the event by its new number, without waiting inputs of turns that are not copied."""
    text = without_others(row.kind, row.body, names)
    return _moved(row, copied, "sequence", "message") | {"body": text}


def _message(row: Found, copied: Copied, last: int) -> _Row:
    """Return the message by its new number, standing where nothing had replaced it by then."""
    by = copied.number(row.replaced_by) if row.replaced_by <= last else 0
    return _moved(row, copied, "sequence") | {"replaced_by": by}


def _attempt(row: Found, copied: Copied) -> _Row:
    return _moved(row, copied, "last_seq") | {"first_seq": copied.from_number(row.first_seq)}


def _request(row: Found, copied: Copied) -> _Row:
    """Return the request by its new numbers, free of what is owed where it came from."""
    state, reason = planning_in_fork(row.planning, row.planning_reason)
    planning = {"planning": state, "planning_reason": reason}
    return _moved(row, copied, "judged_seq", "answer_from", "answer_to") | planning


def _decision(row: Found, copied: Copied, last: int) -> _Row:
    """Return the decision by its new number, as it stood when the last turn had ended."""
    standing = decision_rows.in_fork(row, last, copied.from_number)
    return _moved(row, copied, "sequence") | standing


def _advice(row: Found, target: SessionKey, states: Mapping[str, AdviceState]) -> _Row:
    """Return the advice as it stood when the last turn had ended."""
    own = replace(load(Advice, row.advice), session_id=target.session_id)
    return {"advice": dump(own), "state": states[row.advice_id].value}


def _last_states(emitted: Sequence[Found]) -> dict[str, AdviceState]:
    changes = (load(NamedAdvice, row.body) for row in emitted if row.kind == _ADVICE_CHANGED)
    return {each.advice_id: each.state for each in changes}
