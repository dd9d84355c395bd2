"""Threads in forks: those that had ended by then; of the others a placeholder is closed (T10)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import Completeness
from heartrule.domain.keys import SessionKey
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, owned
from session_store.sql.forks.runs_in_forks import EventNumbers
from session_store.sql.sessions import events
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing, thread_rows
from session_store.sql.threads.showing import TakenPlaces
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

_NAMES: sa.BindParameter[str] = bindparam("names", expanding=True)
_OF_RUNS = (
    select(sub_threads)
    .where(of(sub_threads), sub_threads.c.run_id.in_(_NAMES))
    .order_by(sub_threads.c.sequence)
)
_SAID = select(sub_thread_messages).where(
    of(sub_thread_messages), sub_thread_messages.c.thread_id.in_(_NAMES)
)
_INSERT = Prepared(sub_threads.insert())
_INSERT_SAID = Prepared(sub_thread_messages.insert())


@dataclass(frozen=True, slots=True)
class OpenPlaces:
    """Placeholders that nothing had replaced by then, by message."""

    message_ids: frozenset[str]

    def is_one(self, thread: Found) -> bool:
        """Return whether the result of a thread has not taken its placeholder's place."""
        return not thread.parent_thread_id and thread.anchor_message_id in self.message_ids


NO_PLACES = OpenPlaces(frozenset())


def open_places(rows: Sequence[Found], last: int) -> OpenPlaces:
    """Return the open placeholders among messages up to an event."""
    return OpenPlaces(
        frozenset(
            row.message_id
            for row in rows
            if row.completeness == Completeness.PLACEHOLDER and not 0 < row.replaced_by <= last
        )
    )


def copy(
    db: sa.Connection,
    run_ids: Collection[str],
    places: OpenPlaces,
    keys: tuple[SessionKey, SessionKey],
    copied: EventNumbers,
) -> int:
    """Write the threads of ended runs of the first session for the second.

    Returns how many results have not taken their placeholders' places there.
    """
    source, target = keys
    wanted = at(source) | {"names": sorted(run_ids)}
    rows = db.execute(_OF_RUNS, wanted).all() if run_ids else ()
    if not rows:
        return 0
    moved = [
        row._asdict()
        | owned(target)
        | {name: copied.number(getattr(row, name)) for name in ("sequence", "end_seq")}
        | {"shown": not row.parent_thread_id and not places.is_one(row)}
        for row in rows
    ]
    _INSERT.run_each(db, moved)
    said = db.execute(_SAID, at(source) | {"names": sorted(row.thread_id for row in rows)}).all()
    _INSERT_SAID.run_each(db, [row._asdict() | owned(target) for row in said])
    return sum(places.is_one(row) for row in rows)


def close(db: sa.Connection, source: Locked, made: Locked, places: OpenPlaces) -> Locked:
    """Let the plain text take the place of each placeholder whose thread the fork does not have.

    Returns the fork as it is then.
    """
    found = []
    for message_id in sorted(places.message_ids):
        thread = thread_rows.in_message(db, source.key, "", message_id)
        if thread is None or thread_rows.find(db, made.key, thread.thread_id) is not None:
            continue
        one = showing.result_of(db, made, thread, thread.plain_text)
        found += [one] if one is not None else []
    if not found:
        return made
    shown = TakenPlaces(made, tuple(found))
    emitted = events.emit(made, shown.drafts())
    row = events.keep(db, made, emitted, {"last_message": emitted.last_message})
    shown.write(db, emitted.events, marks=False)
    return Locked(made.key, row, made.now)
