"""Hits of the crisis path and operators' decisions: kept, listed, acknowledged, counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import (
    NOTHING_FOUND,
    AlertState,
    SafetyCount,
    SafetyEvent,
    SafetyLevel,
    SafetySource,
    SafetyState,
    left_by_operator,
)
from session_store.codec import dump, load
from session_store.records import Page, SafetyClosing, SafetyFilter, SafetyStep
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import blank, database_now
from session_store.sql.database.statements import (
    Found,
    copied,
    insert_new,
    owned,
)
from session_store.sql.database.tables_beside import IS_UNSEEN, alerts, safety_events
from session_store.sql.lists.list_fields import SAFETY_FIELDS
from session_store.sql.lists.listing import Listing
from session_store.sql.runs import run_ends
from session_store.sql.safety import safety_states
from session_store.sql.safety.alert_outbox import IS_ALERT_OF
from session_store.sql.sessions import sessions
from session_store.sql.sessions.events import Emitted, emit, keep
from session_store.sql.sessions.sessions import FREE, Locked
from session_store.step_events import safety_draft

_INSERT = Prepared(insert_new(safety_events).returning(safety_events.c.safety_event_id))
_INSERT_ALERT = Prepared(alerts.insert())
_LISTED = select(safety_events, alerts.c.delivered, alerts.c.failures).join_from(
    safety_events, alerts, IS_ALERT_OF, isouter=True
)
_IT = sa.and_(
    safety_events.c.tenant == bindparam("at_tenant"),
    safety_events.c.safety_event_id == bindparam("at_event"),
)
_ONE = _LISTED.where(_IT)
SAFETY_EVENTS_LISTED = Listing(
    rows=_LISTED.where(safety_events.c.tenant == bindparam("at_tenant")),
    name=safety_events.c.safety_event_id,
    fields=SAFETY_FIELDS,
    orders={"create_time": safety_events.c.create_time},
    order_by="create_time desc",
)
_SEE = Prepared(
    safety_events.update()
    .where(_IT, IS_UNSEEN)
    .values(
        acknowledge_time=database_now(),
        acknowledged_by=bindparam("to_operator"),
        note=bindparam("to_note"),
    )
)
_KINDS = (
    safety_events.c.month,
    safety_events.c.level,
    safety_events.c.source,
    safety_events.c.language,
)
_COUNTED = (
    select(
        *_KINDS,
        sa.func.count().label("number"),
        sa.func.sum(sa.case((safety_events.c.refused_input != "", 1), else_=0)).label("refused"),
    )
    .where(
        safety_events.c.tenant == bindparam("at_tenant"),
        safety_events.c.month >= bindparam("from_month"),
    )
    .group_by(*_KINDS)
    .order_by(*_KINDS)
)


def before(db: sa.Connection, session: Found, step: SafetyStep | None) -> SafetyState:
    """Return where the session was before a step; nothing is read where the step changes none."""
    return safety_states.current(db, session) if step else NOTHING_FOUND


def commit(
    db: sa.Connection, locked: Locked, step: SafetyStep, emitted: Emitted
) -> dict[str, object]:
    """Write what a turn's step changes, and return the columns of the session's row."""
    last = emitted.events[-1]
    safety_states.write(db, locked.key, step.state, sequence=last.sequence, turn_id=last.turn_id)
    if step.raised:
        found = _event_of(locked.key, step)
        _append(db, locked, replace(found, turn_id=last.turn_id), alert=step.alert)
    _wake_runs(db, locked, step.state)
    return safety_states.columns_of(step.state, last.sequence)


def _wake_runs(db: sa.Connection, locked: Locked, after: SafetyState) -> None:
    """Have runs go on whose decisions could not take effect while the session was frozen."""
    if locked.row.frozen and not after.frozen:
        run_ends.wake_waiting(db, locked)


def record_refused(
    db: sa.Connection, key: SessionKey, client_message_id: str, step: SafetyStep
) -> bool:
    """Keep the hit of a refused input and its alert, once per id; False: it is kept already.

    The session's state stays: nothing of the input is part of its conversation.
    """
    locked = sessions.lock(db, key)
    found = replace(_event_of(key, step), refused=True, client_message_ids=(client_message_id,))
    return _append(db, locked, found, alert=step.alert)


def close_safety(
    db: sa.Connection, key: SessionKey, closing: SafetyClosing
) -> tuple[SafetyState, tuple[SessionEvent, ...]]:
    """Lower the level by an operator, and return the state and what was emitted.

    Where it is as low already nothing changes. A turn that runs meanwhile may raise it again.
    """
    locked = sessions.lock(db, key)
    before = safety_states.current(db, locked.row)
    if before.level <= closing.level:
        return before, ()
    after = left_by_operator(before, closing.level, locked.row.next_turn - 1)
    emitted = emit(locked, [safety_draft(after, source=SafetySource.OPERATOR)])
    safety_states.write(db, key, after, sequence=emitted.first)
    keep(db, locked, emitted, safety_states.columns_of(after, emitted.first))
    _wake_runs(db, locked, after)
    decided = SafetyEvent(
        safety_event_id=new_id("saf"),
        session_id=key.session_id,
        level=after.level,
        source=SafetySource.OPERATOR,
    )
    _append(db, locked, decided, alert=False)
    acknowledge_safety(
        db, key.tenant, decided.safety_event_id, operator=closing.operator, note=closing.note
    )
    return after, emitted.events


def get_safety(db: sa.Connection, key: SessionKey) -> SafetyState:
    """Return where the session is on the path; NotFound where there is none."""
    return safety_states.current(db, sessions.read(db, key))


def list_safety_events(
    db: sa.Connection, tenant: str, page: Page, wanted: SafetyFilter
) -> tuple[list[SafetyEvent], str]:
    """Return safety events, newest first by default, and the next page's token: the last one's id.

    The next page begins behind that one also where it was acknowledged meanwhile.
    """
    conditions = []
    if wanted.session_id:
        conditions.append(safety_events.c.session_id == wanted.session_id)
    if wanted.unacknowledged:
        conditions.append(IS_UNSEEN)
    if wanted.alerts:
        conditions.append(alerts.c.delivered.is_not(None))
    rows, token = SAFETY_EVENTS_LISTED.page(db, {"at_tenant": tenant}, page, *conditions)
    return [_read(row) for row in rows], token


def acknowledge_safety(
    db: sa.Connection, tenant: str, safety_event_id: str, *, operator: str, note: str
) -> SafetyEvent:
    """Note that an operator has seen an event; a later one changes nothing; or NotFound."""
    it = {"at_tenant": tenant, "at_event": safety_event_id}
    _SEE.run(db, it | {"to_operator": operator, "to_note": note})
    row = db.execute(_ONE, it).first()
    if row is None:
        raise NotFound("safety_event", safety_event_id)
    return _read(row)


def safety_report(db: sa.Connection, tenant: str, since: datetime) -> tuple[SafetyCount, ...]:
    """Return counts by month, level, source and language, from the month of `since` on."""
    rows = db.execute(_COUNTED, {"at_tenant": tenant, "from_month": _month(since)})
    return tuple(
        SafetyCount(
            month=row.month,
            level=SafetyLevel(row.level),
            source=SafetySource(row.source),
            language=row.language,
            count=int(row.number),
            refused=int(row.refused),
        )
        for row in rows
    )


def _event_of(key: SessionKey, step: SafetyStep) -> SafetyEvent:
    return SafetyEvent(
        safety_event_id=new_id("saf"),
        session_id=key.session_id,
        client_message_ids=step.client_message_ids,
        level=step.level,
        step=step.state.step,
        source=step.source,
        rules=step.rules,
        subject=step.subject,
        language=step.language,
        locale=step.card.locale if step.card else "",
    )


def _append(db: sa.Connection, locked: Locked, made: SafetyEvent, *, alert: bool) -> bool:
    """Write an event and its alert; False where the refused input has one already."""
    known = {"safety_event_id": made.safety_event_id, "create_time": locked.now}
    row = {
        **blank(safety_events),
        **known,
        **copied(made, ("turn_id", "source", "language")),
        "refused_input": made.client_message_ids[0] if made.refused else "",
        "level": made.level.value,
        "month": _month(locked.now),
        "event": dump(made),
    }
    if _INSERT.row(db, owned(locked.key) | row) is None:
        return False
    if alert:
        asked = blank(alerts) | known | {"lease_until": FREE}
        _INSERT_ALERT.run(db, owned(locked.key) | asked)
    return True


def _read(row: Found) -> SafetyEvent:
    alert = None
    if row.delivered is not None:
        alert = AlertState.DELIVERED if row.delivered else AlertState.PENDING
    return replace(
        load(SafetyEvent, row.event),
        create_time=row.create_time,
        alert=alert,
        alert_failures=row.failures or 0,
        acknowledge_time=row.acknowledge_time,
        acknowledged_by=row.acknowledged_by,
        note=row.note,
    )


def _month(moment: datetime) -> str:
    return f"{moment:%Y-%m}"
