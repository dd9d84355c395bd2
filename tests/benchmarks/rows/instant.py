"""Sixteen sessions with an instant model: CPU per turn."""

from __future__ import annotations

from tests.benchmarks.alternating import Blocks, Load, alternate, cpu_over
from tests.benchmarks.bench_processes import DATABASES, BenchProcesses, Database, Target
from tests.benchmarks.figures import Cell
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.rows.row_parts import (
    NAMES,
    Progress,
    Size,
    block_figures,
    block_lines,
    present,
)

SESSIONS = 16
_FLOOR: dict[Database, float] = {"sqlite": 2.6, "postgres": 3.8}


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Run the blocks of both databases, ours and the floor's."""
    databases = DATABASES[:1] if size.quick else DATABASES
    wanted = [target for each in databases for target in (_ours(each), _floor(each))]
    running, lacking = await present(processes, wanted)
    load = Load(
        cell=Cell("instant", SESSIONS),
        turns=size.of(10, 6),
        repeats=size.of(10, 2),
        warm=size.of(22, 3),
    )
    found = await alternate(processes, running, load, progress=progress)
    return Row(
        title=f"instant model, {SESSIONS} sessions, tracing on",
        goals=[_goal(found, lacking, database) for database in DATABASES],
        lines=block_lines(found),
        figures=block_figures(found),
    )


def _ours(database: Database) -> Target:
    return Target(database=database, traced=True)


def _floor(database: Database) -> Target:
    return Target(kind="floor", database=database)


def _goal(found: Blocks, lacking: dict[Target, str], database: Database) -> Goal:
    ours, floor = _ours(database), _floor(database)
    what = f"CPU per turn over the floor's, monitor off, {NAMES[database]}"
    if ours not in found or floor not in found:
        reason = next(iter(lacking.values()), "not in the quick run")
        return unmeasured(what, _FLOOR[database], reason)
    return at_most(what, _FLOOR[database], cpu_over(found[ours], found[floor]))
