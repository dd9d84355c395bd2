"""Durable events: numbered and kept in the transaction that tells them, read by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.event_drafts import EventDraft, numbered
from session_store.sql import sessions
from session_store.sql.bodies import events_of
from session_store.sql.prepared import Prepared
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found, at, of, owned
from session_store.sql.tables import IS_INPUT, attempts, events, messages

_INSERT = Prepared(events.insert())
_AFTER = Prepared(
    select(events)
    .where(of(events), events.c.sequence > bindparam("after"))
    .order_by(events.c.sequence)
    .limit(bindparam("most"))
)
_NEWEST = Prepared(
    select(attempts)
    .where(of(attempts), attempts.c.turn_id == bindparam("at_turn"))
    .order_by(attempts.c.attempt.desc())
    .limit(1)
)
_INPUTS = Prepared(
    select(messages.c.sequence).where(
        of(messages),
        IS_INPUT,
        messages.c.turn_no == bindparam("at_turn_no"),
        messages.c.turn_id == bindparam("at_turn"),
    )
)
_ACCEPTED = select(events).where(
    of(events), events.c.sequence.in_(bindparam("sequences", expanding=True))
)
_TOLD = Prepared(
    select(events)
    .where(
        of(events),
        events.c.sequence.between(bindparam("first"), bindparam("last")),
        events.c.turn_id == bindparam("at_turn"),
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

    def after(self, earlier: Told) -> Told:
        """Return both as one, for one `keep`."""
        return Told((*earlier.drafts, *self.drafts), earlier.events + self.events)


def tell(locked: Locked, drafts: Sequence[EventDraft]) -> Told:
    """Give the drafts the session's next numbers; `keep` writes them."""
    session_id = locked.key.session_id
    first = locked.row.next_seq
    return Told(drafts, numbered(drafts, session_id=session_id, first=first, now=locked.now))


def keep(db: sa.Connection, locked: Locked, told: Told, values: dict[str, object]) -> Found:
    """Write the events, and with them the session's row: its next number and `values`.

    Returns the row as it is then.
    """
    write(db, locked.key, told)
    counted = {"next_seq": told.events[-1].sequence + 1, "update_time": locked.now}
    return sessions.change(db, locked, counted | values)


def write(db: sa.Connection, key: SessionKey, told: Told) -> None:
    """Write the events alone."""
    first = owned(key)
    rows = [
        {
            **first,
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
    _INSERT.run_each(db, rows)


def read_events(
    db: sa.Connection, key: SessionKey, after: int, limit: int
) -> tuple[SessionEvent, ...]:
    """Return events with sequence > `after`, in order; NotFound for a deleted session."""
    session = sessions.read(db, key)
    rows = _AFTER.rows(db, at(key) | {"after": after, "most": limit})
    return events_of(db, session, rows)


def read_turn(db: sa.Connection, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
    """Return a turn's events of all attempts, its InputAccepted first; NotFound if unknown."""
    session = sessions.read(db, key)
    newest = _NEWEST.row(db, at(key) | {"at_turn": turn_id})
    if newest is None:
        raise NotFound("turn", turn_id)
    turn = at(key) | {"at_turn_no": newest.turn_no, "at_turn": turn_id}
    inputs = [row.sequence for row in _INPUTS.rows(db, turn)]
    accepted = db.execute(_ACCEPTED, at(key) | {"sequences": inputs}).all()
    span = {"first": newest.first_seq, "last": newest.last_seq or session.next_seq}
    told = _TOLD.rows(db, at(key) | span | {"at_turn": turn_id})
    # An input may have joined after an attempt that failed, hence lie between the turn's events.
    rows = sorted((*accepted, *told), key=lambda row: row.sequence)
    return events_of(db, session, rows)
