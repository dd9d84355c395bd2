"""Was it committed? Asked by id after a connection broke inside a commit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput, SessionRecord, TurnSnapshot
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables import events, sessions

_EMITTED = Prepared(
    select(events.c.create_time, events.c.turn_id, events.c.attempt).where(
        of(events), events.c.sequence == bindparam("at_sequence")
    )
)
_MADE = Prepared(select(sessions.c.create_time).where(of(sessions)))


def emitted(db: sa.Connection, key: SessionKey, events_made: Sequence[SessionEvent]) -> bool:
    """Return True where the first of these events is stored as this transaction emitted it.

    Its number may meanwhile be another's: the time, to the microsecond, and the attempt differ.
    """
    if not events_made:
        return False
    first = events_made[0]
    row = _EMITTED.row(db, at(key) | {"at_sequence": first.sequence})
    known = (first.create_time, first.turn_id, first.attempt)
    return row is not None and (row.create_time, row.turn_id, row.attempt) == known


def made_session(db: sa.Connection, record: SessionRecord) -> bool:
    """Return True where the session was made by this transaction, or before it."""
    return bool(_MADE.scalar(db, at(record.key)) == record.create_time)


def was_begun(
    db: sa.Connection, begun: object, key: SessionKey, *, owner: str, ttl: timedelta
) -> bool:
    """Return True where this transaction began a turn."""
    del owner, ttl
    return isinstance(begun, TurnSnapshot) and emitted(db, key, begun.events)


def was_accepted_or_begun(
    db: sa.Connection,
    done: tuple[AcceptedInput, object],
    key: SessionKey,
    user_input: UserInput,
    *,
    owner: str,
    ttl: timedelta,
) -> bool:
    """Return True where this transaction accepted the input, or began a turn."""
    del user_input
    accepted, begun = done
    return was_begun(db, begun, key, owner=owner, ttl=ttl) or emitted(db, key, accepted.events)
