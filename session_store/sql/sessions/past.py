"""The past turns of a session: read to be folded by `session_store.past`, or copied to a fork."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Table, bindparam, select

from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    HistoryRewound,
    InputAccepted,
    PlanEdited,
    ScopeLeft,
    StrategyDecided,
    VariableChanged,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice, AdviceState
from session_store.codec import dump, load
from session_store.event_drafts import OF_FORKS, NamedAdvice, class_of, kind_of, without_others
from session_store.past import PastStep
from session_store.plan_edit_rules import edits_of_turns, is_kept, planning_in_fork
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import HAS_SUBJECT, attempts, events, messages
from session_store.sql.database.tables_beside import advice, monitor_requests
from session_store.sql.monitor import plan_edits
from session_store.sql.safety import safety_states
from session_store.sql.safety.safety_states import Rewound
from session_store.sql.turns import plans
from session_store.sql.turns.attempts import AttemptState

_ATTEMPTS = Prepared(
    select(attempts)
    .where(of(attempts), attempts.c.turn_no >= 0)
    .order_by(attempts.c.turn_no, attempts.c.attempt)
)
_OPERATIONS = Prepared(
    select(events.c.turn_id, events.c.body)
    .where(of(events), events.c.kind == kind_of(VariableChanged))
    .order_by(events.c.sequence)
)
_DONE = Prepared(
    select(events.c.sequence).where(
        of(events),
        events.c.subject == bindparam("at_request"),
        HAS_SUBJECT,
        events.c.kind == kind_of(HistoryRewound),
    )
)
_IN_HISTORIES = (VariableChanged, ScopeLeft, ActionResultRecorded, StrategyDecided)
_TURN_NO = bindparam("at_turn_no", type_=sa.Integer)
_FREE_MESSAGES = Prepared(
    messages.update()
    .where(of(messages), messages.c.turn_no == _TURN_NO)
    .values(turn_no=-1 - messages.c.turn_no)
)
_FREE_ATTEMPTS = Prepared(
    attempts.update()
    .where(of(attempts), attempts.c.turn_no == _TURN_NO)
    .values(turn_no=-1 - attempts.c.turn_no)
)
_UNLIST = Prepared(
    events.update()
    .where(
        of(events),
        events.c.sequence >= bindparam("from_sequence"),
        # Outside a turn a session was ended by time after it, which is undone as well.
        events.c.turn_id.in_([bindparam("at_turn"), constant("")]),
        events.c.kind.in_([constant(kind_of(each)) for each in _IN_HISTORIES]),
    )
    .values(subject="", listed=False)
)
# States of a turn that neither runs nor is asked to run.
SETTLED = frozenset({
    AttemptState.COMPLETED.value, AttemptState.FAILED.value, AttemptState.GIVEN_UP.value
})  # fmt: skip
_ANALYSIS_ENDED = kind_of(AnalysisEnded)
_ADVICE_CHANGED = kind_of(AdviceChanged)
_Row: TypeAlias = dict[str, Any]


def turns(db: sa.Connection, key: SessionKey) -> list[Found]:
    """Return the newest attempt of every turn that was not taken back, in order."""
    newest = {row.turn_id: row for row in _ATTEMPTS.rows(db, at(key))}
    return list(newest.values())


def has_ended(turn: Found) -> bool:
    """Return whether the session stood after this turn: it ended, and not in a failure."""
    return bool(turn.state == AttemptState.COMPLETED)


def steps_of(db: sa.Connection, key: SessionKey, which: Sequence[Found]) -> list[PastStep]:
    """Return what the committed steps of each of these turns changed, in order."""
    known = plans.of_session(db, key)
    written = defaultdict(list)
    for row in _OPERATIONS.rows(db, at(key)):
        written[row.turn_id].append(load(VariableChanged, row.body).variable_operation)
    return [
        PastStep(
            turn_no=turn.turn_no,
            instances=plans.changed(turn.plan, known),
            operations=tuple(written.get(turn.turn_id, ())),
        )
        for turn in which
    ]


def rewound(db: sa.Connection, key: SessionKey, request_id: str) -> int | None:
    """Return the number of the HistoryRewound that a request made; None for the empty id."""
    row = _DONE.row(db, at(key) | {"at_request": request_id}) if request_id else None
    return None if row is None else row.sequence


def set_aside(db: sa.Connection, key: SessionKey, turn: Found) -> Rewound | None:
    """Make room for a turn that may use the names of one that is taken back.

    Messages and attempts keep its number as -1-n; its events are in no history and have no subject.
    Returned is where the session is on the crisis path then; None: nothing changes.
    """
    name = {"at_turn_no": turn.turn_no, "at_turn": turn.turn_id, "from_sequence": turn.first_seq}
    for statement in (_FREE_MESSAGES, _FREE_ATTEMPTS, _UNLIST):
        statement.run(db, at(key) | name)
    return safety_states.rewound(db, key, turn.first_seq)


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

    def number(self, old: int) -> int:
        """Return the number of an event in the new session; 0 stays 0."""
        return self.numbers.index(old, bisect_left(self.numbers, old)) + 1 if old else 0

    def from_number(self, old: int) -> int:
        """Return the number of the first event there is from one on; that one may be left out."""
        return bisect_left(self.numbers, old) + 1


def copy(db: sa.Connection, past: Past) -> Copied:
    """Write the turns' rows for the new session; its own row, plan and variables are others' work.

    Calls of models stay where they were made. Requests that the monitor had not answered when the
    last turn ended are not asked again.
    """
    if not past.turns:
        return Copied(())
    chosen = _choose(db, past)
    copied = Copied([row.sequence for row in chosen.events])
    names = {row.client_message_id for row in chosen.messages}
    _write(db, past, events, chosen.events, lambda row: _event(row, copied, names))
    _write(db, past, messages, chosen.messages, lambda row: _moved(row, copied, "sequence"))
    _write(db, past, attempts, chosen.attempts, lambda row: _attempt(row, copied))
    _write(db, past, monitor_requests, chosen.requests, lambda row: _request(row, copied))
    states = _last_states(chosen.events)
    _write(db, past, advice, chosen.advice, lambda row: _advice(row, past.target, states))
    return copied


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The rows that are written anew."""

    events: Sequence[Found]
    messages: Sequence[Found]
    attempts: Sequence[Found]
    requests: Sequence[Found]
    advice: Sequence[Found]


def _choose(db: sa.Connection, past: Past) -> _Chosen:
    """Return the rows of the turns, and of the analyses that had ended with the last of them."""
    ids = {turn.turn_id for turn in past.turns}
    last = past.turns[-1]
    emitted = [row for row in _all(db, past, events) if row.sequence <= last.last_seq]
    committed = [
        row
        for row in _all(db, past, messages)
        if row.turn_no is not None and 0 <= row.turn_no <= last.turn_no
    ]
    ended = {row.subject for row in emitted if row.kind == _ANALYSIS_ENDED}
    requests = [
        row
        for row in _all(db, past, monitor_requests)
        if row.turn_id in ids and f"{row.action_instance_id}/{row.round}" in ended
    ]
    given = {row.advice_id for row in requests}
    passes = _Passes(
        turns=frozenset(ids),
        inputs=frozenset(row.sequence for row in committed),
        requests=frozenset(f"{row.action_instance_id}/{row.round}" for row in requests),
        advice=frozenset(given),
        edits=edits_of_turns(plan_edits.of_session(db, past.source), last.turn_no),
    )
    return _Chosen(
        events=sorted((row for row in emitted if passes.has(row)), key=lambda row: row.sequence),
        messages=committed,
        attempts=[row for row in _all(db, past, attempts) if row.turn_id in ids],
        requests=requests,
        advice=[row for row in _all(db, past, advice) if row.advice_id in given],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passes:
    """Which events belong to what is copied."""

    turns: frozenset[str]
    inputs: frozenset[int]
    requests: frozenset[str]
    advice: frozenset[str]
    edits: frozenset[str]

    def has(self, event: Found) -> bool:
        """Return whether the event is emitted in the new session too."""
        body = class_of(event.kind)
        if body is InputAccepted:
            return event.sequence in self.inputs
        if body is AnalysisEnded:
            return event.subject in self.requests
        if body is AdviceChanged:
            return load(NamedAdvice, event.body).advice_id in self.advice
        if body in OF_FORKS and not event.turn_id:
            return True
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


def _attempt(row: Found, copied: Copied) -> _Row:
    return _moved(row, copied, "last_seq") | {"first_seq": copied.from_number(row.first_seq)}


def _request(row: Found, copied: Copied) -> _Row:
    """Return the request by its new numbers, free of what is owed where it came from."""
    state, reason = planning_in_fork(row.planning, row.planning_reason)
    planning = {"planning": state, "planning_reason": reason}
    return _moved(row, copied, "judged_seq", "answer_from", "answer_to") | planning


def _advice(row: Found, target: SessionKey, states: Mapping[str, AdviceState]) -> _Row:
    """Return the advice as it stood when the last turn had ended."""
    own = replace(load(Advice, row.advice), session_id=target.session_id)
    return {"advice": dump(own), "state": states[row.advice_id].value}


def _last_states(emitted: Sequence[Found]) -> dict[str, AdviceState]:
    changes = (load(NamedAdvice, row.body) for row in emitted if row.kind == _ADVICE_CHANGED)
    return {each.advice_id: each.state for each in changes}
