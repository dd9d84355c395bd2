"""Messages that take the places of placeholders in the conversation (T8, T10).

A placeholder is committed and never changes: what takes its place is a message of its own, of the
placeholder's turn. A step may bring one along; the result of a thread that has ended is told here,
by whatever transaction comes next that may tell it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import select

from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.errors import RevisionConflict
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.ids import new_id
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records import StepCommit
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, copied, of
from session_store.sql.sessions import messages
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import thread_rows
from session_store.sql.threads.tables_of_threads import sub_threads

_WAITING = Prepared(
    select(sub_threads)
    .where(
        of(sub_threads),
        sub_threads.c.parent_thread_id == "",
        sub_threads.c.end_seq > 0,
        sa.not_(sub_threads.c.shown),
        sub_threads.c.listed,
    )
    .order_by(sub_threads.c.end_seq)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenPlace:
    """One message that takes a placeholder's place."""

    place: Found
    """The placeholder."""
    message: Message
    thread_id: str = ""
    """The thread whose result it is; empty: a step brings it."""
    has_waited: bool = False
    """True: the session's row counts it."""


@dataclass(frozen=True, slots=True)
class TakenPlaces:
    """What takes places in one transaction; where that is nothing it costs nothing."""

    locked: Locked
    each: tuple[TakenPlace, ...] = ()
    settled: tuple[str, ...] = ()
    """Threads that have waited, and whose placeholders another message has replaced."""

    def drafts(self, turn_id: str = "", attempt: int = 0) -> list[EventDraft]:
        """Return what is told, by a turn or outside of one."""
        emitted_by = EmittingAttempt(turn_id=turn_id, attempt=attempt)
        return [
            EventDraft(MessageCommitted(message=one.message), emitted_by, place=one.place.sequence)
            for one in self.each
        ]

    def text_in_last(self) -> str | None:
        """Return the text that takes the place of the assistant's last message; None: none does."""
        last = self.locked.row.last_message
        texts = (one.message.plain_text() for one in self.each if one.place.sequence == last)
        return next(texts, None)

    def ids_in(self, turn_id: str) -> tuple[str, ...]:
        """Return the ids of results that became messages of a turn, which their turn must name."""
        found = (one for one in self.each if one.thread_id and one.place.turn_id == turn_id)
        return tuple(one.message.message_id for one in found)

    def after(self) -> dict[str, object]:
        """Return the column of the session's row that counts results that wait."""
        waited = sum(one.has_waited for one in self.each) + len(self.settled)
        left = self.locked.row.results_waiting - waited
        return {"results_waiting": left} if waited else {}

    def write(
        self, db: sa.Connection, events: Iterable[SessionEvent], *, marks: bool = True
    ) -> tuple[Message, ...]:
        """Write the messages as they were emitted; return those that are results of threads.

        `marks` is False where the session does not have the threads.
        """
        for thread_id in self.settled:
            thread_rows.update(db, self.locked.key, thread_id, {"shown": True})
        bodies = (each.body for each in events)
        told = {
            body.message.message_id: body.message
            for body in (bodies if self.each else ())
            if isinstance(body, MessageCommitted)
        }
        for one in self.each:
            message = told[one.message.message_id]
            messages.put_in_place(db, self.locked.key, one.place, message)
            if one.thread_id and marks:
                thread_rows.update(db, self.locked.key, one.thread_id, {"shown": True})
        return tuple(told[one.message.message_id] for one in self.each if one.thread_id)


def of_step(db: sa.Connection, locked: Locked, step: StepCommit) -> tuple[StepCommit, TakenPlaces]:
    """Return a step without what takes places, and that: brought along, or waiting for a step.

    The step's end names the results of its turn.

    Errors:
        RevisionConflict: a message replaces what is no placeholder, or no longer stands; reason
            PLACEHOLDER_REPLACED.
    """
    brought = [_brought(db, locked, each) for each in step.messages if each.replaces_message_id]
    stays_frozen = step.safety is not None and step.safety.state.frozen
    waited = TakenPlaces(locked) if stays_frozen else waiting(db, locked)
    taken = {one.place.sequence for one in brought}
    if len(taken) < len(brought):
        raise _replaced(brought[-1].message)
    rest = [one for one in waited.each if one.place.sequence not in taken]
    late = [one.thread_id for one in waited.each if one.place.sequence in taken]
    shown = TakenPlaces(locked, (*brought, *rest), (*waited.settled, *late))
    return _without_places(step, shown), shown


def _without_places(step: StepCommit, shown: TakenPlaces) -> StepCommit:
    if not shown.each:
        return step
    left = tuple(each for each in step.messages if not each.replaces_message_id)
    ids, end = shown.ids_in(step.turn_id), step.end
    if end is not None:
        end = replace(end, message_ids=(*end.message_ids, *ids))
    return replace(step, messages=left, end=end)


def waiting(db: sa.Connection, locked: Locked) -> TakenPlaces:
    """Return the results that have waited, but for a frozen session; nearly always none."""
    row = locked.row
    if not row.results_waiting or row.frozen:
        return TakenPlaces(locked)
    rows = _WAITING.rows(db, at(locked.key))
    found = [(row, result_of(db, locked, row, text_of(row), has_waited=True)) for row in rows]
    return TakenPlaces(
        locked,
        tuple(one for _, one in found if one is not None),
        tuple(row.thread_id for row, one in found if one is None),
    )


def waiting_of_runs(db: sa.Connection, locked: Locked, run_ids: Collection[str]) -> int:
    """Return how many of the results that wait are of these runs; no result, no query."""
    rows = _WAITING.rows(db, at(locked.key)) if locked.row.results_waiting else ()
    return sum(row.run_id in run_ids for row in rows)


def result_of(
    db: sa.Connection, locked: Locked, thread: Found, text: str, *, has_waited: bool = False
) -> TakenPlace | None:
    """Return what takes the place of the placeholder of an outermost thread; None: it has none."""
    place = messages.open_place(db, locked.key, thread.anchor_message_id)
    if place is None:
        return None
    message = Message(
        message_id=new_id("msg"),
        role=Role.ASSISTANT,
        parts=(text_part(text),),
        replaces_message_id=place.message_id,
        **copied(place, ("action_instance_id", "action_id", "turn_id")),
    )
    return TakenPlace(
        place=place, message=message, thread_id=thread.thread_id, has_waited=has_waited
    )


def text_of(thread: Found) -> str:
    """Return what takes the placeholder's place of an ended thread."""
    return str(thread.result_text or thread.plain_text)


def _brought(db: sa.Connection, locked: Locked, message: Message) -> TakenPlace:
    place = messages.open_place(db, locked.key, message.replaces_message_id)
    if place is None:
        raise _replaced(message)
    return TakenPlace(place=place, message=replace(message, turn_id=place.turn_id))


def _replaced(message: Message) -> RevisionConflict:
    return RevisionConflict(
        "the message replaces no placeholder that stands",
        reason="PLACEHOLDER_REPLACED",
        metadata={"message_id": message.replaces_message_id},
    )
