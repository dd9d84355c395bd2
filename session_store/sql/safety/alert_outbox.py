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
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables_beside import IS_UNDELIVERED, alerts, safety_events
from session_store.sql.sessions.rows import key_of

# A pause after a failure is a lease without an owner, so one condition covers both.
_FREE = (IS_UNDELIVERED, alerts.c.lease_until <= bindparam("at_now"))
_IT = sa.and_(of(alerts), alerts.c.safety_event_id == bindparam("at_event"))
_DUE = Prepared(
    select(alerts)
    .where(*_FREE)
    .order_by(alerts.c.lease_until, alerts.c.create_time)
    .limit(bindparam("most"))
)
_CLAIM = Prepared(
    alerts.update()
    .where(_IT, *_FREE)
    .values(lease_owner=bindparam("to_owner"), lease_until=bindparam("to_until"))
    .returning(alerts.c.failures)
)
_EVENT = Prepared(
    select(safety_events.c.event, safety_events.c.create_time).where(
        of(safety_events), safety_events.c.safety_event_id == bindparam("at_event")
    )
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
_WAITING = select(sa.func.count().label("number")).where(IS_UNDELIVERED)


def claim_alerts(
    db: sa.Connection, owner: str, limit: int, ttl: timedelta
) -> tuple[SafetyAlert, ...]:
    """Claim alerts that are due, the longest waiting first; none of another live claim."""
    now = now_of(db)
    claim = {"at_now": now, "to_owner": owner, "to_until": now + ttl}
    claimed = []
    for row in _DUE.rows(db, {"at_now": now, "most": limit}):
        it = at(key_of(row)) | {"at_event": row.safety_event_id}
        taken = _CLAIM.row(db, it | claim)
        if taken is None:
            continue
        found = _EVENT.row(db, it)
        event = load(SafetyEvent, found.event)
        alert = SafetyAlert(
            key=key_of(row), event=event, made_at=found.create_time, failures=taken.failures
        )
        claimed.append(alert)
    return tuple(claimed)


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
