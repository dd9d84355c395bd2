"""Sixteen sessions with a paced model: CPU per turn, first text, what tracing and monitor add."""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks import workload
from tests.benchmarks.alternating import (
    Blocks,
    Load,
    alternate,
    cpu_over,
    first_text_added,
)
from tests.benchmarks.bench_processes import DATABASES, BenchProcesses, Database, Target
from tests.benchmarks.figures import Block, Cell, Spread, summary
from tests.benchmarks.goals import Goal, Row, at_most, no_limit, unmeasured
from tests.benchmarks.rows.row_parts import (
    NAMES,
    Progress,
    Size,
    block_figures,
    block_lines,
    present,
)

SESSIONS = 16
EVERY_S = 2.6
"""Seconds between a session's inputs; a reply takes 2.2 s to write."""
RAW = Target(kind="raw")
_FLOOR_LIMITS: dict[Database, float] = {"sqlite": 1.5, "postgres": 1.5}
_FIRST_LIMITS: dict[Database, float] = {"sqlite": 5.0, "postgres": 10.0}
_FLOOR = "CPU per turn over the floor's, {}"
_PEER = "CPU per turn over LangGraph's, {}"
_MONITOR = "first text, p95, monitor on minus off, {}"
_FIRST = {50: 6.0, 95: 9.0}
_ALIKE = "first text over the raw path, p50, four characters as in earlier replies"


def ours(database: Database, *, monitor: bool = True, traced: bool = True) -> Target:
    """Return the executor; with tracing and monitor unless switched off."""
    return Target(database=database, monitor=monitor, traced=traced)


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Run the blocks; every goal of this row is judged within the one run."""
    wanted = [
        *(ours(each) for each in DATABASES),
        *(ours(each, monitor=False) for each in DATABASES),
        *(Target(kind="floor", database=each) for each in DATABASES),
        *(Target(kind="langgraph", database=each) for each in DATABASES),
        ours("sqlite", traced=False),
        RAW,
    ]
    if size.quick:
        wanted = [*wanted[::2], RAW]
    running, lacking = await present(processes, wanted)
    load = Load(
        cell=Cell("paced", SESSIONS),
        turns=2,
        repeats=size.of(3, 1),
        rate=SESSIONS / EVERY_S,
    )
    found = await alternate(processes, running, load, progress=progress)
    if size.quick:
        lacking |= dict.fromkeys((t for t in _all() if t not in found), "not in the quick run")
    alike = await _alike(processes, load, progress)
    goals = [*_against(found, lacking), *_telemetry(found, lacking), *_firsts(found)]
    goals.append(no_limit(_ALIKE, first_text_added(alike, found[RAW], 50), "ms"))
    goals += _monitor(found, lacking)
    return Row(
        title=f"paced model (first token 50 ms, then 20 ms), {SESSIONS} sessions",
        goals=goals,
        lines=[
            *block_lines(found),
            "replies that begin alike:",
            *block_lines({ours("sqlite"): alike})[1:],
        ],
        figures=block_figures(found) | {workload.ALIKE: summary(alike)},
    )


async def _alike(processes: BenchProcesses, load: Load, progress: Progress) -> Sequence[Block]:
    """Return blocks of sessions of their own, in which a reply begins like those before it."""
    mine, cell, group = ours("sqlite"), load.cell, workload.ALIKE
    progress(f"replies that begin alike: {cell.sessions} further sessions")
    bench = await processes.bench(mine)
    await bench.warm_up(cell.sessions, [mine.name], turns=load.warm, group=group)
    return [
        await bench.block(
            mine.name, cell, load.turns, rate=load.rate, judged=mine.monitor, group=group
        )
        for _ in range(load.repeats)
    ]


def _all() -> list[Target]:
    made = [ours(each) for each in DATABASES]
    made += [ours(each, monitor=False) for each in DATABASES]
    made += [Target(kind="floor", database=each) for each in DATABASES]
    made += [Target(kind="langgraph", database=each) for each in DATABASES]
    return [*made, ours("sqlite", traced=False)]


def _against(found: Blocks, lacking: dict[Target, str]) -> list[Goal]:
    goals = []
    for database in DATABASES:
        mine = ours(database)
        limits = (("floor", _FLOOR, _FLOOR_LIMITS[database]), ("langgraph", _PEER, 0.4))
        for kind, what, limit in limits:
            other = Target(kind=kind, database=database)  # type: ignore[arg-type]
            what = what.format(NAMES[database])
            if mine in found and other in found:
                goals.append(at_most(what, limit, cpu_over(found[mine], found[other])))
            else:
                goals.append(unmeasured(what, limit, lacking.get(mine) or lacking[other]))
    return goals


def _telemetry(found: Blocks, lacking: dict[Target, str]) -> list[Goal]:
    on, off = ours("sqlite"), ours("sqlite", traced=False)
    what = "telemetry's share of a paced turn's CPU"
    if off not in found:
        return [unmeasured(what, 5, lacking.get(off, "not in the quick run"), "%")]
    added = cpu_over(found[on], found[off])
    share = Spread(*(100 * (each - 1) for each in (added.middle, added.low, added.high)))
    return [at_most(what, 5, share, "%")]


def _firsts(found: Blocks) -> list[Goal]:
    """Return our first text's delay over the raw path's; both are beyond the model's own."""
    return [
        at_most(
            f"first text beyond the model's own, over the SDK's raw path, p{percent}",
            limit,
            first_text_added(found[ours("sqlite")], found[RAW], percent),
            "ms",
        )
        for percent, limit in _FIRST.items()
    ]


def _monitor(found: Blocks, lacking: dict[Target, str]) -> list[Goal]:
    goals = []
    for database, limit in _FIRST_LIMITS.items():
        on, off = ours(database), ours(database, monitor=False)
        what = _MONITOR.format(NAMES[database])
        if on not in found or off not in found:
            reason = lacking.get(on) or lacking[off]
            goals.append(unmeasured(what, limit, reason, "ms"))
            continue
        goals.append(at_most(what, limit, first_text_added(found[on], found[off], 95), "ms"))
    return goals
