"""The tables of a database as the checker reads them, and where each session came to stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos.databases import Database, Row
from tests.chaos.run_dump import RAN, NodeRow, RunRow, node_rows, run_rows
from tests.chaos.thread_dump import (
    TALKED,
    PlaceholderRow,
    ThreadMessageRow,
    ThreadRow,
    placeholder_rows,
    thread_message_rows,
    thread_rows,
)

_ID = re.compile(r"\b([a-z]+)_[0-9a-f]{28}\b")
_VARIABLES = """
    SELECT session_id, scope, name, value, type, source, origin FROM variables
    ORDER BY session_id, scope, name, scope_id
"""
_PLAN = """
    SELECT session_id, phase_id, topic_id, ordinal, action_id, state, round FROM action_instances
    ORDER BY session_id, phase_id, topic_id, ordinal
"""
_MESSAGES = """
    SELECT session_id, role, parts, completeness FROM messages
    ORDER BY session_id, turn_no, sequence
"""
_INSTANCES = "JOIN action_instances i USING (tenant, session_id, action_instance_id)"
_ADVICE = f"""
    SELECT a.session_id, i.action_id, a.about_round, a.state FROM advice a {_INSTANCES}
    ORDER BY a.session_id, i.phase_id, i.ordinal, a.about_round
"""
_ANALYSES = f"""
    SELECT m.session_id, i.action_id, m.round, m.outcome FROM monitor_requests m {_INSTANCES}
    ORDER BY m.session_id, i.phase_id, i.ordinal, m.round
"""

_DECISIONS = """
    SELECT session_id, decision_id, sequence, decision_type, state, action_instance_id, listed
    FROM decisions ORDER BY session_id, sequence
"""
_WORKFLOWS = """
    SELECT session_id, workflow_id, revision, decision_id, status
    FROM workflows ORDER BY session_id, workflow_id, revision
"""
_DECIDED = """
    SELECT session_id, decision_type, author, state, place FROM decisions WHERE listed
    ORDER BY session_id, sequence
"""
_DRAFTED = "SELECT session_id, revision, status FROM workflows ORDER BY session_id, sequence"
_SAFETY = """
    SELECT s.session_id, t.state FROM sessions s JOIN safety_states t
    ON (t.tenant, t.session_id, t.sequence) = (s.tenant, s.session_id, s.safety_seq)
"""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message that is kept."""

    session_id: str
    sequence: int
    message_id: str
    role: str
    text: str
    completeness: str
    turn_id: str
    client_message_id: str
    action_instance_id: str
    replaces: str = ""
    """The placeholder whose place it took; empty: none."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """A durable event."""

    session_id: str
    sequence: int
    turn_id: str
    attempt: int
    kind: str
    message_id: str
    """Of the message it refers to; empty where there is none."""
    body: str


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt of a turn."""

    session_id: str
    turn_id: str
    attempt: int
    state: str
    client_message_ids: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """The state of a session."""

    session_id: str
    status: str
    position: str
    next_seq: int


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision with what became of it."""

    session_id: str
    decision_id: str
    sequence: int
    decision_type: str
    state: str
    action_instance_id: str
    listed: bool
    """False: its turn was taken back."""


@dataclass(frozen=True, slots=True)
class WorkflowRow:
    """A revision of a workflow."""

    session_id: str
    workflow_id: str
    revision: int
    decision_id: str
    status: str


@dataclass(frozen=True, slots=True)
class FinalState:
    """The final state of a session, without ids and times."""

    position: str
    variables: tuple[str, ...]
    plan: tuple[str, ...]
    messages: tuple[str, ...]
    advice: tuple[str, ...]
    analyses: tuple[str, ...]
    decided: tuple[str, ...] = ()
    """Decisions, then revisions of workflows."""
    ran: tuple[str, ...] = ()
    """The attempts of each run's nodes."""
    threads: tuple[str, ...] = ()
    """What is said in each, and how it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """Everything the checker asks of a database, after a run."""

    sessions: dict[str, SessionRow]
    messages: tuple[MessageRow, ...]
    events: tuple[EventRow, ...]
    attempts: tuple[AttemptRow, ...]
    final_states: dict[str, FinalState]
    safety: dict[str, str]
    """Where each session is on the crisis path, SafetyState as JSON; those that never were lack."""
    decisions: tuple[DecisionRow, ...] = ()
    workflows: tuple[WorkflowRow, ...] = ()
    runs: tuple[RunRow, ...] = ()
    node_runs: tuple[NodeRow, ...] = ()
    threads: tuple[ThreadRow, ...] = ()
    thread_messages: tuple[ThreadMessageRow, ...] = ()
    placeholders: tuple[PlaceholderRow, ...] = ()


def take_dump(database: Database) -> Dump:
    """Read the tables; nothing may be running that writes them."""
    sessions = [
        SessionRow(str(sid), str(status), str(position), _int(next_seq))
        for sid, status, position, next_seq in database.rows(
            "SELECT session_id, status, position, next_seq FROM sessions WHERE NOT deleted"
        )
    ]
    final_states = _final_states(database)
    return Dump(
        sessions={row.session_id: row for row in sessions},
        messages=_messages(database),
        events=_events(database),
        attempts=_attempts(database),
        final_states={row.session_id: final_states(row) for row in sessions},
        safety={str(sid): str(state) for sid, state in database.rows(_SAFETY)},
        decisions=_decisions(database),
        workflows=_workflows(database),
        runs=run_rows(database),
        node_runs=node_rows(database),
        threads=thread_rows(database),
        thread_messages=thread_message_rows(database),
        placeholders=placeholder_rows(database),
    )


def _messages(database: Database) -> tuple[MessageRow, ...]:
    found = database.rows(
        "SELECT session_id, sequence, message_id, role, parts, completeness, turn_id,"
        " client_message_id, action_instance_id, replaces FROM messages"
        " ORDER BY session_id, sequence"
    )
    return tuple(MessageRow(str(row[0]), _int(row[1]), *map(str, row[2:])) for row in found)


def _events(database: Database) -> tuple[EventRow, ...]:
    found = database.rows(
        "SELECT e.session_id, e.sequence, e.turn_id, e.attempt, e.kind,"
        " COALESCE(m.message_id, ''), e.body FROM events e LEFT JOIN messages m"
        " ON (m.tenant, m.session_id, m.sequence) = (e.tenant, e.session_id, e.message)"
        " ORDER BY e.session_id, e.sequence"
    )
    return tuple(
        EventRow(str(sid), _int(seq), str(turn), _int(attempt), *map(str, rest))
        for sid, seq, turn, attempt, *rest in found
    )


def _attempts(database: Database) -> tuple[AttemptRow, ...]:
    found = database.rows(
        "SELECT session_id, turn_id, attempt, state, client_message_ids FROM attempts"
        " ORDER BY session_id, turn_no, attempt"
    )
    return tuple(
        AttemptRow(str(sid), str(turn), _int(attempt), str(state), str(ids))
        for sid, turn, attempt, state, ids in found
    )


def _decisions(database: Database) -> tuple[DecisionRow, ...]:
    return tuple(
        DecisionRow(str(sid), str(name), _int(seq), str(kind), str(state), str(by), bool(listed))
        for sid, name, seq, kind, state, by, listed in database.rows(_DECISIONS)
    )


def _workflows(database: Database) -> tuple[WorkflowRow, ...]:
    return tuple(
        WorkflowRow(str(sid), str(name), _int(revision), str(decision), str(status))
        for sid, name, revision, decision, status in database.rows(_WORKFLOWS)
    )


def _final_states(database: Database) -> Callable[[SessionRow], FinalState]:
    """Return the function from a session to its final state."""
    variables = _by_session(database, _VARIABLES)
    plan = _by_session(database, _PLAN)
    messages = _by_session(database, _MESSAGES)
    advice = _by_session(database, _ADVICE)
    analyses = _by_session(database, _ANALYSES)
    decided, drafted = _by_session(database, _DECIDED), _by_session(database, _DRAFTED)
    ran, talked = _by_session(database, RAN), _by_session(database, TALKED)

    def state(row: SessionRow) -> FinalState:
        sid = row.session_id
        return FinalState(
            position=without_ids(f"{row.status} {row.position}"),
            variables=variables.get(sid, ()),
            plan=plan.get(sid, ()),
            messages=messages.get(sid, ()),
            advice=advice.get(sid, ()),
            analyses=analyses.get(sid, ()),
            decided=(*decided.get(sid, ()), *drafted.get(sid, ())),
            ran=ran.get(sid, ()),
            threads=talked.get(sid, ()),
        )

    return state


def _by_session(database: Database, query: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for row in database.rows(query):
        found.setdefault(str(row[0]), []).append(_line(row[1:]))
    return {sid: tuple(lines) for sid, lines in found.items()}


def _line(row: Row) -> str:
    return without_ids(" | ".join(str(value) for value in row))


def without_ids(text: str) -> str:
    """Return the text with each id replaced by its prefix."""
    return _ID.sub(r"\1_*", text)


def _int(value: object) -> int:
    return int(str(value))
