"""What writing tables anew takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class ScrubOutcome(StrEnum):
    """What became of one table."""

    WRITTEN = "written"
    """Every file of it is new and holds nothing that was erased before."""
    BUSY = "busy"
    """Others used the table without a pause."""
    TOO_LONG = "too_long"
    """It would have been locked for longer than allowed; it is as it was."""
    SEEN = "seen"
    """It was written anew with erased rows, which an old transaction may still look at."""
    REFUSED = "refused"
    """The user does not own the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrubLimits:
    """How much a scrub may disturb conversations.

    A statement of the store waits ten seconds for a lock; `lock_wait` and `longest` together stay
    below that, so that turns wait and none fails.
    """

    lock_wait: timedelta = timedelta(seconds=1)
    """How long to wait for a table, during which others wait behind."""
    longest: timedelta = timedelta(seconds=8)
    """How long a table may be locked at a time."""
    keep_trying: timedelta = timedelta(minutes=1)
    """How long to try a table that is busy, or that an old transaction looks at."""
    pause: timedelta = timedelta(seconds=2)
    """The time between two tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrubbedTable:
    """One table after its scrub."""

    table: str
    outcome: ScrubOutcome
    took: timedelta
    """The last try: the time waited for the lock and the time locked."""
    tries: int
    rows: int
    size: int
    """Bytes of the table, its long texts and its indexes."""
