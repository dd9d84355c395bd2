"""The monitor service is killed for a minute under load: are replies later, are reports lost?"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing

from tests.benchmarks.alternating import first_text
from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import Cell
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.paced import EVERY_S, SESSIONS
from tests.benchmarks.rows.row_parts import Progress, Size

_NAME, _MONITOR = "outage", "monitor-outage"
_CELL = Cell("paced", SESSIONS)
_RATE = SESSIONS / EVERY_S
_TARGET = Target(traced=True, copy=_NAME)
_SETTLED_S = 60.0
"""After this long what was left is looked for no more: then it counts as lost."""


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Load an executor before, during and after; then wait for every report's end."""
    environ = await processes.environ(Target(monitor=True, traced=True, copy="outages"))
    settings = await processes.monitor_environ()
    monitor = await processes.child(_MONITOR, "-m", "monitor_service", **settings)
    environ |= {
        "HEARTRULE_DATABASE_URL": processes.database(_TARGET),
        "HEARTRULE_MONITOR_ADDRESS": monitor.target,
        "HEARTRULE_MONITOR_SWEEP": "2",
    }
    server = await processes.child(_NAME, "-m", "executor_service", **environ)
    bench = Bench(await processes.model(), await processes.load(), {_NAME: server})
    await bench.warm_up(SESSIONS, turns=3)
    turns = {"before": size.of(4, 2), "during": size.of(23, 2), "after": size.of(4, 2)}
    found, seconds = {}, {}
    for when, number in turns.items():
        progress(f"monitor's outage: {when}")
        if when == "during":
            await processes.end(_MONITOR)
        if when == "after":
            port = monitor.target.rpartition(":")[2]
            again = settings | {"HEARTRULE_MONITOR_PORT": port}
            await processes.child(_MONITOR, "-m", "monitor_service", **again)
        found[when] = await bench.block(_NAME, _CELL, number, rate=_RATE)
        seconds[when] = found[when].seconds
    ends = await _ends(processes.database(_TARGET), progress)
    await processes.end(_NAME, _MONITOR)
    firsts = {when: [first_text([block], p) for p in (50, 95)] for when, block in found.items()}
    return Row(
        title=f"the monitor is away for {seconds['during']:.0f} s under load",
        goals=[
            at_most("first text, p95, while it is away minus before", 5,
                    firsts["during"][1] - firsts["before"][1], "ms"),
            at_most("reports neither analysed nor counted as dropped", 0, ends.pop("", 0)),
        ],
        lines=[
            f"first text beyond the model's own, p50 / p95, ms: {_told(firsts)}",
            "reports: " + ", ".join(f"{end} {count}" for end, count in sorted(ends.items())),
        ],
        figures={"first_text_ms": firsts, "reports": ends, "seconds": seconds},
    )  # fmt: skip


async def _ends(database: str, progress: Progress) -> dict[str, int]:
    """Return how many requests ended how, once none is open any more; "" are those still open."""
    until = time.monotonic() + _SETTLED_S
    while (found := _outcomes(database)).get("") and time.monotonic() < until:
        progress(f"{found['']} report(s) on their way")
        await asyncio.sleep(1)
    return found


def _outcomes(database: str) -> dict[str, int]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        asked = "SELECT trim(outcome || ' ' || reason), COUNT(*) FROM monitor_requests GROUP BY 1"
        return dict(db.execute(asked).fetchall())


def _told(firsts: dict[str, list[float]]) -> str:
    return ", ".join(f"{when} {p50:.1f} / {p95:.1f}" for when, (p50, p95) in firsts.items())
