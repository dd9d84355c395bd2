"""What each list may be filtered by: fields as the contract names them, their types and columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Table

from heartrule.domain.decisions import DecisionAuthor, DecisionState, DecisionType
from heartrule.domain.position import EndReason, ExecutionStatus
from heartrule.domain.runs import RunState
from heartrule.domain.safety import SafetyLevel, SafetySource
from heartrule.domain.threads import ThreadState
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import of_one_session
from session_store.sql.database.tables import HAS_FAILED, attempts, script_versions, sessions
from session_store.sql.database.tables_beside import advice, safety_events
from session_store.sql.database.tables_of_decisions import decisions
from session_store.sql.database.tables_of_runs import runs
from session_store.sql.lists.list_filter import (
    LABELS,
    NUMBER,
    TEXT,
    TIME,
    TRUTH,
    FilterType,
    words,
)
from session_store.sql.lists.listing import ListField
from session_store.sql.threads.tables_of_threads import sub_threads


def _of(table: Table, **types: FilterType) -> Mapping[str, ListField]:
    """Return the fields that have columns of their names."""
    return {name: ListField(type=kind, column=table.c[name]) for name, kind in types.items()}


# As a session is shown: RUNNING while a turn runs.
_STATUS: sa.ColumnElement[Any] = sa.case(
    (
        sa.and_(sessions.c.lease_owner != constant(""), sessions.c.open_turn_id != constant("")),
        constant(ExecutionStatus.RUNNING.value),
    ),
    else_=sessions.c.status,
)


def _has(table: Table, *conditions: sa.ColumnElement[bool]) -> ListField:
    """Return the field that is true of a session with such a row, found by its primary key."""
    rows = sa.select(sa.literal(1)).where(of_one_session(table, sessions), *conditions)
    return ListField(type=TRUTH, column=rows.correlate(sessions).exists())


SESSION_FIELDS: Mapping[str, ListField] = {
    **_of(
        sessions,
        script_id=TEXT,
        script_version=TEXT,
        user_id=TEXT,
        locale=TEXT,
        forked_from_session_id=TEXT,
        end_reason=words(EndReason),
        create_time=TIME,
        update_time=TIME,
    ),
    "status": ListField(type=words(ExecutionStatus), column=_STATUS),
    "had_advice": _has(advice),
    "had_failure": _has(attempts, HAS_FAILED),
    LABELS: ListField(type=TEXT),
}
SCRIPT_FIELDS = _of(
    script_versions, script_id=TEXT, session_name=TEXT, number=NUMBER, create_time=TIME
)
DECISION_FIELDS = _of(
    decisions,
    decision_type=words(DecisionType),
    state=words(DecisionState),
    author=words(DecisionAuthor),
    turn_id=TEXT,
    action_instance_id=TEXT,
    correlation_id=TEXT,
    create_time=TIME,
)
RUN_FIELDS = _of(
    runs,
    workflow_id=TEXT,
    state=words(RunState),
    decision_id=TEXT,
    turn_id=TEXT,
    thread_id=TEXT,
    priority=NUMBER,
    create_time=TIME,
    begin_time=TIME,
    end_time=TIME,
)
THREAD_FIELDS = _of(
    sub_threads,
    agent=TEXT,
    state=words(ThreadState),
    phase=TEXT,
    run_id=TEXT,
    turn_id=TEXT,
    depth=NUMBER,
    create_time=TIME,
    end_time=TIME,
)
SAFETY_FIELDS = _of(
    safety_events,
    session_id=TEXT,
    turn_id=TEXT,
    level=words(SafetyLevel),
    source=words(SafetySource),
    language=TEXT,
    create_time=TIME,
    acknowledge_time=TIME,
)
