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
        most: float,
        period_s: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        most_keys: int = _MOST_KEYS,
    ) -> None:
        """Let `most` events of a key through in `period_s` seconds; 0: any number."""
        self.most = most
        self._period_s = period_s
        self._clock = clock
        self._most_keys = most_keys
        # When all that a key has taken is paid back, in the order of the first event.
        self._free_at: dict[Hashable, float] = {}

    def wait(self, key: Hashable, amount: float = 1) -> float:
        """Return the seconds until `amount` events of the key are let through; 0: they are now."""
        if not self.most:
            return 0.0
        now = self._clock()
        share = self._period_s / self.most
        free_at = max(self._free_at.get(key, now), now) + share * amount
        wait = free_at - now - self._period_s
        return wait if wait > _ROUNDING_S else 0.0

    def count(self, key: Hashable, amount: float = 1) -> None:
        """Count events that happened, let through or not."""
        if not self.most:
            return
        now = self._clock()
        share = self._period_s / self.most
        self._free_at[key] = max(self._free_at.pop(key, now), now) + share * amount
        if len(self._free_at) > self._most_keys:
            self._forget(now)

    def take(self, key: Hashable) -> float:
        """Count one event, unless it must wait; return the seconds that it must, or 0."""
        wait = self.wait(key)
        if not wait:
            self.count(key)
        return wait

    def _forget(self, now: float) -> None:
        """Drop what is paid back; where that is not enough, the keys that were quiet longest."""
        kept = {key: at for key, at in self._free_at.items() if at > now}
        room = self._most_keys // 2
        self._free_at = dict(list(kept.items())[-room:])
