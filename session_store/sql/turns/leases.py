"""The right to write a session, fenced by its token, and sessions without a holder."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import LeaseLost
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.records import Lease, StepCommit, TurnFailure, TurnLeft
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables import IS_WAITING, UNFINISHED, messages
from session_store.sql.database.tables import attempts as attempts_table
from session_store.sql.database.tables import sessions as sessions_table
from session_store.sql.database.tables_beside import IS_OPEN, IS_OWED, monitor_requests
from session_store.sql.sessions import sessions
from session_store.sql.sessions.sessions import FREE, Locked
from session_store.sql.turns import attempts
from session_store.turn_rules import RETRY_PAUSES

# What frees a lease.
RELEASED: dict[str, object] = {"lease_owner": "", "lease_until": FREE}
_ITS = sa.tuple_(sessions_table.c.tenant, sessions_table.c.session_id)
_BEGUN = select(attempts_table.c.tenant, attempts_table.c.session_id).where(UNFINISHED)
_WAITED = select(messages.c.tenant, messages.c.session_id).where(IS_WAITING)
_UNLEASED = sa.and_(
    sessions_table.c.deleted.is_(False),
    sa.or_(sessions_table.c.lease_owner == "", sessions_table.c.lease_until <= bindparam("at_now")),
)
_UNTIL = {
    attempt: bindparam(f"until_{attempt}", type_=sessions_table.c.update_time.type)
    for attempt in range(1, len(RETRY_PAUSES) + 1)
}
_LAST = _UNTIL[len(RETRY_PAUSES)]
# Its last turn did not fail, or for good, or did so long enough ago.
_RESTED = sa.or_(
    sessions_table.c.status != ExecutionStatus.ERROR.value,
    sessions_table.c.open_turn_id == "",
    sessions_table.c.update_time
    <= sa.case(_UNTIL, value=sessions_table.c.open_attempt, else_=_LAST),
)
_FOUND = (
    select(sessions_table.c.tenant, sessions_table.c.session_id)
    .where(_ITS.in_(_BEGUN), _UNLEASED)
    .union(
        select(sessions_table.c.tenant, sessions_table.c.session_id).where(
            _ITS.in_(_WAITED),
            _UNLEASED,
            _RESTED,
            sessions_table.c.status != ExecutionStatus.COMPLETED.value,
        )
    )
    .limit(bindparam("most"))
)
_LAPSING = (
    select(sessions_table.c.tenant, sessions_table.c.session_id, sessions_table.c.lease_until)
    .where(
        _ITS.in_(_BEGUN),
        sessions_table.c.deleted.is_(False),
        sessions_table.c.lease_owner != "",
        sessions_table.c.lease_until > bindparam("at_now"),
        sessions_table.c.lease_until <= bindparam("at_then"),
    )
    .limit(bindparam("most"))
)


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
_VOID = sessions_table.update().where(_ITS.in_(_BEGUN)).values(RELEASED)
_VOID_REQUESTS = tuple(  # one each: a partial index serves one condition
    monitor_requests.update().where(which).values(RELEASED) for which in (IS_OPEN, IS_OWED)
)


def renew_lease(db: sa.Connection, lease: Lease, ttl: timedelta) -> bool:
    """Prolong the lease; False when it is no longer held. One that ran out untaken is held."""
    until = now_of(db) + ttl
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
    found = running.rows()  # read in any case: SQLite's VACUUM fails while a statement is open
    held = (lease.owner, lease.token)
    if locked is None or (locked.row.lease_owner, locked.row.lease_token) != held:
        raise LeaseLost("another holder took the session over", reason="LEASE_LOST")
    running_attempt = (locked.row.open_turn_id, locked.row.open_attempt)
    if not found or running_attempt != (emitted.turn_id, emitted.attempt):
        raise LeaseLost("this attempt is not the one that runs", reason="LEASE_LOST")
    return locked, found[0]


def find_work(db: sa.Connection, limit: int) -> tuple[SessionKey, ...]:
    """Return sessions with waiting inputs or a running turn and no live lease.

    One whose last turn failed is left alone for a while, longer after each attempt.
    """
    now = now_of(db)
    until = {f"until_{n}": now - pause for n, pause in enumerate(RETRY_PAUSES, start=1)}
    found = db.execute(_FOUND, {"at_now": now, "most": limit} | until)
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)


def find_lapsing(
    db: sa.Connection, within: timedelta, limit: int
) -> tuple[tuple[SessionKey, timedelta], ...]:
    """Return sessions with a running turn whose live lease ends `within`, and in how long."""
    now = now_of(db)
    found = db.execute(_LAPSING, {"at_now": now, "at_then": now + within, "most": limit})
    return tuple((SessionKey(tenant, session), until - now) for tenant, session, until in found)
