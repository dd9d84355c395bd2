"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import timedelta

A_MOMENT = timedelta(milliseconds=1)
"""More than a store's own clock runs ahead of ours: it gives no two events the same time."""


class ManualClock:
    """Seconds since the epoch, as `time.time` gives them."""

    def __init__(self, start: float = 1_800_000_000.0) -> None:
        self._now = start

    def __call__(self) -> float:
        """Return the time."""
        return self._now

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by.total_seconds()
