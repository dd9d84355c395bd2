"""The threads of a run that ends: none goes on, and no placeholder is left in them (T10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from heartrule.domain.conversation import Message
from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.runs import RunKind
from heartrule.domain.thread_changes import MessageWritten, ThreadEnd
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadRole, ThreadState
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.runs import RunEnd
from session_store.runs.run_drafts import message_draft, thread_draft
from session_store.sql.database.statements import Found
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing, thread_messages, thread_rows
from session_store.sql.threads.showing import TakenPlaces
from session_store.sql.threads.thread_rows import STATE_OF_RUN

_OUTSIDE = EmittingAttempt()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsClosing:
    """Threads that end with their run; of a run without any nothing is told or written."""

    locked: Locked
    ends: Sequence[tuple[SubThread, ThreadEnd]] = ()
    """The innermost first."""
    closed: Sequence[MessageWritten] = ()
    """What takes the places of placeholders inside them."""
    shown: TakenPlaces
    """What takes the outermost one's placeholder's place now."""
    waits: bool = False
    """True: that waits for a turn's step."""

    def drafts(self, emitted_by: EmittingAttempt = _OUTSIDE) -> list[EventDraft]:
        """Return what is told."""
        threads = {thread.thread_id: thread for thread, _ in self.ends}
        closed = [
            message_draft(threads[each.thread_id], each.message, each.replaces)
            for each in self.closed
        ]
        ended = [thread_draft(ended_thread(*each), emitted_by) for each in self.ends]
        return [*closed, *ended, *self.shown.drafts(emitted_by.turn_id, emitted_by.attempt)]

    def after(self) -> dict[str, object]:
        """Return the column of the session's row that counts results that wait."""
        return {"results_waiting": self.locked.row.results_waiting + 1} if self.waits else {}

    def write(self, db: sa.Connection, events: Sequence[SessionEvent]) -> tuple[Message, ...]:
        """Write the ends, and what takes places; return what stands in the conversation now."""
        key, now = self.locked.key, self.locked.now
        for each in self.closed:
            thread_messages.store(db, key, each, now)
        numbers = thread_rows.ends_told(events) if self.ends else {}
        for thread, end in self.ends:
            columns = thread_rows.ended_columns(end, numbers[thread.thread_id], now)
            is_shown = not thread.parent_thread_id and not self.waits
            thread_rows.update(db, key, thread.thread_id, columns | {"shown": is_shown})
        return self.shown.write(db, events, marks=False)


def ended_thread(thread: SubThread, end: ThreadEnd) -> SubThread:
    """Return a thread as it is after its end."""
    return replace(
        thread,
        state=end.state,
        result_text=end.result_text,
        values=end.values,
        failure_code=end.failure_code,
    )


def closing(
    db: sa.Connection,
    locked: Locked,
    run: Found,
    end: RunEnd,
    outermost: ThreadEnd | None = None,
    *,
    shows: bool = True,
) -> ThreadsClosing:
    """Return what ends with a run, a workflow's too, which has no thread.

    Args:
        db: The transaction.
        locked: The session.
        run: The run's row.
        end: How it ends.
        outermost: How its outermost thread does; None: as the run.
        shows: False where the turn is taken back, and the placeholder with it.
    """
    if run.kind != RunKind.SUB_AGENT:
        return ThreadsClosing(locked=locked, shown=TakenPlaces(locked))
    rows = thread_rows.open_of_run(db, locked.key, run.run_id)
    ends = [(thread_rows.thread_of(row), _end_of(row, end, outermost)) for row in reversed(rows)]
    closed = tuple(_closed(db, locked, rows)) if shows else ()
    shown, waits = _shown(db, locked, rows, ends) if shows else (TakenPlaces(locked), False)
    return ThreadsClosing(locked=locked, ends=ends, closed=closed, shown=shown, waits=waits)


def _end_of(row: Found, end: RunEnd, outermost: ThreadEnd | None) -> ThreadEnd:
    """Return how a thread ends; one below the outermost is no further than that."""
    if row.parent_thread_id:
        return ThreadEnd(thread_id=row.thread_id, state=ThreadState.CANCELLED)
    if outermost is not None:
        return outermost
    code = end.failure.code.value if end.failure else ""
    state = STATE_OF_RUN[end.state]
    return ThreadEnd(thread_id=row.thread_id, state=state, failure_code=code)


def _shown(
    db: sa.Connection,
    locked: Locked,
    rows: Sequence[Found],
    ends: Sequence[tuple[SubThread, ThreadEnd]],
) -> tuple[TakenPlaces, bool]:
    """Return what is shown at once, and whether it waits instead."""
    if not rows:
        return TakenPlaces(locked), False
    text = ends[-1][1].result_text or rows[0].plain_text
    found = showing.result_of(db, locked, rows[0], text)
    # A turn that runs commits it itself: its messages are in its order, and its end names them.
    waits = found is not None and (locked.row.frozen or bool(locked.row.lease_owner))
    return TakenPlaces(locked, (found,) if found is not None and not waits else ()), waits


def _closed(db: sa.Connection, locked: Locked, rows: Sequence[Found]) -> Iterable[MessageWritten]:
    """Yield the plain text for each placeholder inside threads that end.

    It is that of the thread nested there, else that of the thread it is in.
    """
    nested = {(row.parent_thread_id, row.anchor_message_id): row.plain_text for row in rows}
    places = thread_messages.open_places(db, locked.key, (row.thread_id for row in rows))
    for row in rows:
        for place in places[row.thread_id]:
            text = nested.get((row.thread_id, place.message_id)) or row.plain_text
            message = ThreadMessage(
                message_id=new_id("msg"),
                number=place.number,
                role=ThreadRole.BOT,
                text=text,
                phase=place.phase,
                unit=place.unit,
            )
            yield MessageWritten(
                thread_id=row.thread_id, message=message, replaces=place.message_id
            )
