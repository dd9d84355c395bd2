"""Threads in forks: those that had ended by then; of the others a placeholder is closed (T10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from heartrule.domain.conversation import Completeness
from session_store.sql.database.statements import Found
from session_store.sql.sessions import events
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing, thread_rows
from session_store.sql.threads.showing import TakenPlaces


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
