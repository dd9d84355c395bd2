"""The port of sub-threads: what the run that works on them writes, and what others read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from heartrule.domain.conversation import Message
from heartrule.domain.keys import SessionKey
from session_store.records import Page
from session_store.records.runs import RunLease, RunWritten
from session_store.records.threads import (
    KeptThread,
    KeptThreadMessage,
    MessageIndexes,
    ThreadCheckpoint,
    ThreadContents,
    ThreadFilter,
    ThreadRunEnd,
)


class ThreadWorkStore(Protocol):
    """What a worker writes of the threads of a run that it took; each call is one transaction.

    Every write is fenced by the run's token: by a lease that is no longer the newest, or of a run
    that has ended, it writes nothing and is LeaseLost, reason RUN_TAKEN.

    The outermost thread of a run is opened by a step of a turn (`StepCommit.threads`); whoever
    takes the run over finds with `read_run_threads` what was opened by then.
    """

    async def read_run_threads(self, key: SessionKey, run_id: str) -> tuple[ThreadContents, ...]:
        """Return the threads of a run with all their messages, the outermost first."""

    async def checkpoint(self, lease: RunLease, written: ThreadCheckpoint) -> RunWritten:
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

    async def finish_thread(self, lease: RunLease, end: ThreadRunEnd) -> RunWritten:
        """End the outermost thread of a run, and the run; the next turn takes its values up.

        Threads below it that have not ended are CANCELLED, and no placeholder is left in them. A
        message takes the outermost one's placeholder's place: in this transaction where no turn
        runs, else with the turn's next step, or its failure. While a safety level freezes the
        session it waits for a step that neither finds nor leaves it frozen.

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

    async def list_main_messages(self, key: SessionKey, page: Page) -> tuple[list[Message], str]:
        """Return messages of the main thread as paths count them, and the next page's token.

        The token is the number of that page's first message. Of a placeholder and what took its
        place, the latter.
        """

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
