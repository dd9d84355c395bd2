"""Sixteen sessions with an instant model: CPU per turn, and what a monitor's report adds."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TypeAlias

from tests.benchmarks.alternating import Blocks, Load, alternate, cpu_added, cpu_over
from tests.benchmarks.figures import Cell
from tests.benchmarks.goals import Goal, Row, at_most, unmeasured
from tests.benchmarks.rows.common import (
    NAMES,
    Progress,
    Size,
    block_figures,
    block_lines,
    present,
)
from tests.benchmarks.stage import DATABASES, Database, Stage, Target

SESSIONS = 16
_Pair: TypeAlias = "tuple[Target, Target]"
"""With judgements, and without."""
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
            Target(kind="floor", database=database, monitor=True, replayed=True),
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
        lines=[*block_lines(found), *_bare_reports(found)],
        figures=block_figures(found),
    )


def _goals(found: Blocks, lacking: dict[Target, str], database: Database) -> list[Goal]:
    off, floor = Target(database=database, traced=True), Target(kind="floor", database=database)
    on = replace(off, monitor=True)
    replayed, bare = replace(on, replayed=True), replace(floor, monitor=True, replayed=True)
    beside = f"CPU per turn over the floor's, monitor off, {NAMES[database]}"
    report = f"CPU of a report, its monitor replayed, {NAMES[database]}"
    over_bare = f"CPU of a report over one on bare drivers, {NAMES[database]}"
    added = f"CPU the monitor adds to a turn, on the same cores, {NAMES[database]}"
    limit = _REPORT[database]
    if any(target not in found for target in (off, floor, on, replayed, bare)):
        reason = next(iter(lacking.values()), "not in the quick run")
        return [
            unmeasured(beside, _FLOOR[database], reason),
            unmeasured(report, limit, reason, "ms"),
            unmeasured(over_bare, _FLOOR[database], reason),
            unmeasured(added, limit, reason, "ms"),
        ]
    return [
        at_most(beside, _FLOOR[database], cpu_over(found[off], found[floor])),
        at_most(report, limit, cpu_added(found[replayed], found[off]), "ms"),
        at_most(over_bare, _FLOOR[database], _over_bare(found, (replayed, off), (bare, floor))),
        at_most(added, limit, cpu_added(found[on], found[off]), "ms"),
    ]


def _over_bare(found: Blocks, ours: _Pair, bare: _Pair) -> float:
    """Return what judgements add to ours over what they add to the floor, over all blocks.

    Of single blocks the second difference is too small beside noise to divide by.
    """
    mine, least = (
        mean(block.cpu_ms for block in found[judged]) - mean(b.cpu_ms for b in found[plain])
        for judged, plain in (ours, bare)
    )
    return mine / least


def _bare_reports(found: Blocks) -> list[str]:
    """Say what a report costs the floor, which stores an answer and nothing else of it."""
    lines = []
    for database in DATABASES:
        floor = Target(kind="floor", database=database)
        judged = replace(floor, monitor=True, replayed=True)
        if floor in found and judged in found:
            added = cpu_added(found[judged], found[floor])
            lines.append(f"a report on bare drivers, {NAMES[database]}: {added} ms")
    return lines
