"""Finding sessions that nobody works on: the sweep (ARCHITECTURE section 4.2)."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.sql.tables import IS_WAITING, UNFINISHED, attempts, messages, sessions
from session_store.sql.types import database_now

_ITS = sa.tuple_(sessions.c.tenant, sessions.c.session_id)
_BEGUN = select(attempts.c.tenant, attempts.c.session_id).where(UNFINISHED)
_WAITED = select(messages.c.tenant, messages.c.session_id).where(IS_WAITING)
_FREE = sa.and_(
    sessions.c.deleted.is_(False),
    sa.or_(sessions.c.lease_owner == "", sessions.c.lease_until <= bindparam("at_now")),
)
_NOW = select(database_now())
_FOUND = (
    select(sessions.c.tenant, sessions.c.session_id)
    .where(_ITS.in_(_BEGUN), _FREE)
    .union(
        select(sessions.c.tenant, sessions.c.session_id).where(
            _ITS.in_(_WAITED), _FREE, sessions.c.status != ExecutionStatus.COMPLETED.value
        )
    )
    .limit(bindparam("most"))
)


def find_work(db: sa.Connection, limit: int) -> tuple[SessionKey, ...]:
    """Return sessions with waiting inputs or an unfinished turn and no live lease."""
    now = db.execute(_NOW).scalar_one()
    found = db.execute(_FOUND, {"at_now": now, "most": limit})
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)
