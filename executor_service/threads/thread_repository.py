"""The repository of one aggregate: changes are made in memory, and written in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from executor_service.threads.ports import ThreadWriter
from executor_service.threads.thread import Thread
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.ids import new_id
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadRole, ThreadSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUpdate:
    """What `update_message` changes of a message."""

    sub_thread: SubThread | None = None
    """Is opened in it, at `meta._thread`; None: the text counts."""
    text: str = ""
    """Takes the place of a placeholder: a result, or what is said where its thread failed."""


class AggregateRepository:
    """The operations of document 003 on one thread; every other copy is refused (RESOLUTIONS T4).

    An operation that is not async changes the aggregate; `save_thread` writes what changed.
    """

    def __init__(
        self, thread: Thread, writer: ThreadWriter, *, make_id: Callable[[str], str] = new_id
    ) -> None:
        """`make_id` makes the ids of results that take a placeholder's place."""
        self._thread, self._writer, self._make_id = thread, writer, make_id

    def get_thread_settings(self, thread_id: str) -> ThreadSettings:
        """Return the settings of the main thread or a sub-thread; NotFound for others."""
        return self._thread.settings_of(thread_id)

    def update_thread_settings(
        self, thread: Thread, settings: ThreadSettings, path: ThreadPath = MAIN
    ) -> None:
        """Change the settings of the thread at a path."""
        self._own(thread).set_settings(path, settings)

    def update_message(
        self, thread: Thread, message_id: str, update: MessageUpdate, path: ThreadPath = MAIN
    ) -> None:
        """Open a thread in a message, or let a text take its place."""
        own = self._own(thread)
        if update.sub_thread is not None:
            own.nest(path, message_id, update.sub_thread)
            return
        result = ThreadMessage(
            message_id=self._make_id("msg"), role=ThreadRole.BOT, text=update.text
        )
        own.replace(path, message_id, result)

    async def save_thread(self, thread: Thread) -> None:
        """Write all that changed since the last time; nothing is asked where nothing did."""
        own = self._own(thread)
        if changes := own.unsaved:
            await self._writer.write(changes)
            own.saved(changes)

    def _own(self, thread: Thread) -> Thread:
        if require_main_thread(thread) is not self._thread:
            raise ThreadFault("NOT_MAIN_THREAD", "this is a second copy of the thread")
        return self._thread


def require_main_thread(thread: object) -> Thread:
    """Return the main thread; ThreadFault NOT_MAIN_THREAD where it is anything else (R23)."""
    if not isinstance(thread, Thread):
        problem = "the main thread is passed on, and a sub-thread by its path"
        raise ThreadFault("NOT_MAIN_THREAD", problem, found=type(thread).__name__)
    return thread
