"""Plans that are owed to analyses: claimed like requests, ended with the proposal (ADR 26)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.monitoring import MonitorAnalysis
from session_store.codec import load
from session_store.records import MonitorTicket, PlanningWork, ProposedEdit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found
from session_store.sql.database.tables_beside import IS_OWED, monitor_requests
from session_store.sql.monitor import requests
from session_store.sql.monitor.requests import IT
from session_store.sql.sessions import sessions
from session_store.sql.turns.leases import RELEASED, paused
from session_store.turn_rules import MAX_MONITOR_ATTEMPTS

_NOW = Prepared(select(database_now()))
_OWED = Prepared(select(monitor_requests).where(IT, IS_OWED))
_CLAIM = Prepared(
    monitor_requests.update()
    .where(
        IT,
        IS_OWED,
        monitor_requests.c.planning_claims < MAX_MONITOR_ATTEMPTS,
        monitor_requests.c.lease_until <= bindparam("at_now"),
    )
    .values(
        planning_claims=monitor_requests.c.planning_claims + 1,
        lease_owner=bindparam("to_owner"),
        lease_until=bindparam("to_until"),
    )
    .returning(monitor_requests)
)
_DUE = Prepared(
    select(monitor_requests)
    .where(IS_OWED, monitor_requests.c.lease_until <= bindparam("at_now"))
    .order_by(monitor_requests.c.lease_until)
    .limit(bindparam("most"))
)


def due(db: sa.Connection, limit: int) -> tuple[MonitorTicket, ...]:
    """Return analyses to which a plan is owed that nobody works on; see the port."""
    rows = _DUE.rows(db, {"at_now": _NOW.scalar(db, {}), "most": limit})
    return tuple(
        replace(requests.ticket_of(row), exhausted=row.planning_claims >= MAX_MONITOR_ATTEMPTS)
        for row in rows
    )


def claim(
    db: sa.Connection, ticket: MonitorTicket, *, owner: str, ttl: timedelta
) -> PlanningWork | None:
    """Claim a plan that is owed; None when it is not, is held, pauses, or is exhausted."""
    now = _NOW.scalar(db, {})
    wanted = {"at_now": now, "to_owner": owner, "to_until": now + ttl}
    row = _CLAIM.row(db, requests.named(ticket) | wanted)
    if row is None:
        return None
    session = sessions.read(db, ticket.key)
    return PlanningWork(
        judged=requests.work_of(
            db, ticket.key, session, row, attempt=row.failures + row.planning_claims
        ),
        analysis=load(MonitorAnalysis, row.analysis),
        advice_id=row.advice_id,
    )


def settle(db: sa.Connection, proposed: ProposedEdit) -> bool:
    """Write what became of the wish; False where there is none to settle, and nothing proposed."""
    if proposed.ticket is None:
        return True
    request: Found | None = _OWED.row(db, requests.named(proposed.ticket))
    if request is None or proposed.judged_turn_id not in {"", request.turn_id}:
        return False
    if proposed.retry_after is not None:
        until = _NOW.scalar(db, {}) + proposed.retry_after
        later = paused(request, until=until, claims="planning_claims")
        requests.update(db, proposed.ticket, later)
        return False
    ended = {"planning": proposed.state.value, "planning_reason": proposed.reason}
    requests.update(db, proposed.ticket, RELEASED | ended)
    return True
