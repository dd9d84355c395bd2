"""An executor that is looked into: `python -m tests.benchmarks.inside [steps] [statements]`.

It is the executor itself, which besides answers lines of JSON on standard input:

    {"threads": true}      CPU seconds of each kind of thread: loop, store, others
    {"steps": true}        the event loop's longest steps since the last time
    {"statements": true}   how many statements the store has made since the last time

Steps are seen only with `steps`, on asyncio's own event loop, which runs the same callbacks and,
unlike uvloop, lets them be timed; statements only with `statements`. Both cost time of their own.
"""

from __future__ import annotations

import asyncio
import asyncio.events
import contextlib
import heapq
import sys
import threading
import time
from pathlib import Path

from executor_service.executor_process import main as executor
from heartrule.chassis import lifecycle
from tests.benchmarks.lines import Answer, answer_lines
from tests.support.statements import watched

_MOST = 20
"""Longest steps that are kept."""


class Steps:
    """Times every callback of the event loop, by this thread's CPU and by the clock."""

    def __init__(self) -> None:
        """Have seen none."""
        self._longest: list[tuple[float, float, str]] = []
        self._number = 0

    def watch(self) -> None:
        """Time all callbacks from now on."""
        run = asyncio.events.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            cpu, clock = time.thread_time(), time.perf_counter()
            run(handle)
            self._note(time.thread_time() - cpu, time.perf_counter() - clock, handle)

        asyncio.events.Handle._run = timed  # type: ignore[method-assign,assignment]

    def take(self) -> Answer:
        """Return the longest since the last time, and the number of all."""
        steps = sorted(self._longest, reverse=True)
        answer: Answer = {
            "number": self._number,
            "longest": [{"cpu_ms": cpu, "clock_ms": clock, "what": what}
                        for cpu, clock, what in steps],
        }  # fmt: skip
        self._longest, self._number = [], 0
        return answer

    def _note(self, cpu_s: float, clock_s: float, handle: asyncio.Handle) -> None:
        self._number += 1
        if len(self._longest) < _MOST or 1000 * cpu_s > self._longest[0][0]:
            entry = (1000 * cpu_s, 1000 * clock_s, repr(handle)[:300])
            heapq.heappush(self._longest, entry)
            if len(self._longest) > _MOST:
                heapq.heappop(self._longest)


class Inside:
    """Answers what is asked of the running executor."""

    def __init__(self) -> None:
        """Look at nothing yet."""
        self.steps = Steps()
        self.statements = 0

    def note(self, _text: str, _values: object) -> None:
        """Count a statement."""
        self.statements += 1

    async def obey(self, command: Answer) -> Answer:
        """Answer one line."""
        if command.get("steps"):
            return self.steps.take()
        if command.get("statements"):
            answer, self.statements = self.statements, 0
            return {"statements": answer}
        return {"threads": dict(thread_seconds())}


def thread_seconds() -> list[tuple[str, float]]:
    """Return CPU seconds so far: of the event loop, the store's threads, and all others."""
    kinds = {"loop": 0.0, "store": 0.0, "others": 0.0}
    main = threading.main_thread().native_id
    store = {each.native_id for each in threading.enumerate() if _is_stores(each.name)}
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it ended meanwhile
            seconds = int((task / "schedstat").read_text(encoding="ascii").split()[0]) / 1e9
            number = int(task.name)
            kinds["loop" if number == main else "store" if number in store else "others"] += seconds
    return list(kinds.items())


def _is_stores(name: str) -> bool:
    return name.startswith("store")


async def looked_into(life: lifecycle.Lifecycle, inside: Inside) -> None:
    """Start the executor, and answer beside it."""
    await executor(life)
    answering = asyncio.create_task(answer_lines(inside.obey))

    async def end() -> None:
        answering.cancel()

    life.close("answers", end)


def main(options: list[str]) -> int:
    """Run until SIGTERM."""
    inside = Inside()
    with contextlib.ExitStack() as stack:
        if "steps" in options:
            inside.steps.watch()
            lifecycle._loop_factory = lambda: None
        if "statements" in options:
            stack.enter_context(watched(inside.note))
        return lifecycle.run(lambda life: looked_into(life, inside))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
