"""The right to write a session, fenced by its token (ARCHITECTURE section 4.3)."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import LeaseLost
from session_store.records import Lease, StepCommit, TurnFailure, TurnLeft
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import database_now
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import UNFINISHED
from session_store.sql.database.tables import attempts as attempts_table
from session_store.sql.database.tables import sessions as sessions_table
from session_store.sql.database.tables_beside import IS_OPEN, IS_OWED, monitor_requests
from session_store.sql.sessions import sessions
from session_store.sql.sessions.sessions import FREE, Locked
from session_store.sql.turns import attempts

RELEASED: dict[str, object] = {"lease_owner": "", "lease_until": FREE}
"""What frees a lease."""


def paused(request: Found, *, until: datetime, claims: str) -> dict[str, object]:
    """Return what frees a monitor request whose attempt failed, for another after a pause.

    Args:
        request: Its row.
        until: When the pause ends.
        claims: The column that counts the claims of what is owed.
    """
    later = {"lease_owner": "", "lease_until": until}
    return later | {"failures": request.failures + 1, claims: 0}


_NOW = Prepared(select(database_now()))
_RENEW = Prepared(
    sessions_table.update()
    .where(
        of(sessions_table),
        sessions_table.c.lease_owner == bindparam("at_owner"),
        sessions_table.c.lease_token == bindparam("at_token"),
    )
    .values(lease_until=bindparam("to_until"))
    .returning(sessions_table.c.lease_token)
)
_ITS = sa.tuple_(sessions_table.c.tenant, sessions_table.c.session_id)
_RUNNING = select(attempts_table.c.tenant, attempts_table.c.session_id).where(UNFINISHED)
_VOID = sessions_table.update().where(_ITS.in_(_RUNNING)).values(RELEASED)
_VOID_REQUESTS = tuple(  # one each: a partial index serves one condition
    monitor_requests.update().where(which).values(RELEASED) for which in (IS_OPEN, IS_OWED)
)


def renew_lease(db: sa.Connection, lease: Lease, ttl: timedelta) -> bool:
    """Prolong the lease; False when it is no longer held. One that ran out untaken is held."""
    until = _NOW.scalar(db, {}) + ttl
    held = at(lease.key) | {"at_owner": lease.owner, "at_token": lease.token}
    return _RENEW.row(db, held | {"to_until": until}) is not None


def void_leases(db: sa.Connection) -> None:
    """Free every lease: the caller is the only process, so each holder is dead."""
    db.execute(_VOID)
    for statement in _VOID_REQUESTS:
        db.execute(statement)


def held_by(
    db: sa.Connection, lease: Lease, emitted: StepCommit | TurnFailure | TurnLeft
) -> tuple[Locked, Found]:
    """Lock the session this lease may write and return it with the running attempt.

    Errors:
        LeaseLost: the token is not the newest, the session is gone, or another attempt runs.
    """
    locking = sessions.ask_lock(db, lease.key)
    running = attempts.ask(db, lease.key, emitted.turn_id, emitted.attempt)
    locked = sessions.locked_by(lease.key, locking)
    row = locked.row if locked is not None else None
    if locked is None or row is None or (row.lease_owner, row.lease_token) != _token(lease):
        raise LeaseLost("another holder took the session over", reason="LEASE_LOST")
    found = running.rows()
    if not found or (row.open_turn_id, row.open_attempt) != (emitted.turn_id, emitted.attempt):
        raise LeaseLost("this attempt is not the one that runs", reason="LEASE_LOST")
    return locked, found[0]


def _token(lease: Lease) -> tuple[str, int]:
    return lease.owner, lease.token
