"""Lets a worker be held for dead sooner than after a minute, so that a run need not wait for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from executor_service import run_composition
from executor_service.workflows.engine import durable_engine, run_upkeep

# Of the limit: heartbeats, and sweeps.
_BEATS, _SWEEPS = 5, 10


def apply(seconds: str) -> None:
    """Let a worker be silent for so many seconds, and the upkeep be as much more frequent."""
    limit = float(seconds)
    modules: tuple[Any, ...] = (run_composition, durable_engine, run_upkeep)
    changes = {
        "SILENT": timedelta(seconds=limit),
        "BEAT_S": limit / _BEATS,
        "SWEEP_S": limit / _SWEEPS,
        "_AGAIN_AFTER": timedelta(seconds=limit / 2),
    }
    for module in modules:
        for name in changes.keys() & vars(module).keys():
            setattr(module, name, changes[name])
