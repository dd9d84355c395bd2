"""The main thread with all that is nested in it: one object in memory (RESOLUTIONS T4).

Whoever works on a sub-thread is given this object and a path. Each change is a value, which is
returned and kept in `unsaved` until a store has written it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from executor_service.threads.thread_errors import InvalidThreadPath, ThreadFault
from executor_service.threads.thread_nodes import ThreadNode
from executor_service.threads.thread_path import ThreadPath
from executor_service.threads.thread_tree import ThreadTree
from heartrule.domain.errors import InvalidRequest, NotFound, NotReady
from heartrule.domain.thread_changes import (
    MessagesRemoved,
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.threads import (
    DEEPEST_THREAD,
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)

_Change = TypeVar("_Change", bound=ThreadWrite)


class Thread(ThreadTree):
    """The main thread; every method that takes a path works on the thread it leads to."""

    def __init__(self, thread_id: str, settings: ThreadSettings) -> None:
        """Begin without messages."""
        super().__init__(thread_id, settings)
        self._unsaved: list[ThreadWrite] = []
        self._at_work: set[str] = set()

    @classmethod
    def restored(
        cls,
        thread_id: str,
        settings: ThreadSettings,
        messages: Iterable[ThreadMessage],
        sub_threads: Iterable[tuple[SubThread, Iterable[ThreadMessage]]] = (),
    ) -> Thread:
        """Return a thread as it was stored.

        Messages stand in the order of their numbers. Sub-threads may come in any order; one whose
        message or parent is not there is left out.
        """
        thread = cls(thread_id, settings)
        thread._fill(thread._main, messages)
        for header, rows in sorted(sub_threads, key=lambda each: each[0].depth):
            parent = thread._subs.get(header.parent_thread_id)
            above = parent if header.parent_thread_id else thread._main
            if above is not None and above.holds(header.anchor_message_id):
                node = thread._nest(above, header)
                thread._fill(node, rows)
        return thread

    @property
    def unsaved(self) -> tuple[ThreadWrite, ...]:
        """What no store has written yet, in order."""
        return tuple(self._unsaved)

    def saved(self, changes: Iterable[ThreadWrite]) -> None:
        """Note that a store has written these, the first of `unsaved`."""
        del self._unsaved[: len(tuple(changes))]

    @contextmanager
    def at_work(self, path: ThreadPath) -> Iterator[None]:
        """Work on a thread; NotReady while another task does, reason THREAD_BUSY (T12)."""
        thread_id = self._node(path).thread_id
        if thread_id in self._at_work:
            raise NotReady("a task is at work on this thread", reason="THREAD_BUSY")
        self._at_work.add(thread_id)
        try:
            yield
        finally:
            self._at_work.discard(thread_id)

    # --- changing --------------------------------------------------------------------------------

    def append(self, path: ThreadPath, message: ThreadMessage) -> MessageWritten:
        """Write a message at the end of a thread, with the number that it has there."""
        node = self._open_node(path)
        change = MessageWritten(thread_id=node.thread_id, message=node.append(message))
        return self._noted(change)

    def nest(self, path: ThreadPath, message_id: str, sub_thread: SubThread) -> NewThread:
        """Open a sub-thread in a message of the thread at that path; it knows where it is."""
        node = self._open_node(path)
        node.place(message_id)
        if path.depth == DEEPEST_THREAD:
            problem = f"threads are nested at most {DEEPEST_THREAD} deep"
            raise InvalidThreadPath(str(path), problem, segment=path.depth)
        if message_id in node.nested or sub_thread.thread_id in self._subs:
            raise NotReady("a thread is nested there already", reason="THREAD_EXISTS")
        placed = replace(
            sub_thread,
            parent_thread_id=node.thread_id,
            anchor_message_id=message_id,
            depth=path.depth + 1,
        )
        self._nest(node, placed)
        return self._noted(NewThread(thread=placed))

    def replace(self, path: ThreadPath, message_id: str, result: ThreadMessage) -> MessageWritten:
        """Let a result take the place of a placeholder (RESOLUTIONS T8)."""
        node = self._open_node(path)
        standing = node.messages[node.place(message_id)]
        if not standing.is_placeholder:
            raise ThreadFault("NOT_A_PLACEHOLDER", "only a placeholder is replaced", id=message_id)
        numbered = replace(
            result, number=standing.number, role=ThreadRole.BOT, phase=standing.phase
        )
        node.put_in_place(numbered, message_id)
        change = MessageWritten(thread_id=node.thread_id, replaces=message_id, message=numbered)
        return self._noted(change)

    def remove(self, path: ThreadPath, message_id: str) -> MessagesRemoved:
        """Take a message out, with the threads in it; NotReady while one of them runs (T11)."""
        node = self._open_node(path)
        node.place(message_id)
        return self._without(node, (message_id,))

    def cut(self, path: ThreadPath, message_id: str) -> SettingsWritten:
        """Go back to a user's message: what came later is gone, its phase is the thread's (T13).

        NotReady while a thread in what is to go runs, reason THREAD_RUNNING.
        """
        node = self._open_node(path)
        last = node.messages[node.place(message_id)]
        if last.role is not ThreadRole.USER:
            raise InvalidRequest(
                "a thread goes back to a user's message", reason="NOT_A_USERS_MESSAGE"
            )
        if later := tuple(each.message_id for each in node.messages[last.number + 1 :]):
            self._without(node, later)
        phase = last.phase or node.settings.phase
        node.settings = replace(node.settings, phase=phase, suggested_phase=None)
        return self._noted(SettingsWritten(thread_id=node.thread_id, settings=node.settings))

    def set_settings(self, path: ThreadPath, settings: ThreadSettings) -> SettingsWritten | None:
        """Change a thread's settings; None: they are the same already."""
        node = self._open_node(path)
        if node.settings == settings:
            return None
        node.settings = settings
        return self._noted(SettingsWritten(thread_id=node.thread_id, settings=settings))

    def finish(self, path: ThreadPath, end: ThreadEnd) -> ThreadEnd:
        """End a sub-thread as `end` says, whose id it is given; what runs in it is cancelled."""
        node = self._open_node(path)
        if node.header is None:
            raise NotFound("thread", "")
        inner = self._all_below(node, tuple(node.nested))
        for each in (each for each in inner if not self._subs[each].is_ended):
            self._end(self._subs[each], ThreadEnd(thread_id=each, state=ThreadState.CANCELLED))
        return self._end(node, replace(end, thread_id=node.thread_id))

    # --- within ----------------------------------------------------------------------------------

    def _open_node(self, path: ThreadPath) -> ThreadNode:
        node = self._node(path)
        if node.is_ended:
            raise NotReady("the thread has ended", reason="THREAD_ENDED")
        return node

    def _without(self, node: ThreadNode, message_ids: tuple[str, ...]) -> MessagesRemoved:
        below = self._all_below(node, message_ids)
        if any(not self._subs[each].is_ended for each in below):
            raise NotReady("a thread in this message is running", reason="THREAD_RUNNING")
        node.drop(message_ids)
        self._forget(below)
        return self._noted(MessagesRemoved(thread_id=node.thread_id, message_ids=message_ids))

    def _end(self, node: ThreadNode, end: ThreadEnd) -> ThreadEnd:
        assert node.header is not None
        node.header = replace(
            node.header,
            state=end.state,
            result_text=end.result_text,
            values=end.values,
            failure_code=end.failure_code,
        )
        return self._noted(end)

    def _noted(self, change: _Change) -> _Change:
        self._unsaved.append(change)
        return change
