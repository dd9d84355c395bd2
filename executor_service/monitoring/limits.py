"""The limits of one session's use of the monitor (RESOLUTIONS, One product point 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from heartrule.chassis.background import pause_after
from heartrule.domain.keys import SessionKey
from session_store.records import MonitorWork

# Another process may take up a claimed analysis after this time: the process that claimed it is
# dead, because it renews the claim while it works.
CLAIM_TTL = timedelta(seconds=60)
# The session's analyses have used all their tokens.
BUDGET_SPENT = "TOKEN_BUDGET_SPENT"
# The session has its maximum of running analyses.
TOO_MANY_AT_ONCE = "TOO_MANY_ANALYSES"
# Sweeps; with the default of 30 s between two, five minutes, as for failed turns.
_LONGEST_PAUSE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorLimits:
    """Per session, but for the sweep."""

    concurrency: int = 4
    """Analyses at once, in this process."""
    token_budget: int = 0
    """Tokens of all its analyses; 0: any number."""
    sweep_every: timedelta = timedelta(seconds=30)
    """Between two looks for owed analyses and plans; the pause after a first failure."""


class RunningAnalyses:
    """Counts the analyses that run, by session."""

    def __init__(self, limits: MonitorLimits) -> None:
        """Begin with no running analysis."""
        self._limits = limits
        self._counts: Counter[SessionKey] = Counter()

    def refusal(self, work: MonitorWork) -> str:
        """Return why this analysis is to be skipped; empty where it may run."""
        budget = self._limits.token_budget
        if budget and work.tokens_spent >= budget:
            return BUDGET_SPENT
        busy = self._counts[work.ticket.key] >= self._limits.concurrency
        return TOO_MANY_AT_ONCE if busy else ""

    def pause_after(self, attempt: int) -> timedelta:
        """Return the pause after a failed attempt: one sweep, then twice as long, up to ten."""
        return pause_after(attempt, first=self._limits.sweep_every, most=_LONGEST_PAUSE)

    @contextmanager
    def one(self, key: SessionKey) -> Iterator[None]:
        """Count one analysis for the length of a block; nothing is kept of a session at rest."""
        self._counts[key] += 1
        try:
            yield
        finally:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]
