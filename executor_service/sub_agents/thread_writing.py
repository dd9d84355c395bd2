"""Writes what an agent changed of the threads of its run: each call a checkpoint (T10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.workflows.engine.driver_ports import Publish
from heartrule.chassis import telemetry_metrics as metrics
from heartrule.domain.errors import InvalidRequest, NotFound, NotReady
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.thread_changes import (
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from session_store.ports import Store
from session_store.records.runs import RunLease
from session_store.records.threads import ThreadCheckpoint

# What the store refuses of an agent that broke a rule of threads.
_OF_AGENTS = (InvalidRequest, NotFound, NotReady)


class RunThreadWriter:
    """A `ThreadWriter` under the lease of a run; of the main thread, a snapshot, it writes nothing.

    The end of the outermost thread is the run's, which is written by whoever drives it.
    """

    def __init__(
        self,
        store: Store,
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
        self._label_told = ""
        self._units: set[tuple[str, int]] = set()
        self.agent = ""
        """The agent of the outermost thread."""
        self.labels: Mapping[str, str] = {}
        """What the client is told of the outermost thread's phases."""

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        """Write the changes in one transaction.

        Raises:
            LeaseLost: Another worker has the run, or it has ended.
        """
        writes = tuple(self._writes(changes))
        if not writes:
            return
        made = tuple(self.calls)
        checkpoint = ThreadCheckpoint(
            writes=writes,
            label=self._label(writes),
            calls=made,
            calls_of=_thread_of(writes[0]),
        )
        try:
            written = await self._store.checkpoint(self._lease, checkpoint)
        except _OF_AGENTS:
            raise
        except Exception as error:
            self.failure = error
            raise
        del self.calls[: len(made)]
        self._count_units(writes)
        self._failpoints.hit(Failpoint.THREAD_WRITTEN)
        self._publish(self._lease.key, written.events)

    def take_calls(self) -> tuple[LLMDebugInfo, ...]:
        """Return the calls that no checkpoint has written, and forget them."""
        taken = tuple(self.calls)
        self.calls.clear()
        return taken

    def _count_units(self, writes: Iterable[ThreadWrite]) -> None:
        """Count the units that wrote their first message here."""
        of_units = {
            (each.thread_id, each.message.unit)
            for each in writes
            if isinstance(each, MessageWritten) and each.message.unit
        }
        if begun := of_units - self._units:
            self._units |= begun
            metrics.count("heartrule.threads.units", len(begun), agent=self.agent)

    def _label(self, writes: Iterable[ThreadWrite]) -> str:
        """Return what the client is told of the phase that the outermost thread is in now."""
        for each in writes:
            if not isinstance(each, SettingsWritten) or each.thread_id != self._thread_id:
                continue
            if each.settings.suggested_phase is None:
                label = self.labels.get(each.settings.phase, "")
                is_new, self._label_told = label != self._label_told, label
                return label if is_new else ""
        return ""

    def _writes(self, changes: Iterable[ThreadWrite]) -> Iterator[ThreadWrite]:
        for each in changes:
            if isinstance(each, NewThread):
                each = replace(each, thread=replace(each.thread, run_id=self._lease.run_id))
            name = _thread_of(each)
            is_the_runs = name == self._thread_id and isinstance(each, NewThread | ThreadEnd)
            if name and not is_the_runs:
                yield each


def _thread_of(write: ThreadWrite) -> str:
    return write.thread.thread_id if isinstance(write, NewThread) else write.thread_id
