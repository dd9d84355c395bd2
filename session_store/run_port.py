"""The port of runs, of workflows and sub-agents: what workers write, what others read and end."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunProgress
from session_store.records import Page
from session_store.records.kept_runs import (
    KeptArtifact,
    KeptRun,
    QueuedRun,
    RunDetails,
    RunFilter,
    RunWorker,
)
from session_store.records.recoveries import NodeRecovery
from session_store.records.runs import (
    BegunNode,
    EndedNode,
    RunEnd,
    RunLease,
    RunNotTaken,
    RunPause,
    RunWritten,
    StartedNode,
    TakenRun,
)


class RunWorkStore(Protocol):
    """What a worker writes of a run that it took; every write is fenced by the run's token.

    A write by a lease that is no longer the newest, or of a run that has ended, writes nothing and
    is LeaseLost, reason RUN_TAKEN.
    """

    async def take_run(self, run_id: str, *, owner: str) -> TakenRun | RunNotTaken:
        """Give a run to a worker, whoever had it; one that ended or waits still gives nothing.

        Its token rises. Attempts that began and did not end are RETRYING from here on, WORKER_LOST,
        where the worker that had it did not let go of it.
        A run that is taken over more than five times from workers that had not let go of it is
        failed, WORKER_LOST.
        """

    async def begin_node(self, lease: RunLease, node: StartedNode) -> BegunNode:
        """Write that an attempt begins, where no other run of the session waits for a decision."""

    async def end_node(self, lease: RunLease, node: EndedNode) -> RunWritten:
        """Write how an attempt ended, with its output, files and model calls.

        Errors:
            QuotaSpent: output or files are too large, reason RUN_VALUE_TOO_LARGE; or the run has no
                room for them, reason RUN_VALUES_SPENT. Nothing is written.
        """

    async def decide_recovery(self, lease: RunLease, recovery: NodeRecovery) -> RunWritten:
        """Write a failed node, the decisions about it with their verdicts, and their effect.

        NotReady, reason SESSION_FROZEN, while a safety level freezes the session; nothing is
        written then.
        """

    async def pause_run(self, lease: RunLease, pause: RunPause) -> RunWritten:
        """Let go of a run until its wake-up, its deadline at the latest; others may take it."""

    async def finish_run(self, lease: RunLease, end: RunEnd) -> RunWritten:
        """End a run; nodes that have not ended are CANCELLED, and the next turn takes the end up.

        A run never changes again after its end.
        """


class RunQueueStore(Protocol):
    """Which runs workers are to take, and which workers live."""

    async def beat(self, worker: RunWorker) -> None:
        """Write that a worker lives now."""

    async def forget_worker(self, worker_id: str) -> None:
        """Write that a worker has stopped: what it has is orphaned at once."""

    async def living_workers(self, silent: timedelta) -> tuple[RunWorker, ...]:
        """Return the workers whose heartbeat is younger than `silent`."""

    async def find_admissible(self, silent: timedelta, limit: int) -> tuple[SessionKey, ...]:
        """Return sessions with runs that `admit_runs` would admit, the longest waiting first."""

    async def admit_runs(self, key: SessionKey, silent: timedelta) -> tuple[QueuedRun, ...]:
        """Admit a session's queued runs to its share of the living workers; return these, in order.

        The share is half of their slots, at least one; runs that are admitted and have not ended
        have it, `MOST_THREADS_AT_ONCE` of sub-agents among them. Urgent ones come first, and one
        that has waited a minute has risen by one priority. Nothing is admitted twice.
        """

    async def standing_runs(self, limit: int, after: str = "") -> tuple[QueuedRun, ...]:
        """Return admitted runs that have not ended, by id, from the one after `after` on."""

    async def takeovers_of(self, run_id: str) -> int:
        """Return how often a run was taken from a worker that had not let go; 0: it has ended."""

    async def due_runs(self, limit: int, *, again_after: timedelta) -> tuple[str, ...]:
        """Return runs without a worker whose time to go on has come.

        Neither this nor `orphaned_runs` returns them again before `again_after` has passed.
        """

    async def orphaned_runs(
        self, limit: int, *, silent: timedelta, again_after: timedelta
    ) -> tuple[str, ...]:
        """Return runs whose worker has no heartbeat, or one older than `silent`, as `due_runs`."""


class RunStore(RunWorkStore, RunQueueStore, Protocol):
    """Runs; a step, a submitted decision or a recovery begins them."""

    async def list_runs(
        self, key: SessionKey, page: Page, wanted: RunFilter = ...
    ) -> tuple[list[KeptRun], str]:
        """Return runs in the order in which they were queued, and the next page's token.

        Those of turns that were taken back are left out.
        """

    async def ended_runs(self, key: SessionKey) -> tuple[KeptRun, ...]:
        """Return the runs whose ends wait for a turn, in the order in which they ended."""

    async def get_run(self, key: SessionKey, run_id: str) -> RunDetails:
        """Return a run with its attempts and files, also of a turn that was taken back.

        NotFound where the session has no such run.
        """

    async def read_run_progress(self, key: SessionKey, run_id: str) -> RunProgress:
        """Return all that decides how a run goes on, outputs whole; NotFound as `get_run`."""

    async def get_run_value(self, key: SessionKey, run_id: str, sha256: str) -> JsonValue:
        """Return an input or output that `get_run` names by its hash; NotFound where it is gone."""

    async def get_run_artifact(
        self, key: SessionKey, run_id: str, path: str, name: str
    ) -> KeptArtifact:
        """Return a file with its content; NotFound where there is none, or age deleted it."""

    async def cancel_run(self, key: SessionKey, run_id: str) -> RunWritten:
        """End a run as CANCELLED, whoever has it; one that has ended stays as it is."""

    async def trim_runs(self, older_than: timedelta) -> int:
        """Empty inputs and outputs of runs that ended before, and delete their files; states stay.

        So are the texts in threads of sub-agents; what took a placeholder's place is a message of
        the conversation. A result that has not taken it yet keeps its run whole.

        Returns how many runs it was.
        """
