"""The longest step on the event loop of a session with four hundred messages behind it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.bench_processes import BenchProcesses, Target
from tests.benchmarks.figures import Cell
from tests.benchmarks.goals import Row, at_most
from tests.benchmarks.measuring import Bench
from tests.benchmarks.rows.row_parts import Progress, Size

_LIMIT_MS = 5.0
_SHOWN = 5
_NAME = "steps"


async def measure(processes: BenchProcesses, size: Size, progress: Progress) -> Row:
    """Time every callback of the loop while such a session goes on, monitor and tracing on."""
    progress("timing the event loop's steps")
    environ = await processes.environ(Target(monitor=True, traced=True, copy=_NAME))
    timed = await processes.child(_NAME, "-m", "tests.benchmarks.inside", "steps", **environ)
    bench = Bench(await processes.model(), await processes.load(), {_NAME: timed})
    await bench.warm_up(1, turns=size.of(200, 40))
    await timed.ask({"steps": True})
    await bench.block(_NAME, Cell("instant", 1), size.of(60, 20), judged=True)
    if not size.quick:
        await bench.block(_NAME, Cell("paced", 1), 1, judged=True)
    answer: Any = await timed.ask({"steps": True})
    await processes.end(_NAME)
    longest = answer["longest"]
    return Row(
        title=f"steps of the event loop, {2 * size.of(200, 40)} messages of history",
        goals=[at_most("longest step by its own CPU", _LIMIT_MS, longest[0]["cpu_ms"], "ms")],
        lines=[
            f"{step['cpu_ms']:6.2f} ms CPU, {step['clock_ms']:6.2f} ms by the clock: "
            f"{step['what'][:110]}" for step in longest[:_SHOWN]
        ],
        figures={"steps": answer["number"], "longest": longest},
    )  # fmt: skip
