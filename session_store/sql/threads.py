"""Threads that each serve with something of their own, such as a connection."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Generic, Protocol, TypeVar, cast

from session_store.sql.delivery import Deliver, Outcome, delivered
from session_store.sql.failures import closed


class Closable(Protocol):
    """What a thread has of its own."""

    def close(self) -> None:
        """Free it; called once, in its thread."""


T = TypeVar("T")
Own = TypeVar("Own", bound=Closable)


@dataclass(frozen=True, slots=True)
class _Job(Generic[Own]):
    work: Callable[[Own], object]
    deliver: Deliver


@dataclass(slots=True, eq=False)
class _Thread(Generic[Own]):
    jobs: SimpleQueue[_Job[Own] | None] = field(default_factory=SimpleQueue)
    thread: threading.Thread | None = None


class Threads(Generic[Own]):
    """Runs calls in threads; of those that are free the one that worked last is asked first.

    Its connection is warm, and the others may stay closed as long as they are not needed.
    """

    def __init__(self, make: Callable[[], Own], *, most: int, name: str) -> None:
        """Start no thread yet; each makes its own when it starts."""
        self._make = make
        self._most = most
        self._name = name
        self._lock = threading.Lock()
        self._all: list[_Thread[Own]] = []
        self._free: list[_Thread[Own]] = []
        self._waiting: deque[_Job[Own]] = deque()
        self._stopped = False

    async def run(self, work: Callable[[Own], T]) -> T:
        """Return what the call gave in a thread, or raise what it ended with."""
        return cast("T", await delivered(lambda deliver: self._put(_Job(work, deliver))))

    def stop(self) -> None:
        """Finish what was asked for, free what the threads have, and end them."""
        with self._lock:
            self._stopped = True
            threads = list(self._all)
        for each in threads:
            each.jobs.put(None)
        for each in threads:
            assert each.thread is not None, "it was started"
            each.thread.join()

    def _put(self, job: _Job[Own]) -> None:
        with self._lock:
            if self._stopped:
                raise closed()
            if not self._free and len(self._all) == self._most:
                self._waiting.append(job)
                return
            chosen = self._free.pop() if self._free else self._new()
        chosen.jobs.put(job)

    def _new(self) -> _Thread[Own]:
        new: _Thread[Own] = _Thread()
        name = f"{self._name}-{len(self._all)}"
        new.thread = threading.Thread(target=self._serve, args=(new,), name=name, daemon=True)
        self._all.append(new)
        new.thread.start()
        return new

    def _serve(self, me: _Thread[Own]) -> None:
        own = self._make()
        try:
            while (job := me.jobs.get()) is not None:
                following: _Job[Own] | None = job
                while following is not None:
                    outcome, done = _outcome(following.work, own), following.deliver
                    following = self._next(me)
                    done(outcome)
        finally:
            own.close()

    def _next(self, me: _Thread[Own]) -> _Job[Own] | None:
        """Return what waits for a thread; None, and this one is free, where nothing does."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._free.append(me)
            return None


def _outcome(work: Callable[[Own], object], own: Own) -> Outcome:
    try:
        return Outcome(work(own))
    except Exception as error:  # noqa: BLE001 - the thread lives on; the caller hears
        return Outcome(error=error)
