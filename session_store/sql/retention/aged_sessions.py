"""Retention: what is deleted of sessions that nothing has changed for a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import ActionResultRecorded, AnalysisEnded, StrategyDecided
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.event_drafts import kind_of
from session_store.past import Pruned
from session_store.sql.database.prepared import now_of
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables import events
from session_store.sql.database.tables import sessions as table
from session_store.sql.sessions import erasure, sessions

# Sessions one search finds; each is a transaction of its own.
BATCH = 50

_OBSERVATIONS = tuple(map(kind_of, (ActionResultRecorded, AnalysisEnded, StrategyDecided)))
_WHOLE = {Pruned.METRICS: (Pruned.NOTHING,), Pruned.EVENTS: (Pruned.NOTHING, Pruned.METRICS)}
_OLD = (
    select(table.c.tenant, table.c.session_id)
    .where(
        table.c.deleted.is_(False),
        table.c.frozen.is_(False),
        table.c.update_time <= bindparam("until", type_=table.c.update_time.type),
    )
    .limit(BATCH)
)
_ENDED = _OLD.where(
    table.c.status == ExecutionStatus.COMPLETED.value,
    table.c.pruned.in_(bindparam("whole", expanding=True)),
)
_DELETE = {
    Pruned.METRICS: events.delete().where(of(events), events.c.kind.in_(_OBSERVATIONS)),
    Pruned.EVENTS: events.delete().where(of(events)),
}
_NOTE = table.update().where(of(table)).values(pruned=bindparam("to"))


def find_untouched(db: sa.Connection, older_than: timedelta) -> tuple[SessionKey, ...]:
    """Return a batch of sessions, in any state but frozen, that nothing changed since."""
    return _keys(db, _OLD, {"until": now_of(db) - older_than})


def find_prunable(db: sa.Connection, what: Pruned, older_than: timedelta) -> tuple[SessionKey, ...]:
    """Return a batch of ended sessions that nothing changed since and that have these events."""
    whole = [each.value for each in _WHOLE[what]]
    return _keys(db, _ENDED, {"until": now_of(db) - older_than, "whole": whole})


def prune(db: sa.Connection, key: SessionKey, what: Pruned) -> None:
    """Delete such events of a session that has ended; one that goes on again keeps them.

    Only an ended session has no watcher to whom a gap in the sequence would mean a lost event.
    """
    locked = sessions.try_lock(db, key)
    if locked is None or locked.row.status != ExecutionStatus.COMPLETED.value:
        return
    db.execute(_DELETE[what], at(key))
    db.execute(_NOTE, at(key) | {"to": what.value})


def erase_untouched(db: sa.Connection, key: SessionKey, older_than: timedelta) -> None:
    """Erase the session as DeleteSession does, where nothing has changed it meanwhile."""
    locked = sessions.try_lock(db, key)
    if locked is None or locked.row.frozen or locked.is_held:
        return
    if locked.row.update_time <= locked.now - older_than:
        erasure.delete_session(db, key)


def _keys(
    db: sa.Connection, statement: sa.Select[Any], values: dict[str, object]
) -> tuple[SessionKey, ...]:
    found = db.execute(statement, values)
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in found)
