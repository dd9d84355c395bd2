"""Writes what an agent changed of the threads of its run: each call a checkpoint (T10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.threads.thread_changes import (
    MessageAppended,
    MessageRemoved,
    MessageReplaced,
    SettingsChanged,
    ThreadChange,
    ThreadEnded,
    ThreadOpened,
)
from executor_service.workflows.engine.driver_ports import Publish
from heartrule.domain.events import SessionEvent
from heartrule.domain.model_call import LLMDebugInfo
from session_store.records.runs import RunLease
from session_store.records.threads import NewThread, ThreadCheckpoint, ThreadEnd
from session_store.thread_port import ThreadWorkStore


class RunThreadWriter:
    """A `ThreadWriter` under the lease of a run; of the main thread, a snapshot, it writes nothing.

    The end of the outermost thread is the run's, which is written by whoever drives it.
    """

    def __init__(
        self,
        store: ThreadWorkStore,
        lease: RunLease,
        *,
        thread_id: str,
        publish: Publish,
        failpoints: Failpoints,
    ) -> None:
        """`thread_id` is that of the outermost thread."""
        self._store, self._lease, self._thread_id = store, lease, thread_id
        self._publish, self._failpoints = publish, failpoints
        self.calls: list[LLMDebugInfo] = []
        """Records of the model's calls since the last checkpoint; the next one writes them."""
        self.failure: Exception | None = None
        """Why the store could not write: then the run breaks off, and its agent has not failed."""

    async def write(self, changes: tuple[ThreadChange, ...]) -> None:
        """Write the changes in order.

        Raises:
            LeaseLost: Another worker has the run, or it has ended.
        """
        try:
            for each in _joined(self._own(changes)):
                await self._written(each)
        except Exception as error:
            self.failure = error
            raise

    def take_calls(self) -> tuple[LLMDebugInfo, ...]:
        """Return the calls that no checkpoint has written, and forget them."""
        taken = tuple(self.calls)
        self.calls.clear()
        return taken

    def _own(self, changes: Iterable[ThreadChange]) -> Iterator[ThreadChange]:
        for each in changes:
            if isinstance(each, ThreadOpened):
                if each.sub_thread.thread_id != self._thread_id:
                    yield each
            elif isinstance(each, ThreadEnded):
                if each.thread_id != self._thread_id:
                    yield each
            elif each.thread_id:
                yield each

    async def _written(self, change: ThreadChange | ThreadCheckpoint) -> None:
        if isinstance(change, ThreadOpened):
            thread = replace(change.sub_thread, run_id=self._lease.run_id)
            opened = await self._store.open_thread(self._lease, NewThread(thread=thread))
            self._told(opened.events)
        elif isinstance(change, ThreadEnded):
            end = ThreadEnd(
                state=change.state,
                result_text=change.result_text,
                values=change.values,
                failure_code=change.failure_code,
                calls=self.take_calls(),
            )
            self._told((await self._store.end_thread(self._lease, change.thread_id, end)).events)
        elif isinstance(change, ThreadCheckpoint):
            written = replace(change, calls=self.take_calls())
            self._told((await self._store.checkpoint(self._lease, written)).events)

    def _told(self, events: Iterable[SessionEvent]) -> None:
        self._failpoints.hit(Failpoint.THREAD_WRITTEN)
        self._publish(self._lease.key, events)


def _joined(changes: Iterable[ThreadChange]) -> Iterator[ThreadChange | ThreadCheckpoint]:
    """Yield changes as the store takes them: a message with the suggestion that goes with it."""
    waiting: ThreadCheckpoint | None = None
    for each in changes:
        written = _checkpoint(each)
        if waiting is not None and written is not None and _go_together(waiting, written):
            waiting = replace(
                waiting,
                message=waiting.message or written.message,
                replaces=waiting.replaces or written.replaces,
                settings=written.settings or waiting.settings,
            )
            continue
        if waiting is not None:
            yield waiting
        waiting = written
        if written is None:
            yield each
    if waiting is not None:
        yield waiting


def _checkpoint(change: ThreadChange) -> ThreadCheckpoint | None:
    if isinstance(change, MessageAppended):
        return ThreadCheckpoint(thread_id=change.thread_id, message=change.message)
    if isinstance(change, MessageReplaced):
        return ThreadCheckpoint(
            thread_id=change.thread_id, message=change.message, replaces=change.replaced_id
        )
    if isinstance(change, MessageRemoved):
        return ThreadCheckpoint(thread_id=change.thread_id, removed=change.message_id)
    if isinstance(change, SettingsChanged):
        return ThreadCheckpoint(thread_id=change.thread_id, settings=change.settings)
    return None


def _go_together(first: ThreadCheckpoint, second: ThreadCheckpoint) -> bool:
    if first.thread_id != second.thread_id or first.removed or second.removed:
        return False
    return first.message is None or second.message is None
