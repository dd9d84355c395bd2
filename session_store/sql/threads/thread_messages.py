"""Rows of messages of threads nested in messages; one that is replaced stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.thread_changes import MessageWritten
from heartrule.domain.threads import ThreadMessage
from session_store.codec import storable
from session_store.records.threads import KeptThreadMessage
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.rows_of import RowsOf
from session_store.sql.threads.tables_of_threads import IS_OPEN_PLACE, sub_thread_messages

_IN_THREAD = sa.and_(
    of(sub_thread_messages), sub_thread_messages.c.thread_id == bindparam("at_thread")
)
_NEW = insert(sub_thread_messages)
_WRITE = Prepared(
    _NEW.on_conflict_do_update(
        index_elements=list(sub_thread_messages.primary_key.columns),
        set_={"meta": _NEW.excluded["meta"]},
    )
)
_AT = (sub_thread_messages.c.number, sub_thread_messages.c.message_id)
STANDING = select(sub_thread_messages).where(_IN_THREAD, sub_thread_messages.c.replaced_by == "")
"""Of a placeholder and what took its place, the latter."""
_IN_THREADS = (
    select(sub_thread_messages)
    .where(
        of(sub_thread_messages),
        sub_thread_messages.c.thread_id.in_(bindparam("names", expanding=True)),
    )
    .order_by(sub_thread_messages.c.thread_id, *_AT)
)
_OPEN_PLACES = _IN_THREADS.where(IS_OPEN_PLACE)
_REPLACE = Prepared(
    sub_thread_messages.update()
    .where(
        _IN_THREAD,
        sub_thread_messages.c.number == bindparam("at_number"),
        sub_thread_messages.c.message_id == bindparam("at_message"),
        IS_OPEN_PLACE,
    )
    .values(replaced_by=bindparam("by_message"))
    .returning(sub_thread_messages.c.message_id)
)
_NUMBER = Prepared(
    select(sub_thread_messages.c.number).where(
        _IN_THREAD, sub_thread_messages.c.message_id == bindparam("at_message")
    )
)
_DELETE = Prepared(
    sub_thread_messages.delete().where(
        _IN_THREAD, sub_thread_messages.c.number == bindparam("at_number")
    )
)
_MOVE_UP = Prepared(
    sub_thread_messages.update()
    .where(_IN_THREAD, sub_thread_messages.c.number > bindparam("at_number"))
    .values(number=sub_thread_messages.c.number - 1)
)
_NAMED = select(sub_thread_messages).where(
    of(sub_thread_messages),
    sa.tuple_(sub_thread_messages.c.thread_id, sub_thread_messages.c.message_id).in_(
        bindparam("names", expanding=True)
    ),
)
_MESSAGES = RowsOf(
    ThreadMessage, sub_thread_messages, but="replaced_by", is_placeholder="placeholder"
)


def store(db: sa.Connection, key: SessionKey, written: MessageWritten, now: datetime) -> None:
    """Write a message; one that is there keeps all but what is noted beside it.

    Errors:
        NotFound: what it replaces is no placeholder of the thread that stands.
    """
    message, thread = written.message, {"at_thread": written.thread_id}
    if written.replaces:
        place = {"at_number": message.number, "at_message": written.replaces}
        by = {"by_message": message.message_id}
        if _REPLACE.row(db, at(key) | thread | place | by) is None:
            raise NotFound("placeholder", written.replaces)
    row = _MESSAGES.columns(replace(message, text=storable(message.text)))
    row |= {"thread_id": written.thread_id, "replaces": written.replaces, "replaced_by": ""}
    _WRITE.run(db, owned(key) | row | {"create_time": now})


def number_of(db: sa.Connection, key: SessionKey, thread_id: str, message_id: str) -> int:
    """Return the number of a message; NotFound where the thread has none of that id."""
    number = _NUMBER.scalar(db, at(key) | {"at_thread": thread_id, "at_message": message_id})
    if number is None:
        raise NotFound("message", message_id)
    return int(number)


def remove(db: sa.Connection, key: SessionKey, thread_id: str, message_ids: Iterable[str]) -> None:
    """Delete messages; those behind each move up. NotFound where one is not there."""
    for message_id in message_ids:
        number = number_of(db, key, thread_id, message_id)
        place = at(key) | {"at_thread": thread_id, "at_number": number}
        _DELETE.run(db, place)
        _MOVE_UP.run(db, place)


def of_threads(
    db: sa.Connection, key: SessionKey, thread_ids: Iterable[str]
) -> dict[str, list[Found]]:
    """Return every message of each of these threads, by number."""
    return _grouped(db, key, _IN_THREADS, thread_ids)


def open_places(
    db: sa.Connection, key: SessionKey, thread_ids: Iterable[str]
) -> dict[str, list[Found]]:
    """Return the placeholders in each of these threads that nothing has replaced."""
    return _grouped(db, key, _OPEN_PLACES, thread_ids)


def named(
    db: sa.Connection, key: SessionKey, names: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Found]:
    """Return rows by thread and message; no name, no query."""
    rows = db.execute(_NAMED, at(key) | {"names": sorted(names)}).all() if names else ()
    return {(row.thread_id, row.message_id): row for row in rows}


def message_of(row: Found) -> ThreadMessage:
    """Return the message of a row."""
    return _MESSAGES.value(row, replaced_by=row.replaced_by)


def kept_of(row: Found) -> KeptThreadMessage:
    """Return the message of a row as it is listed."""
    return KeptThreadMessage(
        message=message_of(row), replaces=row.replaces, create_time=row.create_time
    )


def _grouped(
    db: sa.Connection, key: SessionKey, which: sa.Select[tuple[object]], thread_ids: Iterable[str]
) -> dict[str, list[Found]]:
    wanted = sorted(set(thread_ids))
    found: dict[str, list[Found]] = {each: [] for each in wanted}
    for row in db.execute(which, at(key) | {"names": wanted}).all() if wanted else ():
        found[row.thread_id].append(row)
    return found
