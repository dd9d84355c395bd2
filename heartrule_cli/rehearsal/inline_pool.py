"""Work that is done where it is asked for: a rehearsal holds up nobody, and spawns no process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class InlinePool:
    """Does the work of worker processes in this one, without a limit."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return what the work returns, or raise what it raises."""
        return work(*args)
