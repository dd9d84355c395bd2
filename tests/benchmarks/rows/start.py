"""From the start of a process to its first served turn."""

from __future__ import annotations

import time

from tests.benchmarks.bench_processes import DATABASES, BenchProcesses, NotMeasurable, Target
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.rows.row_parts import NAMES, Progress, Size

_LIMIT_S = 2.5


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Start an executor some times on each database; the first time it makes its tables."""
    goals: list[Goal] = []
    figures: dict[str, object] = {}
    await (await processes.model()).ask({"first_s": 0.0, "gap_s": 0.0})
    for database in DATABASES if not size.quick else DATABASES[:1]:
        target = Target(database=database, copy="start")
        what = f"start to first served turn, {NAMES[database]}"
        try:
            times = [
                await _start(processes, target, number, progress) for number in range(size.of(5, 2))
            ]
        except NotMeasurable as error:
            goals.append(unmeasured(what, _LIMIT_S, str(error), "s"))
            continue
        goals.append(at_most(what, _LIMIT_S, Spread.of(times), "s"))
        figures[database] = times
    return Row(title="start to first served turn", goals=goals, figures=figures)


async def _start(
    processes: BenchProcesses, target: Target, number: int, progress: Progress
) -> float:
    progress(f"start {number + 1} of {target.name}")
    load, environ = await processes.load(), await processes.environ(target)
    began = time.monotonic()
    server = await processes.child(target.name, "-m", "executor_service", **environ)
    command = {"target": server.target, "sessions": 1, "turns": 0, "group": str(number)}
    await load.ask(dict(command))
    seconds = time.monotonic() - began
    await processes.end(target.name)
    return seconds
