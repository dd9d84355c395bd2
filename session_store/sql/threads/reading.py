"""Threads as they are read: one, a page of them or of messages, and whole with what is nested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunKind, RunState
from session_store.records import Page
from session_store.records.threads import (
    KeptThread,
    KeptThreadMessage,
    ThreadContents,
    ThreadFilter,
)
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of
from session_store.sql.database.tables_of_runs import IS_UNENDED, runs
from session_store.sql.lists.list_fields import THREAD_FIELDS
from session_store.sql.lists.listing import Listing, meeting, numbered
from session_store.sql.sessions import sessions
from session_store.sql.threads import thread_messages, thread_rows
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

THREADS_LISTED = Listing(
    rows=select(sub_threads).where(of(sub_threads), sub_threads.c.listed),
    name=sub_threads.c.sequence,
    fields=THREAD_FIELDS,
    orders={"create_time": sub_threads.c.sequence},
    order_by="create_time",
)
MESSAGES_LISTED = numbered(thread_messages.STANDING, sub_thread_messages.c.number)
_WAITING = Prepared(
    select(sa.func.count().label("count")).where(
        of(runs),
        IS_UNENDED,
        runs.c.kind == constant(RunKind.SUB_AGENT.value),
        runs.c.state == constant(RunState.QUEUED.value),
        sa.not_(runs.c.admitted),
    )
)


def get_thread(db: sa.Connection, key: SessionKey, thread_id: str) -> KeptThread:
    """Return a thread, also of a turn that was taken back; NotFound where there is none."""
    sessions.read(db, key)
    return thread_rows.kept_of(_row(db, key, thread_id))


def list_threads(
    db: sa.Connection,
    key: SessionKey,
    page: Page,
    wanted: ThreadFilter = ThreadFilter(),  # noqa: B008  frozen
) -> tuple[list[KeptThread], str]:
    """Return threads in the order in which they were opened, and the next page's token.

    Those of turns that were taken back are left out.
    """
    sessions.read(db, key)
    rows, token = THREADS_LISTED.page(db, at(key), page, *meeting(sub_threads, wanted))
    return [thread_rows.kept_of(row) for row in rows], token


def list_thread_messages(
    db: sa.Connection, key: SessionKey, thread_id: str, page: Page
) -> tuple[list[KeptThreadMessage], str]:
    """Return messages by number, and the next page's token; NotFound as `get_thread`.

    Of a placeholder and what took its place, the latter.
    """
    sessions.read(db, key)
    _row(db, key, thread_id)
    wanted = at(key) | {"at_thread": thread_id}
    rows, token = MESSAGES_LISTED.page(db, wanted, page)
    return [thread_messages.kept_of(row) for row in rows], token


def read_run_threads(db: sa.Connection, key: SessionKey, run_id: str) -> tuple[ThreadContents, ...]:
    """Return the threads of a run with all their messages, the outermost first."""
    sessions.read(db, key)
    return _contents(db, key, thread_rows.of_run(db, key, run_id))


def read_thread_tree(
    db: sa.Connection, key: SessionKey, thread_id: str
) -> tuple[ThreadContents, ...]:
    """Return a thread and all that are nested below it, with their messages, it first.

    NotFound as `get_thread`.
    """
    sessions.read(db, key)
    root = _row(db, key, thread_id)
    below = {root.thread_id}
    found = [root]
    # What is nested was opened later, so that its parent is known by then.
    for row in thread_rows.of_run(db, key, root.run_id):
        if row.parent_thread_id in below:
            below.add(row.thread_id)
            found.append(row)
    return _contents(db, key, found)


def threads_waiting(db: sa.Connection, key: SessionKey) -> int:
    """Return how many runs of sub-agents of a session wait to be admitted."""
    sessions.read(db, key)
    return int(_WAITING.scalar(db, at(key)))


def _row(db: sa.Connection, key: SessionKey, thread_id: str) -> Found:
    row = thread_rows.find(db, key, thread_id)
    if row is None:
        raise NotFound("thread", thread_id)
    return row


def _contents(
    db: sa.Connection, key: SessionKey, rows: Sequence[Found]
) -> tuple[ThreadContents, ...]:
    said = thread_messages.of_threads(db, key, (row.thread_id for row in rows))
    return tuple(_whole(row, said[row.thread_id]) for row in rows)


def _whole(row: Found, said: Iterable[Found]) -> ThreadContents:
    messages = tuple(map(thread_messages.message_of, said))
    return ThreadContents(thread=thread_rows.thread_of(row), messages=messages)
