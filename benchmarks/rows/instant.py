"""Sixteen sessions with an instant model: CPU per turn, and what a monitor's report adds."""

from __future__ import annotations

from benchmarks.alternating import Blocks, Load, alternate, cpu_added, cpu_over
from benchmarks.figures import Cell
from benchmarks.goals import Goal, Row, at_most, unmeasured
from benchmarks.rows.common import (
    NAMES,
    Progress,
    Size,
    block_figures,
    block_lines,
    present,
)
from benchmarks.stage import DATABASES, Database, Stage, Target

SESSIONS = 16
_FLOOR: dict[Database, float] = {"sqlite": 2.0, "postgres": 2.5}
_REPORT: dict[Database, float] = {"sqlite": 0.8, "postgres": 1.5}


async def measure(stage: Stage, size: Size, progress: Progress) -> Row:
    """Run the blocks of both databases, with the monitor, without it, and of the floor."""
    wanted = [
        target
        for database in DATABASES
        for target in (
            Target(database=database, traced=True),
            Target(kind="floor", database=database),
            Target(database=database, traced=True, monitor=True),
            Target(database=database, traced=True, monitor=True, replayed=True),
        )
    ]
    if size.quick:
        wanted = wanted[: len(wanted) // len(DATABASES)]
    running, lacking = await present(stage, wanted)
    load = Load(
        cell=Cell("instant", SESSIONS),
        turns=size.of(10, 6),
        repeats=size.of(10, 2),
        warm=size.of(22, 3),
    )
    found = await alternate(stage, running, load, progress=progress)
    goals = [goal for database in DATABASES for goal in _goals(found, lacking, database)]
    return Row(
        title=f"instant model, {SESSIONS} sessions, tracing on",
        goals=goals,
        lines=block_lines(found),
        figures=block_figures(found),
    )


def _goals(found: Blocks, lacking: dict[Target, str], database: Database) -> list[Goal]:
    off, floor = Target(database=database, traced=True), Target(kind="floor", database=database)
    on = Target(database=database, traced=True, monitor=True)
    replayed = Target(database=database, traced=True, monitor=True, replayed=True)
    beside = f"CPU per turn over the floor's, monitor off, {NAMES[database]}"
    report = f"CPU of a report, its monitor replayed, {NAMES[database]}"
    added = f"CPU the monitor adds to a turn, on the same cores, {NAMES[database]}"
    limit = _REPORT[database]
    if any(target not in found for target in (off, floor, on, replayed)):
        reason = next(iter(lacking.values()), "not in the quick run")
        return [
            unmeasured(beside, _FLOOR[database], reason),
            unmeasured(report, limit, reason, "ms"),
            unmeasured(added, limit, reason, "ms"),
        ]
    return [
        at_most(beside, _FLOOR[database], cpu_over(found[off], found[floor])),
        at_most(report, limit, cpu_added(found[replayed], found[off]), "ms"),
        at_most(added, limit, cpu_added(found[on], found[off]), "ms"),
    ]
