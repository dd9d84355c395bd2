"""Work that is done where it is asked for: tests need no further processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class InlineWorkers:
    """Does the work of worker processes in this one."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return what the work returns."""
        return work(*args)
