"""What keeps runs going, as whoever starts and ends them sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Protocol

from session_store.records.kept_runs import QueuedRun


class EngineState(StrEnum):
    """What an engine knows of a run; how far the run is, its rows say."""

    UNKNOWN = "unknown"
    """It was never started here, or forgotten."""
    QUEUED = "queued"
    RUNNING = "running"
    AT_REST = "at_rest"
    """Nothing is done for it until it is resumed: it waits, was cancelled, or has ended."""


class RunEngine(Protocol):
    """Runs what is queued; the rows of a run, not the engine, say what becomes of it."""

    async def start(self, run: QueuedRun) -> None:
        """Have a run begin that is in the store; a repeat changes nothing."""
        ...

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run that was cancelled in the store, without a further write of it."""
        ...

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on that wait no more, or whose worker went away.

        What runs in this process is left alone; what ended in the store does nothing.
        """
        ...

    async def wait(self, run_id: str) -> None:
        """Return once nothing is done for a run: it ended, or waits; at once where it is unknown.

        The caller limits the time.
        """
        ...

    async def status(self, run_ids: Collection[str]) -> Mapping[str, EngineState]:
        """Return what the engine knows of each run."""
        ...
