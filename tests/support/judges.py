"""Pools in which decisions are judged, as tests need them: failing ones, and others far away."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from heartrule.chassis.worker_pool import WORKER_LOST
from heartrule.domain.errors import DeadlinePassed, HeartRuleError, QuotaSpent

T = TypeVar("T")

BUSY = QuotaSpent("all workers are busy", reason="WORKERS_BUSY")
LOST = QuotaSpent("the workers ended", reason=WORKER_LOST)
LATE = DeadlinePassed("the work took too long", reason="WORK_TOO_LONG")


@dataclass
class FailingPool:
    """Fails so many times, then does the work where it is asked for."""

    error: HeartRuleError
    times: int = 1

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Raise the error, or return what the work returns."""
        if self.times:
            self.times -= 1
            raise self.error
        return work(*args)


@dataclass
class DistantPool:
    """Does the work with what another process would have of it."""

    sent: list[int] = field(default_factory=list)
    """The bytes of each piece of work."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return a copy of what the work returns for copies of its arguments."""
        request = pickle.dumps((work, args))
        self.sent.append(len(request))
        work, args = pickle.loads(request)
        result: T = pickle.loads(pickle.dumps(work(*args)))
        return result
