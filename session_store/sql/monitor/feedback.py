"""What the monitor made of rounds, with the advice as it stands now; paged by events."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy import bindparam, cast, select

from heartrule.domain.events import AnalysisEnded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import (
    Advice,
    AdviceState,
    AnalysisOutcome,
    MonitorAnalysis,
    MonitorFeedbackEntry,
    PlanningState,
)
from session_store.codec import load
from session_store.event_drafts import kind_of
from session_store.records import Page
from session_store.sql.database.statements import Found, PagedSelect, at, number_of, of, page_of
from session_store.sql.database.tables import events
from session_store.sql.database.tables_beside import advice, monitor_requests
from session_store.sql.monitor.requests import result_in
from session_store.sql.sessions import sessions

_RESULTS = events.alias("results")
_NAME = monitor_requests.c.action_instance_id + "/" + cast(monitor_requests.c.round, sa.Text)
# The event of a turn that was taken back has no subject: it names no request.
_ENDED = sa.and_(
    monitor_requests.c.tenant == events.c.tenant,
    monitor_requests.c.session_id == events.c.session_id,
    events.c.subject == _NAME,
)
_GIVEN = sa.and_(
    advice.c.tenant == monitor_requests.c.tenant,
    advice.c.session_id == monitor_requests.c.session_id,
    advice.c.advice_id == monitor_requests.c.advice_id,
)
_JUDGED = sa.and_(
    _RESULTS.c.tenant == monitor_requests.c.tenant,
    _RESULTS.c.session_id == monitor_requests.c.session_id,
    _RESULTS.c.sequence == monitor_requests.c.judged_seq,
)
_LISTED = (
    select(
        events.c.sequence,
        events.c.create_time,
        monitor_requests.c.turn_id,
        monitor_requests.c.outcome,
        monitor_requests.c.reason,
        monitor_requests.c.analysis,
        monitor_requests.c.planning,
        monitor_requests.c.planning_reason,
        _RESULTS.c.body.label("judged"),
        advice.c.advice,
        advice.c.state,
    )
    .select_from(
        events.join(monitor_requests, _ENDED).join(_RESULTS, _JUDGED).outerjoin(advice, _GIVEN)
    )
    .where(of(events), events.c.kind == kind_of(AnalysisEnded))
    .order_by(events.c.sequence)
)
_FROM = events.c.sequence >= bindparam("from_sequence")


def list_feedback(
    db: sa.Connection, key: SessionKey, page: Page
) -> tuple[list[MonitorFeedbackEntry], str]:
    """Return analyses in the order in which they ended, and the next page's token."""
    sessions.read(db, key)
    listed = PagedSelect(_LISTED, at(key))
    if page.token:
        listed = listed.starting(_FROM, from_sequence=number_of(page.token))
    rows, token = page_of(db, listed, page, name=lambda row: str(row.sequence))
    return [_entry(row) for row in rows], token


def _entry(row: Found) -> MonitorFeedbackEntry:
    judged = result_in(row.judged)
    return MonitorFeedbackEntry(
        action_id=judged.action_id,
        action_instance_id=judged.action_instance_id,
        action_type=judged.action_type,
        round=judged.round,
        judged_turn_id=row.turn_id,
        result=AnalysisOutcome(row.outcome),
        reason=row.reason,
        analysis=load(MonitorAnalysis, row.analysis) if row.analysis else None,
        advice=_advice(row),
        planning=PlanningState(row.planning) if row.planning else None,
        planning_reason=row.planning_reason,
        timestamp=row.create_time,
    )


def _advice(row: Found) -> Advice | None:
    if row.advice is None:
        return None
    return replace(load(Advice, row.advice), state=AdviceState(row.state))
