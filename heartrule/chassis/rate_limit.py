"""So many events of one key in a period, by the generic cell rate algorithm: one number a key.

A whole period's events may come at once; after that one is let through each time its share of the
period has passed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

# A hundred bytes each; a caller with more keys than this loses only its oldest counts.
_MOST_KEYS = 100_000
# What adding a period to the clock and taking it away again may leave.
_ROUNDING_S = 1e-6


class RateLimit:
    """Counts the events of each key; keys that are quiet for a period are forgotten."""

    def __init__(
        self,
        most: int,
        period_s: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = _MOST_KEYS,
    ) -> None:
        """Let `most` events of a key through in `period_s` seconds; 0: any number."""
        self._period_s = period_s
        self._share_s = period_s / most if most else 0.0
        self._clock = clock
        self._most_keys = most_keys
        # When all that a key has taken is paid back, in the order of the last events.
        self._free_at: dict[Hashable, float] = {}

    def wait(self, key: Hashable) -> float:
        """Return the seconds until an event of the key is let through; 0: it is now."""
        now = self._clock()
        wait = self._after(key, now) - now - self._period_s
        return wait if wait > _ROUNDING_S else 0.0

    def take(self, key: Hashable) -> float:
        """Count an event, unless it must wait; return the seconds that it must, or 0."""
        wait = self.wait(key)
        if self._share_s and not wait:
            now = self._clock()
            free_at = self._after(key, now)
            self._free_at.pop(key, None)
            self._free_at[key] = free_at
            if len(self._free_at) > self._most_keys:
                self._forget(now)
        return wait

    def _after(self, key: Hashable, now: float) -> float:
        """Return when all is paid back once one event more is counted."""
        return max(self._free_at.get(key, now), now) + self._share_s

    def _forget(self, now: float) -> None:
        """Drop what is paid back; where that is not enough, the keys that were quiet longest."""
        kept = {key: at for key, at in self._free_at.items() if at > now}
        room = self._most_keys // 2
        self._free_at = dict(list(kept.items())[-room:])
