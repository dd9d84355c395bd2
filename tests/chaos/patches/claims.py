"""Lets claims on analyses lapse sooner than in a minute, so that a run need not wait for it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from executor_service import bootstrap
from executor_service.monitoring.planning import DispatcherDeps
from executor_service.turns import attempt


def apply(seconds: str) -> None:
    """Let a claim last so many seconds."""
    patched: Any = bootstrap
    sooner = timedelta(seconds=float(seconds))
    patched.DispatcherDeps = partial(DispatcherDeps, claim_ttl=sooner)
    claiming: Any = attempt
    claiming.CLAIM_TTL = sooner
