"""Where threads stand: paths are computed from rows, by the messages that stand (R18, R19)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Message
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.records.threads import KeptThread, MessageIndexes
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, invalid_token, number_of, of
from session_store.sql.database.tables import HAS_PLACE, messages
from session_store.sql.sessions import messages as message_rows
from session_store.sql.sessions import sessions
from session_store.sql.threads import thread_messages, thread_rows
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

# Numbers are 32 bits: a larger index names no message.
_MOST = 2**31 - 1
_IN_ORDER = (messages.c.turn_no, messages.c.sequence)
# What is numbered of the main thread.
_STANDING = (of(messages), messages.c.turn_no >= 0, HAS_PLACE)
_NTH = Prepared(
    select(messages.c.message_id)
    .where(*_STANDING)
    .order_by(*_IN_ORDER)
    .limit(1)
    .offset(bindparam("at_index", type_=sa.Integer))
)
_PAGE = Prepared(
    select(messages)
    .where(*_STANDING)
    .order_by(*_IN_ORDER)
    .limit(bindparam("at_most", type_=sa.Integer))
    .offset(bindparam("at_first", type_=sa.Integer))
)
_COUNTED = (
    select(
        messages.c.message_id,
        (sa.func.row_number().over(order_by=_IN_ORDER) - 1).label("index"),
    )
    .where(*_STANDING)
    .subquery()
)
_INDEXES = select(_COUNTED).where(_COUNTED.c.message_id.in_(bindparam("names", expanding=True)))
_AT_NUMBER = Prepared(
    select(sub_thread_messages.c.message_id).where(
        of(sub_thread_messages),
        sub_thread_messages.c.thread_id == bindparam("at_thread"),
        sub_thread_messages.c.number == bindparam("at_index"),
        sub_thread_messages.c.replaces == "",
    )
)
_OF_RUNS = select(sub_threads).where(
    of(sub_threads),
    sub_threads.c.run_id.in_(
        select(sub_threads.c.run_id).where(
            of(sub_threads), sub_threads.c.thread_id.in_(bindparam("names", expanding=True))
        )
    ),
    sub_threads.c.listed,
)


def list_main_messages(db: sa.Connection, key: SessionKey, page: Page) -> tuple[list[Message], str]:
    """Return messages of the main thread as paths count them, and the next page's token.

    The token is the number of that page's first message. Of a placeholder and what took its
    place, the latter.
    """
    sessions.read(db, key)
    first = number_of(page.token or "0")
    if not 0 <= first <= _MOST:
        raise invalid_token()
    rows = _PAGE.rows(db, at(key) | {"at_most": page.size + 1, "at_first": first})
    found = message_rows.in_their_places(db, key, rows[: page.size])
    return found, str(first + page.size) if len(rows) > page.size else ""


def thread_at(db: sa.Connection, key: SessionKey, indexes: MessageIndexes) -> KeptThread:
    """Return the thread that is nested in the message these lead to; NotFound where none is.

    Messages of the main thread count from 0 in the conversation's order: those that stand, a
    placeholder and its result as one.
    """
    sessions.read(db, key)
    row: Found = None
    for index in indexes:
        parent = row.thread_id if row is not None else ""
        name = _message_at(db, key, parent, index)
        row = thread_rows.in_message(db, key, parent, name) if name else None
        if row is None:
            break
    if row is None:
        raise NotFound("thread", ".".join(map(str, indexes)))
    return thread_rows.kept_of(row)


def paths_of(
    db: sa.Connection, key: SessionKey, thread_ids: Collection[str]
) -> Mapping[str, MessageIndexes]:
    """Return where threads stand, by id; one that no message leads to is left out."""
    sessions.read(db, key)
    wanted = {"names": sorted(set(thread_ids))}
    rows = db.execute(_OF_RUNS, at(key) | wanted).all() if thread_ids else ()
    places = _Places({row.thread_id: row for row in rows}, _indexes(db, key, rows))
    found = ((each, places.path(each)) for each in dict.fromkeys(thread_ids))
    return {thread_id: path for thread_id, path in found if path}


@dataclass(frozen=True, slots=True)
class _Places:
    rows: Mapping[str, Found]
    indexes: Mapping[tuple[str, str], int]
    """Of messages, by thread and id."""

    def path(self, thread_id: str) -> MessageIndexes:
        """Return the indexes that lead to a thread; empty: none do."""
        path: list[int] = []
        while thread_id:
            row = self.rows.get(thread_id)
            here = row and self.indexes.get((row.parent_thread_id, row.anchor_message_id))
            if row is None or here is None:
                return ()
            path.insert(0, here)
            thread_id = row.parent_thread_id
        return tuple(path)


def _message_at(db: sa.Connection, key: SessionKey, thread_id: str, index: int) -> str:
    """Return the id of a thread's message, the placeholder's where one was replaced; or empty."""
    if not 0 <= index <= _MOST:
        return ""
    which = _AT_NUMBER if thread_id else _NTH
    found = which.scalar(db, at(key) | {"at_thread": thread_id, "at_index": index})
    return str(found) if found is not None else ""


def _indexes(
    db: sa.Connection, key: SessionKey, rows: Sequence[Found]
) -> dict[tuple[str, str], int]:
    outer = sorted({row.anchor_message_id for row in rows if not row.parent_thread_id})
    inner = {(row.parent_thread_id, row.anchor_message_id) for row in rows if row.parent_thread_id}
    found: dict[tuple[str, str], int] = {}
    if outer:
        counted = db.execute(_INDEXES, at(key) | {"names": outer})
        found |= {("", name): index for name, index in counted}
    numbered = thread_messages.named(db, key, inner)
    return found | {name: row.number for name, row in numbered.items()}
