"""Finding sessions that nobody works on: the sweep (ARCHITECTURE section 4.2)."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.sql.database.schema import database_now
from session_store.sql.database.tables import IS_WAITING, UNFINISHED, attempts, messages, sessions
from session_store.turn_rules import RETRY_PAUSES

_ITS = sa.tuple_(sessions.c.tenant, sessions.c.session_id)
_BEGUN = select(attempts.c.tenant, attempts.c.session_id).where(UNFINISHED)
_WAITED = select(messages.c.tenant, messages.c.session_id).where(IS_WAITING)
_FREE = sa.and_(
    sessions.c.deleted.is_(False),
    sa.or_(sessions.c.lease_owner == "", sessions.c.lease_until <= bindparam("at_now")),
)
_NOW = select(database_now())
_UNTIL = {
    attempt: bindparam(f"until_{attempt}", type_=sessions.c.update_time.type)
    for attempt in range(1, len(RETRY_PAUSES) + 1)
}
_LAST = _UNTIL[len(RETRY_PAUSES)]
_RESTED = sa.or_(
    sessions.c.status != ExecutionStatus.ERROR.value,
    sessions.c.update_time <= sa.case(_UNTIL, value=sessions.c.open_attempt, else_=_LAST),
)
"""Its last turn did not fail, or did so long enough ago."""
_FOUND = (
    select(sessions.c.tenant, sessions.c.session_id)
    .where(_ITS.in_(_BEGUN), _FREE)
    .union(
        select(sessions.c.tenant, sessions.c.session_id).where(
            _ITS.in_(_WAITED), _FREE, _RESTED, sessions.c.status != ExecutionStatus.COMPLETED.value
        )
    )
    .limit(bindparam("most"))
)
_LAPSING = (
    select(sessions.c.tenant, sessions.c.session_id, sessions.c.lease_until)
    .where(
        _ITS.in_(_BEGUN),
        sessions.c.deleted.is_(False),
        sessions.c.lease_owner != "",
        sessions.c.lease_until > bindparam("at_now"),
        sessions.c.lease_until <= bindparam("at_then"),
    )
    .limit(bindparam("most"))
)


def find_work(db: sa.Connection, limit: int) -> tuple[SessionKey, ...]:
    """Return sessions with waiting inputs or an unfinished turn and no live lease; see the port."""
    now = db.execute(_NOW).scalar_one()
    until = {f"until_{n}": now - pause for n, pause in enumerate(RETRY_PAUSES, start=1)}
    found = db.execute(_FOUND, {"at_now": now, "most": limit} | until)
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)


def find_lapsing(
    db: sa.Connection, within: timedelta, limit: int
) -> tuple[tuple[SessionKey, timedelta], ...]:
    """Return sessions with a running turn whose live lease ends `within`, and in how long."""
    now = db.execute(_NOW).scalar_one()
    found = db.execute(_LAPSING, {"at_now": now, "at_then": now + within, "most": limit})
    return tuple((SessionKey(tenant, session), until - now) for tenant, session, until in found)
