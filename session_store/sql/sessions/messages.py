"""Messages, the clients' inputs among them: one row each, in the conversation's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Message, Role
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.sql.database.prepared import PendingRows, Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.database.tables import (
    HAS_PLACE,
    IS_INPUT,
    IS_PLACEHOLDER,
    IS_TAKEN_BACK,
    IS_WAITING,
    messages,
)
from session_store.sql.sessions.rows import Input, input_of, message_of, message_row, plain_text_of

_INSERT = Prepared(messages.insert())
# All but those of turns that were taken back, and those that took another's place.
LISTED = select(messages).where(of(messages), sa.or_(IS_WAITING, sa.not_(IS_TAKEN_BACK)), HAS_PLACE)
_AT = sa.and_(of(messages), messages.c.sequence == bindparam("at_sequence"))
_PARTS = Prepared(select(messages.c.parts, messages.c.replaced_by).where(_AT))
_OPEN_PLACE = Prepared(
    select(messages).where(
        of(messages),
        IS_PLACEHOLDER,
        messages.c.message_id == bindparam("at_message"),
        messages.c.replaced_by == 0,
        messages.c.turn_no >= 0,
    )
)
_BY_ID = Prepared(
    select(messages.c.sequence).where(
        of(messages), messages.c.message_id == bindparam("at_message"), messages.c.turn_no >= 0
    )
)
_REPLACE = Prepared(messages.update().where(_AT).values(replaced_by=bindparam("by_sequence")))
_BY_INPUT = Prepared(
    select(messages).where(
        of(messages),
        IS_INPUT,
        messages.c.client_message_id == bindparam("at_input"),
    )
)
_WAITING = Prepared(select(messages).where(of(messages), IS_WAITING).order_by(messages.c.sequence))
_WINDOW = Prepared(
    select(
        messages.c.turn_no,
        messages.c.sequence,
        messages.c.role,
        messages.c.parts,
        messages.c.replaced_by,
    )
    .where(
        of(messages),
        messages.c.turn_no >= bindparam("from_turn"),
        messages.c.turn_no <= bindparam("to_turn"),
        HAS_PLACE,
    )
    .order_by(messages.c.turn_no, messages.c.sequence)
)
_OF_TURN = Prepared(
    select(messages)
    .where(of(messages), messages.c.turn_no == bindparam("at_turn"))
    .order_by(messages.c.sequence)
)
# Messages before a judged reply: with it and its answer they are eight lines.
_MOST_BEFORE = 6
_BEFORE = Prepared(
    select(messages)
    .where(
        of(messages),
        messages.c.turn_no < bindparam("at_turn"),
        sa.not_(IS_TAKEN_BACK),
        HAS_PLACE,
        messages.c.role != Role.SYSTEM.value,
    )
    .order_by(messages.c.turn_no.desc(), messages.c.sequence.desc())
    .limit(_MOST_BEFORE)
)
_IN = select(messages).where(
    of(messages), messages.c.sequence.in_(bindparam("sequences", expanding=True))
)
_TAKE_UP = Prepared(
    messages.update()
    .where(of(messages), messages.c.sequence == bindparam("at_sequence"))
    .values(turn_id=bindparam("to_turn"), turn_no=bindparam("to_turn_no"))
)


def store(db: sa.Connection, key: SessionKey, emitted: Sequence[Message], *, turn_no: int) -> None:
    """Insert messages that a turn committed."""
    turn = {"turn_no": turn_no}
    _INSERT.run_each(db, [owned(key) | message_row(each) | turn for each in emitted])


def store_input(
    db: sa.Connection, key: SessionKey, new: Input, *, turn_id: str = "", turn_no: int | None = None
) -> None:
    """Insert an input; without a turn it waits."""
    delivery = {
        "digest": new.digest,
        "if_busy": new.if_busy.value,
        "turn_timeout": new.turn_timeout,
        "traceparent": new.traceparent,
    }
    turn = {"turn_id": turn_id, "turn_no": turn_no}
    _INSERT.run(db, owned(key) | message_row(new.message) | delivery | turn)


def find_input(db: sa.Connection, key: SessionKey, client_message_id: str) -> Found | None:
    """Return the input stored under that id."""
    return _BY_INPUT.row(db, at(key) | {"at_input": client_message_id})


def ask_input(db: sa.Connection, key: SessionKey, client_message_id: str) -> PendingRows:
    """Send for the input stored under that id."""
    return _BY_INPUT.ask(db, at(key) | {"at_input": client_message_id})


def waiting(db: sa.Connection, key: SessionKey) -> tuple[Input, ...]:
    """Return the inputs without a turn, oldest first."""
    return tuple(map(input_of, _WAITING.rows(db, at(key))))


def pending(db: sa.Connection, key: SessionKey) -> tuple[str, ...]:
    """Return the ids of the inputs without a turn, oldest first."""
    return tuple(row.client_message_id for row in _WAITING.rows(db, at(key)))


def take_up(
    db: sa.Connection, key: SessionKey, taken: Sequence[Input], *, turn_id: str, turn_no: int
) -> None:
    """Give waiting inputs their turn, and so their place in the conversation."""
    turn = at(key) | {"to_turn": turn_id, "to_turn_no": turn_no}
    known = [each.message.sequence for each in taken if not each.fresh]
    _TAKE_UP.run_each(db, [turn | {"at_sequence": sequence} for sequence in known])
    for each in taken:
        if each.fresh:
            store_input(db, key, each, turn_id=turn_id, turn_no=turn_no)


@dataclass(frozen=True, slots=True)
class PendingLines:
    """Messages that the database was asked for, a result in its placeholder's place."""

    asked: PendingRows
    db: sa.Connection
    key: SessionKey

    def rows(self) -> list[Found]:
        """Wait for the rows and return them; to be called once."""
        return standing(self.db, self.key, self.asked.rows())


def ask_window(db: sa.Connection, key: SessionKey, from_turn: int, to_turn: int) -> PendingLines:
    """Send for turn_no, sequence, role and parts of the messages of these turns, both included.

    In the conversation's order.
    """
    asked = _WINDOW.ask(db, at(key) | {"from_turn": from_turn, "to_turn": to_turn})
    return PendingLines(asked, db, key)


def of_turn(db: sa.Connection, key: SessionKey, turn_no: int) -> Sequence[Found]:
    """Return a turn's messages in order, its inputs first."""
    return ask_turn(db, key, turn_no).rows()


def ask_turn(db: sa.Connection, key: SessionKey, turn_no: int) -> PendingRows:
    """Send for a turn's messages in order, its inputs first."""
    return _OF_TURN.ask(db, at(key) | {"at_turn": turn_no})


def ask_before(db: sa.Connection, key: SessionKey, turn_no: int) -> PendingLines:
    """Send for the last messages before a turn, but fixed texts, the newest first."""
    return PendingLines(_BEFORE.ask(db, at(key) | {"at_turn": turn_no}), db, key)


def standing(db: sa.Connection, key: SessionKey, rows: Sequence[Found]) -> list[Found]:
    """Return the rows of places, each with the parts of what took its place, if anything has.

    Nothing is asked where nothing has.
    """
    wanted = [row.replaced_by for row in rows if row.replaced_by]
    by = _rows_at(db, key, wanted)
    return [
        row._replace(parts=by[row.replaced_by].parts) if row.replaced_by in by else row
        for row in rows
    ]


def in_their_places(db: sa.Connection, key: SessionKey, rows: Sequence[Found]) -> list[Message]:
    """Return the messages of rows of `LISTED`, or what took their places."""
    by = _rows_at(db, key, [row.replaced_by for row in rows if row.replaced_by])
    return [message_of(by.get(row.replaced_by, row)) for row in rows]


def require(db: sa.Connection, key: SessionKey, message_id: str) -> None:
    """Refuse a message that does not stand in the conversation, with NotFound."""
    if _BY_ID.scalar(db, at(key) | {"at_message": message_id}) is None:
        raise NotFound("message", message_id)


def open_place(db: sa.Connection, key: SessionKey, message_id: str) -> Found | None:
    """Return the row of a placeholder that nothing has replaced; None where there is none.

    Nor is there where its turn was taken back.
    """
    return _OPEN_PLACE.row(db, at(key) | {"at_message": message_id})


def put_in_place(db: sa.Connection, key: SessionKey, place: Found, message: Message) -> None:
    """Insert a message that takes a placeholder's place: it is of the same turn."""
    store(db, key, (message,), turn_no=place.turn_no)
    names = {"at_sequence": place.sequence, "by_sequence": message.sequence}
    _REPLACE.run(db, at(key) | names)


def text_of(db: sa.Connection, key: SessionKey, sequence: int) -> str:
    """Return the text of one message, or of what took its place; empty for 0."""
    return last_said(db, key, sequence)[1]


def last_said(
    db: sa.Connection, key: SessionKey, sequence: int, *, until: int | None = None
) -> tuple[int, str]:
    """Return number and text of one message, or of what took its place; empty for 0.

    `until` is the number of the last event that counts.
    """
    if not sequence:
        return 0, ""
    row = _PARTS.row(db, at(key) | {"at_sequence": sequence})
    if row.replaced_by and (until is None or row.replaced_by <= until):
        return last_said(db, key, row.replaced_by, until=until)
    return sequence, plain_text_of(row)


def by_sequence(db: sa.Connection, key: SessionKey, sequences: Sequence[int]) -> dict[int, Message]:
    """Return the messages of those numbers."""
    return {number: message_of(row) for number, row in _rows_at(db, key, sequences).items()}


def _rows_at(db: sa.Connection, key: SessionKey, sequences: Sequence[int]) -> dict[int, Found]:
    """Return rows by their numbers; no number, no query."""
    rows = db.execute(_IN, at(key) | {"sequences": sequences}).all() if sequences else ()
    return {row.sequence: row for row in rows}
