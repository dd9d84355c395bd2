"""Rows of threads as a store keeps them, written by changes alone; a worker may die at a write."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatchmethod

from executor_service.threads.task import HostUtils
from executor_service.threads.thread import Thread
from executor_service.threads.thread_repository import AggregateRepository
from heartrule.domain.thread_changes import (
    MessagesRemoved,
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadSettings


class WorkerDied(BaseException):
    """The process was killed; nothing of it goes on."""


class ThreadRows:
    """A `ThreadWriter` on rows in memory, from which an aggregate is restored."""

    def __init__(self, phase: str = "talking") -> None:
        """Begin with a main thread without messages."""
        self.settings = {"": ThreadSettings(phase=phase)}
        self.messages: dict[str, list[ThreadMessage]] = {"": []}
        self.headers: dict[str, SubThread] = {}
        self.batches: list[tuple[ThreadWrite, ...]] = []
        self.dies_before = self.dies_behind = 0
        """The number of the write before or behind which the worker dies, from 1; 0: none."""
        self._ids = 0

    def make_id(self, prefix: str) -> str:
        """Return an id that no other call returned."""
        self._ids += 1
        return f"{prefix}-{self._ids}"

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        """Write changes together, unless the worker dies."""
        number = len(self.batches) + 1
        if number == self.dies_before:
            self.dies_before = 0
            raise WorkerDied
        self.batches.append(changes)
        for change in changes:
            self.apply(change)
        if number == self.dies_behind:
            self.dies_behind = 0
            raise WorkerDied

    def restored(self) -> Thread:
        """Return the aggregate of the rows."""
        subs = [
            (replace(header, settings=self.settings[each]), tuple(self.messages[each]))
            for each, header in self.headers.items()
        ]
        return Thread.restored("main", self.settings[""], tuple(self.messages[""]), subs)

    def host(self, thread: Thread) -> HostUtils:
        """Return what tasks of that aggregate are given."""
        repository = AggregateRepository(thread, self, make_id=self.make_id)
        return HostUtils(thread_repository=repository, make_id=self.make_id)

    @singledispatchmethod
    def apply(self, change: ThreadWrite) -> None:
        """Write one change."""
        raise NotImplementedError(change)

    @apply.register
    def _(self, change: MessageWritten) -> None:
        rows, written = self.messages[change.thread_id], change.message
        if change.replaces:
            place = next(i for i, row in enumerate(rows) if row.message_id == change.replaces)
            rows[place] = replace(rows[place], replaced_by=written.message_id)
        rows.append(written)

    @apply.register
    def _(self, change: MessagesRemoved) -> None:
        for message_id in change.message_ids:
            rows = self.messages[change.thread_id]
            gone = next(row.number for row in rows if row.message_id == message_id)
            self.messages[change.thread_id] = [
                replace(row, number=row.number - (row.number > gone))
                for row in rows
                if row.number != gone
            ]
            self._forget(change.thread_id, message_id)

    @apply.register
    def _(self, change: SettingsWritten) -> None:
        self.settings[change.thread_id] = change.settings

    @apply.register
    def _(self, change: NewThread) -> None:
        opened = change.thread
        self.headers[opened.thread_id] = opened
        self.messages[opened.thread_id] = []
        self.settings[opened.thread_id] = opened.settings

    @apply.register
    def _(self, change: ThreadEnd) -> None:
        self.headers[change.thread_id] = replace(
            self.headers[change.thread_id],
            state=change.state,
            result_text=change.result_text,
            values=change.values,
            failure_code=change.failure_code,
        )

    def _forget(self, above: str, message_id: str) -> None:
        """Forget the threads nested in a message, and those in theirs."""
        for each in list(self.headers.values()):
            if (each.parent_thread_id, each.anchor_message_id) == (above, message_id):
                for row in self.messages[each.thread_id]:
                    self._forget(each.thread_id, row.message_id)
                del self.headers[each.thread_id], self.messages[each.thread_id]
                del self.settings[each.thread_id]
