"""Rows of threads: written when one is opened, read, and changed under the session's lock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from types import MappingProxyType

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from heartrule.domain.thread_changes import NewThread, ThreadEnd
from heartrule.domain.thread_events import ThreadChanged
from heartrule.domain.threads import ENDED_THREADS, SubThread, ThreadSettings, ThreadState
from session_store.codec import dump, load, storable
from session_store.records.threads import KeptThread
from session_store.sql.database.prepared import PendingRows, Prepared
from session_store.sql.database.schema import constant
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions.rows import key_of
from session_store.sql.threads.tables_of_threads import sub_threads

_ID: sa.BindParameter[str] = bindparam("at_thread")
_INSERT = Prepared(sub_threads.insert())
_UPDATE = Prepared(sub_threads.update().where(of(sub_threads), sub_threads.c.thread_id == _ID))
_ONE = Prepared(select(sub_threads).where(of(sub_threads), sub_threads.c.thread_id == _ID))
_IN = Prepared(
    select(sub_threads).where(
        of(sub_threads),
        sub_threads.c.parent_thread_id == bindparam("at_parent"),
        sub_threads.c.anchor_message_id == bindparam("at_message"),
    )
)
_OF_RUN = select(sub_threads).where(of(sub_threads), sub_threads.c.run_id == bindparam("at_run"))
_ALL_OF_RUN = Prepared(_OF_RUN.order_by(sub_threads.c.sequence))
_OPEN_OF_RUN = Prepared(
    _OF_RUN.where(sub_threads.c.state == constant(ThreadState.RUNNING.value)).order_by(
        sub_threads.c.sequence
    )
)
_UNLIST = Prepared(
    sub_threads.update()
    .where(of(sub_threads), sub_threads.c.run_id == bindparam("at_run"))
    .values(listed=False)
)
_KEPT = RowsOf(KeptThread, sub_threads, is_shown="shown")
_THREADS = RowsOf(SubThread, sub_threads, but="settings", values="result_values")
STATE_OF_RUN = MappingProxyType(
    {
        RunState.COMPLETED: ThreadState.COMPLETED,
        RunState.FAILED: ThreadState.FAILED,
        RunState.CANCELLED: ThreadState.CANCELLED,
    }
)
"""What a thread is whose run ended so."""


def ask(db: sa.Connection, key: SessionKey, thread_id: str) -> PendingRows:
    """Send for a thread."""
    return _ONE.ask(db, at(key) | {"at_thread": thread_id})


def find(db: sa.Connection, key: SessionKey, thread_id: str) -> Found | None:
    """Return the row of a thread; None where the session has none of that id."""
    return _ONE.row(db, at(key) | {"at_thread": thread_id})


def in_message(db: sa.Connection, key: SessionKey, parent: str, message_id: str) -> Found | None:
    """Return the row of the thread that is nested in a message; None: none is."""
    return _IN.row(db, at(key) | {"at_parent": parent, "at_message": message_id})


def of_run(db: sa.Connection, key: SessionKey, run_id: str) -> list[Found]:
    """Return the threads of a run, the outermost first."""
    return _ALL_OF_RUN.rows(db, at(key) | {"at_run": run_id})


def open_of_run(db: sa.Connection, key: SessionKey, run_id: str) -> list[Found]:
    """Return the threads of a run that have not ended, the outermost first."""
    return _OPEN_OF_RUN.rows(db, at(key) | {"at_run": run_id})


def store(
    db: sa.Connection,
    key: SessionKey,
    opened: Sequence[NewThread],
    events: Sequence[SessionEvent],
    now: datetime,
) -> None:
    """Insert threads that are opened; `events` tell of them."""
    numbers = _openings_told(events) if opened else {}
    rows = [
        owned(key)
        | _THREADS.new_row(each.thread)
        | settings_columns(each.thread.settings)
        | {
            "plain_text": storable(each.plain_text),
            "sequence": numbers[each.thread.thread_id],
            "listed": True,
            "create_time": now,
        }
        for each in opened
    ]
    _INSERT.run_each(db, rows)


def _openings_told(events: Iterable[SessionEvent]) -> dict[str, int]:
    """Return the number of the first event that tells of each thread."""
    found: dict[str, int] = {}
    for each in events:
        if isinstance(each.body, ThreadChanged):
            found.setdefault(each.body.thread_id, each.sequence)
    return found


def ends_told(events: Iterable[SessionEvent]) -> dict[str, int]:
    """Return the numbers of the events that tell the ends of threads, by thread."""
    return {
        each.body.thread_id: each.sequence
        for each in events
        if isinstance(each.body, ThreadChanged) and each.body.state in ENDED_THREADS
    }


def settings_columns(settings: ThreadSettings) -> dict[str, object]:
    """Return the columns of a thread's settings."""
    return {
        "phase": settings.phase,
        "suggested_phase": settings.suggested_phase or "",
        "settings": dump(dict(settings.other)),
    }


def ended_columns(end: ThreadEnd, end_seq: int, now: datetime) -> dict[str, object]:
    """Return the columns of a thread that ends."""
    return {
        "state": end.state.value,
        "result_text": storable(end.result_text),
        "result_values": dump(dict(end.values)),
        "failure_code": end.failure_code,
        "end_seq": end_seq,
        "end_time": now,
    }


def update(db: sa.Connection, key: SessionKey, thread_id: str, columns: dict[str, object]) -> None:
    """Write columns of a thread's row."""
    _UPDATE.run(db, at(key) | {"at_thread": thread_id} | columns)


def unlist(db: sa.Connection, key: SessionKey, run_id: str) -> None:
    """Take the threads of a run out of every list: its turn was taken back."""
    _UNLIST.run(db, at(key) | {"at_run": run_id})


def thread_of(row: Found) -> SubThread:
    """Return the thread of a row."""
    settings = ThreadSettings(
        phase=row.phase,
        suggested_phase=row.suggested_phase or None,
        other=load(dict, row.settings),
    )
    return _THREADS.value(row, settings=settings)


def kept_of(row: Found) -> KeptThread:
    """Return the thread of a row as it is read."""
    return _KEPT.value(row, key=key_of(row), thread=thread_of(row), is_taken_back=not row.listed)
