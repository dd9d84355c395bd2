"""Durable events: numbered and kept in the transaction that tells them, read by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, func, select

from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.event_drafts import EventDraft, numbered
from session_store.sql import sessions
from session_store.sql.bodies import events_of
from session_store.sql.sessions import Locked
from session_store.sql.statements import at, of, owned, write
from session_store.sql.tables import IS_INPUT, attempts, events, messages

_INSERT = events.insert()
_AFTER = (
    select(events)
    .where(of(events), events.c.sequence > bindparam("after"))
    .order_by(events.c.sequence)
    .limit(bindparam("most"))
)
_BOUNDS = select(func.min(attempts.c.first_seq)).where(
    of(attempts), attempts.c.turn_id == bindparam("at_turn")
)
_INPUTS = select(messages.c.sequence).where(
    of(messages), IS_INPUT, messages.c.turn_id == bindparam("at_turn")
)
_OF_TURN = (
    select(events)
    .where(
        of(events),
        sa.or_(
            events.c.sequence.in_(_INPUTS),
            sa.and_(
                events.c.sequence >= bindparam("first"), events.c.turn_id == bindparam("at_turn")
            ),
        ),
    )
    .order_by(events.c.sequence)
)


@dataclass(frozen=True, slots=True)
class Told:
    """Drafts and the events they became."""

    drafts: Sequence[EventDraft]
    events: tuple[SessionEvent, ...]

    @property
    def first(self) -> int:
        """The number of the first."""
        return self.events[0].sequence


def tell(locked: Locked, drafts: Sequence[EventDraft]) -> Told:
    """Give the drafts the session's next numbers; `keep` writes them."""
    session_id = locked.key.session_id
    first = locked.row.next_seq
    return Told(drafts, numbered(drafts, session_id=session_id, first=first, now=locked.now))


def keep(db: sa.Connection, locked: Locked, told: Told, values: dict[str, object]) -> None:
    """Write the events, and with them the session's row: its next number and `values`."""
    rows = [
        owned(locked.key)
        | {
            "sequence": event.sequence,
            "turn_id": event.turn_id,
            "attempt": event.attempt,
            "kind": draft.kind.value,
            "audience": event.audience.value,
            "reference": draft.reference,
            "create_time": event.create_time,
        }
        for draft, event in zip(told.drafts, told.events, strict=True)
    ]
    write(db, _INSERT, rows)
    counted = {"next_seq": locked.row.next_seq + len(rows), "update_time": locked.now}
    sessions.update(db, locked.key, counted | values)


def read_events(
    db: sa.Connection, key: SessionKey, after: int, limit: int
) -> tuple[SessionEvent, ...]:
    """Return events with sequence > `after`, in order; NotFound for a deleted session."""
    session = sessions.read(db, key)
    rows = db.execute(_AFTER, at(key) | {"after": after, "most": limit}).all()
    return events_of(db, session, rows)


def read_turn(db: sa.Connection, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
    """Return a turn's events of all attempts, its InputAccepted first; NotFound if unknown."""
    session = sessions.read(db, key)
    turn = at(key) | {"at_turn": turn_id}
    first = db.execute(_BOUNDS, turn).scalar()
    if first is None:
        raise NotFound("turn", turn_id)
    return events_of(db, session, db.execute(_OF_TURN, turn | {"first": first}).all())
