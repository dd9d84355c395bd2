"""Histories: messages and events of a kind, but for those of turns that were taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, cast, func, select

from heartrule.domain.conversation import Message
from heartrule.domain.events import (
    ActionResultRecorded,
    AnalysisEnded,
    ScopeLeft,
    StrategyDecided,
    VariableChanged,
)
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import (
    ActionMetricsEntry,
    Advice,
    AdviceState,
    AnalysisOutcome,
    MonitorAnalysis,
    MonitorFeedbackEntry,
    PlanningState,
)
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import ScopeSnapshot, VariableOperation
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.records import Page
from session_store.sql.database.statements import Found, at, copied, of, of_one_session
from session_store.sql.database.tables import events
from session_store.sql.database.tables import messages as message_rows
from session_store.sql.database.tables_beside import advice, monitor_requests
from session_store.sql.lists.listing import numbered
from session_store.sql.monitor.analysis_work import result_in
from session_store.sql.sessions import messages, sessions
from session_store.sql.sessions.sessions import paged

# What names a judged round.
_OF_ROUND = ("action_id", "action_instance_id", "action_type", "round")
_JUDGED_RESULTS = events.alias("results")
_NAME = monitor_requests.c.action_instance_id + "/" + cast(monitor_requests.c.round, sa.Text)
# The event of a turn that was taken back has no subject: it names no request.
_ENDED = sa.and_(of_one_session(monitor_requests, events), events.c.subject == _NAME)
_GIVEN = sa.and_(
    of_one_session(advice, monitor_requests), advice.c.advice_id == monitor_requests.c.advice_id
)
_JUDGED = sa.and_(
    of_one_session(_JUDGED_RESULTS, monitor_requests),
    _JUDGED_RESULTS.c.sequence == monitor_requests.c.judged_seq,
)
_ANALYSES = (
    select(
        events.c.sequence,
        events.c.create_time,
        monitor_requests.c.turn_id,
        monitor_requests.c.outcome,
        monitor_requests.c.reason,
        monitor_requests.c.analysis,
        monitor_requests.c.planning,
        monitor_requests.c.planning_reason,
        _JUDGED_RESULTS.c.body.label("judged"),
        advice.c.advice,
        advice.c.state,
    )
    .select_from(
        events.join(monitor_requests, _ENDED)
        .join(_JUDGED_RESULTS, _JUDGED)
        .outerjoin(advice, _GIVEN)
    )
    .where(of(events), events.c.kind == kind_of(AnalysisEnded))
)


MESSAGES_LISTED = numbered(messages.LISTED, message_rows.c.sequence)


def _listed(body: type) -> sa.Select[Any]:
    """Return the select of a kind's history."""
    return select(events).where(of(events), events.c.kind == kind_of(body), events.c.listed)


_OPERATIONS = _listed(VariableChanged)
_EXITS = _listed(ActionResultRecorded)
_LAST_EXIT = _EXITS.order_by(events.c.sequence.desc()).limit(1)
_BACK = func.row_number().over(partition_by=events.c.subject, order_by=events.c.sequence.desc())
_NEWEST = (
    _OPERATIONS.where(events.c.subject.in_(bindparam("names", expanding=True)))
    .add_columns(_BACK.label("back"))
    .subquery()
)
_NEWEST_OF_NAMES = (
    select(_NEWEST.c.body)
    .where(_NEWEST.c.back <= bindparam("most"))
    .order_by(_NEWEST.c.sequence.desc())
)


def operations_of(
    db: sa.Connection, key: SessionKey, names: Sequence[str], *, most: int
) -> tuple[VariableOperation, ...]:
    """Return the latest operations on each of the names, `most` of each, newest first."""
    sessions.read(db, key)
    wanted = at(key) | {"names": list(names), "most": most}
    return tuple(map(_operation_of, db.execute(_NEWEST_OF_NAMES, wanted)))


def last_exit(db: sa.Connection, key: SessionKey) -> ExitHistoryEntry | None:
    """Return the newest decision of a turn that was not taken back; None before the first."""
    sessions.read(db, key)
    row = db.execute(_LAST_EXIT, at(key)).first()
    return None if row is None else _exit_of(row)


def list_messages(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[Message], str]:
    """Return messages by sequence, a result in its placeholder's place, and the next token."""
    sessions.read(db, key)
    rows, token = MESSAGES_LISTED.page(db, at(key), page)
    return messages.in_their_places(db, key, rows), token


def _operation_of(row: Found) -> VariableOperation:
    return load(VariableChanged, row.body).variable_operation


def _snapshot_of(row: Found) -> ScopeSnapshot:
    kept = load(ScopeSnapshot, row.body)
    return replace(kept, turn_id=row.turn_id, create_time=row.create_time)


def _strategy_of(row: Found) -> StrategyDecision:
    return load(StrategyDecided, row.body).strategy_decision


def _exit_of(row: Found) -> ExitHistoryEntry:
    result = result_in(row.body)
    assert result.exit_decision is not None, "only a judged round has an entry"
    return ExitHistoryEntry(
        max_rounds=result.max_rounds,
        decision=result.exit_decision,
        exit_reason=result.exit_reason,
        timestamp=row.create_time,
        **copied(result, _OF_ROUND),
    )


def _metrics_of(row: Found) -> ActionMetricsEntry:
    result = result_in(row.body)
    return ActionMetricsEntry(
        metrics=result.metrics,
        progress_suggestion=result.progress_suggestion,
        timestamp=row.create_time,
        **copied(result, _OF_ROUND),
    )


def _feedback(row: Found) -> MonitorFeedbackEntry:
    return MonitorFeedbackEntry(
        judged_turn_id=row.turn_id,
        result=AnalysisOutcome(row.outcome),
        reason=row.reason,
        analysis=load(MonitorAnalysis, row.analysis) if row.analysis else None,
        advice=_advice(row),
        planning=PlanningState(row.planning) if row.planning else None,
        planning_reason=row.planning_reason,
        timestamp=row.create_time,
        **copied(result_in(row.judged), _OF_ROUND),
    )


def _advice(row: Found) -> Advice | None:
    if row.advice is None:
        return None
    return replace(load(Advice, row.advice), state=AdviceState(row.state))


list_operations = paged(_OPERATIONS, _operation_of, events.c.sequence)
list_snapshots = paged(_listed(ScopeLeft), _snapshot_of, events.c.sequence)
list_strategies = paged(_listed(StrategyDecided), _strategy_of, events.c.sequence)
list_exits = paged(_EXITS, _exit_of, events.c.sequence)
list_metrics = paged(_EXITS, _metrics_of, events.c.sequence)
list_feedback = paged(_ANALYSES, _feedback, events.c.sequence)
