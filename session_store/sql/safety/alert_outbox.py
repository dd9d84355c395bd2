"""The outbox of alerts: claimed by one process, delivered at least once, paused after a failure."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import SafetyEvent
from session_store.codec import load
from session_store.records import SafetyAlert
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.statements import at, of, of_one_session
from session_store.sql.database.tables_beside import IS_UNDELIVERED, alerts, safety_events
from session_store.sql.sessions.rows import key_of

# The alert of a safety event.
IS_ALERT_OF = sa.and_(
    of_one_session(alerts, safety_events),
    alerts.c.safety_event_id == safety_events.c.safety_event_id,
)
_IT = sa.and_(of(alerts), alerts.c.safety_event_id == bindparam("at_event"))
_NAME = tuple(alerts.primary_key.columns)
# A pause after a failure is a lease without an owner, so one condition covers both. What another
# process claims at the same time is passed over; SQLite has one writer at a time.
_DUE = (
    select(*_NAME)
    .where(IS_UNDELIVERED, alerts.c.lease_until <= bindparam("at_now"))
    .order_by(alerts.c.lease_until, alerts.c.create_time)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    .cte("due")
)
_CLAIM = Prepared(
    alerts.update()
    .where(sa.tuple_(*_NAME).in_(select(_DUE)))
    .values(lease_owner=bindparam("to_owner"), lease_until=bindparam("to_until"))
)
_CLAIMED = Prepared(
    select(*_NAME, alerts.c.failures, safety_events.c.event, safety_events.c.create_time)
    .join_from(alerts, safety_events, IS_ALERT_OF)
    .where(
        IS_UNDELIVERED,
        alerts.c.lease_owner == bindparam("to_owner"),
        alerts.c.lease_until == bindparam("to_until"),
    )
    .order_by(alerts.c.create_time)
)
_DELIVERED = Prepared(alerts.update().where(_IT).values(delivered=True, lease_owner=""))
_FAILED = Prepared(
    alerts.update()
    .where(_IT, IS_UNDELIVERED)
    .values(
        failures=alerts.c.failures + 1,
        reason=bindparam("to_reason"),
        lease_owner="",
        lease_until=bindparam("to_until"),
    )
)
_WAITING = select(sa.func.count()).where(IS_UNDELIVERED)


def claim_alerts(
    db: sa.Connection, owner: str, limit: int, ttl: timedelta
) -> tuple[SafetyAlert, ...]:
    """Claim alerts that are due, the longest waiting first; none of another live claim."""
    now = now_of(db)
    claim = {"to_owner": owner, "to_until": now + ttl}
    _CLAIM.run(db, {"at_now": now, "most": limit} | claim)
    return tuple(
        SafetyAlert(
            key=key_of(row),
            event=load(SafetyEvent, row.event),
            made_at=row.create_time,
            failures=row.failures,
        )
        for row in _CLAIMED.rows(db, claim)
    )


def alert_delivered(db: sa.Connection, key: SessionKey, safety_event_id: str) -> None:
    """Note that the receiver took the alert; of an erased session nothing is there to note."""
    _DELIVERED.run(db, at(key) | {"at_event": safety_event_id})


def alert_failed(
    db: sa.Connection, key: SessionKey, safety_event_id: str, *, reason: str, pause: timedelta
) -> None:
    """Count a failed delivery and free the alert after `pause`; a delivered one stays so."""
    until = now_of(db) + pause
    _FAILED.run(db, at(key) | {"at_event": safety_event_id, "to_reason": reason, "to_until": until})


def count_undelivered_alerts(db: sa.Connection) -> int:
    """Return how many alerts wait for their delivery, of all tenants."""
    return int(db.execute(_WAITING).scalar_one())
