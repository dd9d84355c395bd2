"""Durable events: numbered and kept in the transaction that emits them, read by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Role
from heartrule.domain.decision_events import DecisionMade, DecisionValidated
from heartrule.domain.errors import NotFound
from heartrule.domain.events import (
    AdviceChanged,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    SessionEvent,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.thread_events import ThreadMessageAdded
from session_store.codec import load
from session_store.event_drafts import AUDIENCES, EventDraft, class_of, kind_of, numbered
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import IS_INPUT, events, messages
from session_store.sql.decisions import decision_rows
from session_store.sql.monitor import advice
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import messages as message_rows
from session_store.sql.sessions import sessions
from session_store.sql.sessions.event_texts import (
    NamedAdvice,
    NamedDecision,
    NamedThreadMessage,
    References,
    body_of,
    text_of,
)
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import thread_messages
from session_store.sql.turns import attempts

_EVENTS = RowsOf(SessionEvent, events, but="body")
_INSERT = Prepared(events.insert())
_AFTER = Prepared(
    select(events)
    .where(of(events), events.c.sequence > bindparam("after"))
    .order_by(events.c.sequence)
    .limit(bindparam("most"))
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
_SPAN = Prepared(
    select(events)
    .where(
        of(events),
        events.c.sequence.between(bindparam("first"), bindparam("last")),
        events.c.turn_id == bindparam("at_turn"),
    )
    .order_by(events.c.sequence)
)
_AT = Prepared(select(events).where(of(events), events.c.sequence == bindparam("at_sequence")))
_HAS_STATE = (StateChanged, TurnEnded, HistoryRewound)
_ADVICE_CHANGED = kind_of(AdviceChanged)
_THREAD_MESSAGE = kind_of(ThreadMessageAdded)
_WITH_PAYLOAD = frozenset(map(kind_of, (DecisionMade, DecisionValidated)))


@dataclass(frozen=True, slots=True)
class Emitted:
    """Drafts and the events they became."""

    drafts: Sequence[EventDraft]
    events: tuple[SessionEvent, ...]
    messages: tuple[int, ...]
    """The message that each refers to, by its number; 0: none."""
    last_message: int
    """The number of the assistant's last message by then; 0: none."""

    @property
    def first(self) -> int:
        """The number of the first."""
        return self.events[0].sequence

    def after(self, earlier: Emitted) -> Emitted:
        """Return both as one, for one `keep`."""
        return Emitted(
            (*earlier.drafts, *self.drafts),
            earlier.events + self.events,
            earlier.messages + self.messages,
            self.last_message,
        )


def emit(
    locked: Locked, drafts: Sequence[EventDraft], *, last_message: int | None = None
) -> Emitted:
    """Give the drafts the session's next numbers; `keep` writes them.

    `last_message` is the number of the assistant's last message, where the row has another.
    """
    session_id, row = locked.key.session_id, locked.row
    made = numbered(drafts, session_id=session_id, first=row.next_seq, now=locked.now)
    last = int(row.last_message) if last_message is None else last_message
    named = []
    for draft, event in zip(drafts, made, strict=True):
        match event.body:
            case InputAccepted():
                named.append(event.sequence)
            case MessageCommitted(message=message):
                is_last = message.role is Role.ASSISTANT and draft.place in (0, last)
                last = event.sequence if is_last else last
                named.append(event.sequence)
            case body:
                named.append(last if isinstance(body, _HAS_STATE) else 0)
    return Emitted(drafts, made, tuple(named), last)


def keep(db: sa.Connection, locked: Locked, emitted: Emitted, values: dict[str, object]) -> Found:
    """Write the events, and with them the session's row: its next number and `values`.

    Returns the row as it is then.
    """
    write(db, locked.key, emitted)
    counted = {"next_seq": emitted.events[-1].sequence + 1, "update_time": locked.now}
    return sessions.change(db, locked, counted | values)


def write(db: sa.Connection, key: SessionKey, emitted: Emitted) -> None:
    """Write the events alone."""
    told = zip(emitted.drafts, emitted.events, emitted.messages, strict=True)
    first = owned(key)
    rows = [
        first
        | _EVENTS.columns(
            event,
            kind=kind_of(type(draft.body)),
            subject=draft.subject,
            listed=draft.is_listed,
            message=message,
            body=text_of(draft, event),
        )
        for draft, event, message in told
    ]
    _INSERT.run_each(db, rows)


def was_emitted(db: sa.Connection, key: SessionKey, those: Sequence[SessionEvent]) -> bool:
    """Return True where the first of these events is stored as this transaction emitted it.

    Its number may meanwhile be another's: the time, to the microsecond, and the attempt differ.
    """
    if not those:
        return False
    first = those[0]
    row = _AT.row(db, at(key) | {"at_sequence": first.sequence})
    known = (first.create_time, first.turn_id, first.attempt)
    return row is not None and (row.create_time, row.turn_id, row.attempt) == known


def read_events(
    db: sa.Connection, key: SessionKey, after: int, limit: int = 500
) -> tuple[SessionEvent, ...]:
    """Return events with sequence > `after`, in order; NotFound for a deleted session.

    Empty only at the end: events of kinds unknown to this release are passed over.
    """
    session = sessions.read(db, key)
    while rows := _AFTER.rows(db, at(key) | {"after": after, "most": limit}):
        if found := events_of(db, session, rows):
            return found
        after = rows[-1].sequence
    return ()


def read_turn(db: sa.Connection, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
    """Return a turn's events of all attempts, from its inputs' InputAccepted to its last.

    NotFound for a turn that never was.
    """
    session = sessions.read(db, key)
    newest = attempts.newest(db, key, turn_id)
    if newest is None:
        raise NotFound("turn", turn_id)
    turn = at(key) | {"at_turn_no": newest.turn_no, "at_turn": turn_id}
    inputs = [row.sequence for row in _INPUTS.rows(db, turn)]
    accepted = db.execute(_ACCEPTED, at(key) | {"sequences": inputs}).all()
    span = {"first": newest.first_seq, "last": newest.last_seq or session.next_seq}
    emitted = _SPAN.rows(db, at(key) | span | {"at_turn": turn_id})
    # An input may have joined after an attempt that failed, hence lie between the turn's events.
    rows = sorted((*accepted, *emitted), key=lambda row: row.sequence)
    return events_of(db, session, rows)


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ended, without what other rows hold, and the last message by then."""

    body: TurnEnded
    last_message: int


def end_of(db: sa.Connection, key: SessionKey, attempt: Found) -> End:
    """Return how an attempt ended that is not running and was not lost."""
    row = _AT.row(db, at(key) | {"at_sequence": attempt.last_seq})
    return End(load(TurnEnded, row.body), row.message)


def events_of(db: sa.Connection, session: Found, rows: Sequence[Found]) -> tuple[SessionEvent, ...]:
    """Return the events of event rows, as they were emitted.

    Events of kinds that only a later release knows, whose executors may share the database, are
    left out.
    """
    rows = [row for row in rows if class_of(row.kind)]
    key = SessionKey(session.tenant, session.session_id)
    named = {row.message for row in rows if row.message}
    committed = message_rows.by_sequence(db, key, sorted(named))
    changed = [load(NamedAdvice, row.body) for row in rows if row.kind == _ADVICE_CHANGED]
    given = advice.by_name(db, key, {each.advice_id for each in changed})
    decided = [load(NamedDecision, row.body) for row in rows if row.kind in _WITH_PAYLOAD]
    payloads = decision_rows.payloads_of(db, key, (each.decision_id for each in decided))
    spoken = [load(NamedThreadMessage, row.body) for row in rows if row.kind == _THREAD_MESSAGE]
    names = {(each.thread_id, each.message_id) for each in spoken}
    said = thread_messages.named(db, key, names)
    known = References(
        script_id=session.script_id,
        script_version=session.script_version,
        message=None,
        advice=given,
        payloads=payloads,
        thread_texts={name: row.text for name, row in said.items()},
    )
    return tuple(_event_of(row, replace(known, message=committed.get(row.message))) for row in rows)


def _event_of(row: Found, known: References) -> SessionEvent:
    body = body_of(row.kind, row.body, row.sequence, known)
    return _EVENTS.value(row, body=body, audience=AUDIENCES[type(body)])
