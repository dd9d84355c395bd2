"""What an engine knows of a run."""

from __future__ import annotations

from enum import StrEnum


class EngineState(StrEnum):
    """What an engine knows of a run; how far the run is, its rows say."""

    UNKNOWN = "unknown"
    """It was never started here, or forgotten."""
    QUEUED = "queued"
    RUNNING = "running"
    AT_REST = "at_rest"
    """Nothing is done for it until it is resumed: it waits, was cancelled, or has ended."""
