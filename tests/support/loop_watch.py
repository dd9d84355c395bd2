"""How long the event loop is held by one callback, by the processor time of its thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from executor_service.decisions.coordinator import judge
from executor_service.decisions.ground import Ground
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import MOST_NODES, SandboxTier
from tests.support.gate_ground import a_decision
from tests.support.large_plans import chain_of

_GROUND = Ground(sandboxes=frozenset(SandboxTier))
_PLAN = a_decision(chain_of(MOST_NODES), DecisionType.CREATE_WORKFLOW_PLAN)
_AT_REST_S = 0.004
"""What judging it takes of one of two cores of an AMD EPYC at rest (docs/benchmarks.md)."""


def slowness() -> float:
    """Return how many times longer than at rest this machine takes right now; at least 1.

    What a hypervisor gives to other guests counts as processor time too: up to five times.
    """
    judge(_PLAN, _GROUND)  # the first one makes what is kept
    return max(1.0, median(_judged_s() for _ in range(9)) / _AT_REST_S)


def _judged_s() -> float:
    began = time.thread_time()
    judge(_PLAN, _GROUND)
    return time.thread_time() - began


@dataclass(slots=True)
class LongestStep:
    """The callback that held a loop longest since `clear`."""

    slowness: float
    cpu_s: float = 0.0
    """As a machine at rest would have taken."""
    what: str = ""

    def note(self, cpu_s: float, handle: asyncio.Handle) -> None:
        """Keep the callback if none took longer."""
        if cpu_s / self.slowness > self.cpu_s:
            self.cpu_s, self.what = cpu_s / self.slowness, repr(handle)[:300]

    def clear(self) -> None:
        """Begin anew."""
        self.cpu_s, self.what = 0.0, ""


@contextmanager
def watched_loop() -> Iterator[LongestStep]:
    """Time every callback of this thread's loop; those of other threads' loops do not count.

    Processor time, since a busy machine makes the clock's meaningless.
    """
    longest = LongestStep(slowness())
    here, run = threading.get_ident(), asyncio.events.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        if threading.get_ident() != here:
            run(handle)
            return
        began = time.thread_time()
        run(handle)
        longest.note(time.thread_time() - began, handle)

    asyncio.events.Handle._run = timed  # type: ignore[method-assign,assignment]
    try:
        yield longest
    finally:
        asyncio.events.Handle._run = run  # type: ignore[method-assign]
