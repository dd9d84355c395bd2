"""Whether the statements of a turn grow with its session."""

from __future__ import annotations

from tests.benchmarks.bench_processes import (
    DATABASES,
    BenchProcesses,
    Database,
    NotMeasurable,
    Target,
)
from tests.benchmarks.figures import Cell
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.row_parts import NAMES, Progress, Size

_LIMIT = 1.02
_CELL = Cell("instant", 1)


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Count the statements of early and late turns of one session on each database."""
    goals: list[Goal] = []
    lines: list[str] = []
    figures: dict[str, object] = {}
    for database in DATABASES if not size.quick else DATABASES[:1]:
        what = f"statements of turn {size.of(300, 100)} over those of turn 30, {NAMES[database]}"
        try:
            early, late = await _count(processes, database, size, progress)
        except NotMeasurable as error:
            goals.append(unmeasured(what, _LIMIT, str(error)))
            continue
        goals.append(at_most(what, _LIMIT, late / early))
        lines.append(f"{NAMES[database]}: {early:g} statements a turn")
        figures[database] = {"statements": [early, late]}
    title = "statements of a one-step turn, monitor off, one session"
    return Row(title=title, goals=goals, lines=lines, figures=figures)


async def _count(
    processes: BenchProcesses, database: Database, size: Size, progress: Progress
) -> tuple[float, float]:
    """Return the statements of a turn near the beginning of a session and far from it."""
    progress(f"counting statements on {database}")
    environ = await processes.environ(Target(database=database, copy="counted"))
    name = f"counted-{database}"
    counted = await processes.child(name, "-m", "tests.benchmarks.inside", "statements", **environ)
    bench = Bench(await processes.model(), await processes.load(), {name: counted})
    found = []
    for turns in (30, size.of(300, 100) - 40):
        await bench.warm_up(1, turns=turns, group="counted")
        await counted.ask({"statements": True})
        await bench.block(name, _CELL, 10, group="counted")
        found.append(int(str((await counted.ask({"statements": True}))["statements"])) / 10)
    await processes.end(name)
    return found[0], found[1]
