"""Opaque ids: unique, sortable by time to the millisecond, never parsed."""

from __future__ import annotations

import os
import time

_BYTES = 8
# Ids' worth of chance that is asked of the system together: each asking is a system call.
_AT_ONCE = 64


class _Chance:
    """Random bytes of the system, none of them given twice."""

    def __init__(self) -> None:
        self._drawn: list[bytes] = []
        os.register_at_fork(after_in_child=self._drawn.clear)

    def take(self) -> bytes:
        """Return some; any thread may ask."""
        while True:
            try:
                return self._drawn.pop()
            except IndexError:
                drawn = os.urandom(_BYTES * _AT_ONCE)
                self._drawn += [drawn[i : i + _BYTES] for i in range(0, len(drawn), _BYTES)]


_CHANCE = _Chance()


def new_id(prefix: str) -> str:
    """Return a fresh id such as `msg_0199…`: 12 hex digits of time, 16 of chance."""
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{_CHANCE.take().hex()}"
