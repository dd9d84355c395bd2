"""The port of sub-threads: what the run that works on them writes, and what others read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.records.runs import RunLease, RunWritten
from session_store.records.threads import (
    KeptThread,
    KeptThreadMessage,
    MessageIndexes,
    NewThread,
    OpenedThread,
    ThreadCheckpoint,
    ThreadContents,
    ThreadEnd,
    ThreadFilter,
)


class ThreadWorkStore(Protocol):
    """What a worker writes of the threads of a run that it took; each call is one transaction.

    Every write is fenced by the run's token: by a lease that is no longer the newest, or of a run
    that has ended, it writes nothing and is LeaseLost, reason RUN_TAKEN. Of a thread that is not
    the run's it is NotFound; of one that has ended, NotReady, reason THREAD_ENDED.

    The outermost thread of a run is opened by a step of a turn (`StepCommit.threads`).
    """

    async def read_run_threads(self, key: SessionKey, run_id: str) -> tuple[ThreadContents, ...]:
        """Return the threads of a run with all their messages, the outermost first."""

    async def open_thread(self, lease: RunLease, opened: NewThread) -> OpenedThread:
        """Open a thread in a message of another thread of the run, or return what is nested there.

        NotFound where there is no such message; InvalidRequest, reason THREAD_TOO_DEEP, where it
        would be deeper than `DEEPEST_THREAD`.
        """

    async def checkpoint(self, lease: RunLease, written: ThreadCheckpoint) -> RunWritten:
        """Write a message, a suggestion or a phase of a thread (RESOLUTIONS T10).

        A message that is written again under its id changes nothing but what is noted beside it.
        NotFound where a message that is replaced, noted or removed is not there; NotReady, reason
        THREAD_NESTED, where threads are nested in one that is removed.
        """

    async def end_thread(self, lease: RunLease, thread_id: str, end: ThreadEnd) -> RunWritten:
        """End a nested thread; what takes its placeholder's place is a message of its parent.

        Threads below it that have not ended are CANCELLED.
        """

    async def finish_thread(self, lease: RunLease, end: ThreadEnd) -> RunWritten:
        """End the outermost thread of a run, and the run; the next turn takes its values up.

        Threads below it that have not ended are CANCELLED. A message takes the placeholder's place,
        in this transaction where no turn runs, else with the turn's next step, or its failure.
        While a safety level freezes the session it waits for a step of a session that is not.

        `finish_run` and `cancel_run` end the threads of a run as well, with the plain text.
        """


class ThreadStore(ThreadWorkStore, Protocol):
    """Threads of a session."""

    async def get_thread(self, key: SessionKey, thread_id: str) -> KeptThread:
        """Return a thread, also of a turn that was taken back; NotFound where there is none."""

    async def thread_at(self, key: SessionKey, indexes: MessageIndexes) -> KeptThread:
        """Return the thread that is nested in the message these lead to; NotFound where none is.

        Messages of the main thread count from 0 in the conversation's order: those that stand, a
        placeholder and its result as one.
        """

    async def paths_of(
        self, key: SessionKey, thread_ids: Collection[str]
    ) -> Mapping[str, MessageIndexes]:
        """Return where threads stand, by id; one that no message leads to is left out."""

    async def list_threads(
        self, key: SessionKey, page: Page, wanted: ThreadFilter = ...
    ) -> tuple[list[KeptThread], str]:
        """Return threads in the order in which they were opened, and the next page's token.

        Those of turns that were taken back are left out.
        """

    async def list_thread_messages(
        self, key: SessionKey, thread_id: str, page: Page
    ) -> tuple[list[KeptThreadMessage], str]:
        """Return messages by number, and the next page's token; NotFound as `get_thread`.

        Of a placeholder and what took its place, the latter.
        """

    async def read_thread_tree(self, key: SessionKey, thread_id: str) -> tuple[ThreadContents, ...]:
        """Return a thread and all that are nested below it, with their messages, it first.

        NotFound as `get_thread`.
        """

    async def threads_waiting(self, key: SessionKey) -> int:
        """Return how many runs of sub-agents of a session wait to be admitted."""
