"""What the worker of a run writes of its threads: checkpoints, and the end (T10, T12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.errors import InvalidRequest, NotFound, NotReady
from heartrule.domain.events import SessionEvent
from heartrule.domain.runs import RunState
from heartrule.domain.thread_changes import (
    MessagesRemoved,
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.threads import DEEPEST_THREAD, SubThread, ThreadState
from session_store.event_drafts import EventDraft
from session_store.records.runs import RunEnd, RunLease, RunWritten
from session_store.records.threads import ThreadCheckpoint, ThreadRunEnd
from session_store.runs.run_drafts import label_draft, message_draft, thread_draft
from session_store.sql.runs import run_ends, run_rows
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.sessions import calls, sessions
from session_store.sql.sessions.events import emit, keep
from session_store.sql.threads import thread_messages, thread_rows
from session_store.sql.threads.thread_ends import ended_thread


def checkpoint(db: sa.Connection, lease: RunLease, written: ThreadCheckpoint) -> RunWritten:
    """Write a message, a suggestion, a phase, and what belongs to it (RESOLUTIONS T10).

    A message that is written again under its id changes nothing but what is noted beside it; a
    thread that is opened again changes nothing.

    Errors:
        NotFound: it names a thread that is not the run's, or a message that is not there.
        NotReady: the thread has ended, reason THREAD_ENDED; the message has another thread,
            reason THREAD_EXISTS; or a thread runs in a message that is to be removed, reason
            THREAD_RUNNING.
        InvalidRequest: a thread is too deep, reason THREAD_TOO_DEEP; or the outermost one,
            which ends with its run, is to end alone, reason THREAD_OUTERMOST.
    """
    holding = run_rows.ask_held(db, lease)
    opened = {each.thread.thread_id for each in written.writes if isinstance(each, NewThread)}
    named = dict.fromkeys(filter(None, map(_thread_named, written.writes)))
    asked = [thread_rows.ask(db, lease.key, each) for each in named if each not in opened]
    rows = [row for each in asked for row in each.rows()]
    held = holding()
    threads = {row.thread_id: thread_rows.thread_of(row) for row in rows if row.listed}
    step = _Writing(db, held, threads)
    for each in written.writes:
        step.take(each)
    if written.label and held.names.is_announced:
        step.drafts.append(label_draft(held.names, written.label))
    return RunWritten(events=step.commit(written))


def finish_thread(db: sa.Connection, lease: RunLease, end: ThreadRunEnd) -> RunWritten:
    """End the outermost thread of a run, and the run; the next turn takes its values up.

    Threads below it that have not ended are CANCELLED, and no placeholder is left in them. A
    message takes the outermost one's placeholder's place: in this transaction where no turn
    runs, else with the turn's next step, or its failure. While a safety level freezes the
    session it waits for a step that neither finds nor leaves it frozen.

    `finish_run` and `cancel_run` end the threads of a run as well, with the plain text.
    """
    held = run_rows.held_by(db, lease)
    if end.end.thread_id != held.row.thread_id:
        raise NotFound("thread", end.end.thread_id)
    named = {"run_id": lease.run_id, "thread_id": held.row.thread_id}
    called = calls.append(db, held.locked, "", end.calls, **named) if end.calls else {}
    run_end = RunEnd(state=_state_of(end), failure=end.failure)
    return run_ends.end_run(db, held, run_end, outermost=end.end, counted=called)


def _state_of(end: ThreadRunEnd) -> RunState:
    if end.failure is not None:
        return RunState.FAILED
    return RunState.COMPLETED if end.end.state is ThreadState.COMPLETED else RunState.CANCELLED


def _thread_named(write: ThreadWrite) -> str:
    """Return the thread that has to be there for a write."""
    return write.thread.parent_thread_id if isinstance(write, NewThread) else write.thread_id


class _Writing:
    """A checkpoint under way: what is told of it, and what is written once that has numbers."""

    def __init__(self, db: sa.Connection, held: HeldRun, threads: dict[str, SubThread]) -> None:
        self._db, self._held, self._threads = db, held, threads
        self._writes: list[ThreadWrite] = []
        self._said: set[tuple[str, str]] = set()
        self.drafts: list[EventDraft] = []

    def take(self, write: ThreadWrite) -> None:
        """Take a write in, with what it tells; the next one sees the threads as it leaves them."""
        match write:
            case NewThread():
                self._open(write)
            case MessageWritten(thread_id=thread_id, message=message, replaces=replaces):
                self.drafts.append(message_draft(self._open_thread(thread_id), message, replaces))
                self._said.add((thread_id, message.message_id))
                self._writes.append(write)
            case MessagesRemoved(thread_id=thread_id, message_ids=message_ids):
                self._open_thread(thread_id)
                for each in message_ids:
                    self._require_at_rest(thread_id, each)
                self._writes.append(write)
            case SettingsWritten(thread_id=thread_id, settings=settings):
                before = self._open_thread(thread_id)
                after = replace(before, settings=settings)
                if replace(before.settings, other={}) != replace(settings, other={}):
                    self.drafts.append(thread_draft(after))
                self._change(after, write)
            case ThreadEnd(thread_id=thread_id):
                before = self._open_thread(thread_id)
                if not before.parent_thread_id:
                    raise InvalidRequest(
                        "the outermost thread ends with its run", reason="THREAD_OUTERMOST"
                    )
                after = ended_thread(before, write)
                self.drafts.append(thread_draft(after))
                self._change(after, write)

    def commit(self, written: ThreadCheckpoint) -> tuple[SessionEvent, ...]:
        """Write everything; return what was told."""
        db, held = self._db, self._held
        columns: dict[str, object] = {}
        if written.calls:
            named = {"run_id": held.row.run_id, "thread_id": written.calls_of}
            columns = calls.append(db, held.locked, "", written.calls, **named)
        events: tuple[SessionEvent, ...] = ()
        if self.drafts:
            emitted = emit(held.locked, self.drafts)
            keep(db, held.locked, emitted, columns)
            events = emitted.events
        elif columns:
            sessions.update(db, held.locked.key, columns)
        for each in self._writes:
            _write(db, held, each, events)
        return events

    def _open(self, write: NewThread) -> None:
        run, given = self._held.row, write.thread
        parent = self._open_thread(given.parent_thread_id)
        if parent.depth >= DEEPEST_THREAD:
            raise InvalidRequest(
                f"threads are nested at most {DEEPEST_THREAD} deep", reason="THREAD_TOO_DEEP"
            )
        key, name = self._held.locked.key, (given.parent_thread_id, given.anchor_message_id)
        known = thread_rows.in_message(self._db, key, *name)
        if known is not None and known.thread_id == given.thread_id:
            return
        if known is not None:
            raise NotReady("a thread is nested there already", reason="THREAD_EXISTS")
        if name not in self._said:
            thread_messages.number_of(self._db, key, *name)
        thread = replace(
            given,
            depth=parent.depth + 1,
            state=ThreadState.RUNNING,
            run_id=run.run_id,
            turn_id=run.turn_id,
        )
        self.drafts.append(thread_draft(thread))
        self._change(thread, replace(write, thread=thread))

    def _open_thread(self, thread_id: str) -> SubThread:
        thread = self._threads.get(thread_id)
        if thread is None or thread.run_id != self._held.row.run_id:
            raise NotFound("thread", thread_id)
        if thread.state is not ThreadState.RUNNING:
            raise NotReady("the thread has ended", reason="THREAD_ENDED")
        return thread

    def _require_at_rest(self, thread_id: str, message_id: str) -> None:
        nested = thread_rows.in_message(self._db, self._held.locked.key, thread_id, message_id)
        if nested is not None and nested.state == ThreadState.RUNNING:
            after = self._threads.get(nested.thread_id)
            if after is None or after.state is ThreadState.RUNNING:
                raise NotReady("a thread in this message is running", reason="THREAD_RUNNING")

    def _change(self, thread: SubThread, write: ThreadWrite) -> None:
        self._threads[thread.thread_id] = thread
        self._writes.append(write)


def _write(
    db: sa.Connection, held: HeldRun, write: ThreadWrite, events: Sequence[SessionEvent]
) -> None:
    key, now = held.locked.key, held.locked.now
    match write:
        case NewThread():
            thread_rows.store(db, key, (write,), events, now)
        case MessageWritten():
            thread_messages.store(db, key, write, now)
        case MessagesRemoved(thread_id=thread_id, message_ids=message_ids):
            thread_messages.remove(db, key, thread_id, message_ids)
        case SettingsWritten(thread_id=thread_id, settings=settings):
            thread_rows.update(db, key, thread_id, thread_rows.settings_columns(settings))
        case ThreadEnd(thread_id=thread_id):
            number = thread_rows.ends_told(events)[thread_id]
            thread_rows.update(db, key, thread_id, thread_rows.ended_columns(write, number, now))
