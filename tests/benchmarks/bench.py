#!/usr/bin/env python3
"""All goals in one run: `python tests/benchmarks/bench.py [--quick] [--only NAME,…]`.

Prints a table for each row, all of ratios within this run, and at the end one table of the goals:
the figure, and whether the goal is reached or by how much it is missed. The same is written as JSON
and as a picture. What is measured, and how: docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # run as a file, from anywhere
    sys.path.insert(0, str(ROOT))

from tests.benchmarks.bench_processes import BenchProcesses, NotMeasurable, open_processes  # noqa: E402
from tests.benchmarks.children import ChildFailed, machine  # noqa: E402
from tests.benchmarks.goals import Goal, Row, goals_table  # noqa: E402
from tests.benchmarks.lines import run  # noqa: E402
from tests.benchmarks.reporting import draw, report  # noqa: E402
from tests.benchmarks.rows import QUICK, ROWS  # noqa: E402
from tests.benchmarks.rows.row_parts import Measure, Size  # noqa: E402

_ALL = "all of this row"


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="What a turn costs, goal by goal.")
    parser.add_argument("--quick", action="store_true", help="a few minutes, rough figures")
    parser.add_argument("--only", default="", metavar="NAMES", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--out", type=Path, default=Path("benchmark-results"), metavar="FOLDER",
                        help="where bench.json and bench.png are written")  # fmt: skip
    return parser.parse_args(arguments)


async def bench(
    names: Sequence[str], size: Size, *, keep: Callable[[list[Row]], object]
) -> list[Row]:
    """Measure the rows one after the other; print and keep each as it is known."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="heartrule-bench-") as folder:
        async with open_processes(Path(folder)) as processes:
            for name in names:
                began = time.monotonic()
                row = await _row(ROWS[name], name, processes, size)
                rows.append(row)
                print(f"\n{row.title} ({time.monotonic() - began:.0f} s)", *row.lines, sep="\n")
                keep(rows)
    return rows


async def _row(measure: Measure, name: str, processes: BenchProcesses, size: Size) -> Row:
    """Return a row; one that cannot be measured says so, and ends no other row."""
    try:
        return await measure(processes, size, _progress)
    except (NotMeasurable, ChildFailed, TimeoutError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        print(error, file=sys.stderr)
        return Row(title=name, goals=[Goal(what=_ALL, limit=0, reason=reason)])


def _left_out(name: str) -> Row:
    reason = "not in the quick run"
    return Row(title=name, goals=[Goal(what="this row", limit=0, reason=reason)])


def _keeper(written: Path, before: dict[str, object]) -> Callable[[list[Row]], object]:
    """Return what writes the report of the rows known so far."""

    def keep(known: list[Row]) -> None:
        text = json.dumps(report(known, before), ensure_ascii=False, indent=1)
        written.write_text(f"{text}\n", "utf-8")

    return keep


def main(arguments: Sequence[str]) -> int:
    """Run; 0 unless a row could not be measured at all."""
    chosen = options(arguments)
    names = [name for name in chosen.only.split(",") if name]
    names = names or list(QUICK if chosen.quick else ROWS)
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        print(f"no such row: {', '.join(unknown)}", file=sys.stderr)
        return 2
    before, began = machine(), time.monotonic()
    chosen.out.mkdir(parents=True, exist_ok=True)
    written = chosen.out / "bench.json"
    keep = _keeper(written, before)
    rows = run(bench(names, Size(quick=chosen.quick), keep=keep))
    if not chosen.only:
        rows += [_left_out(name) for name in ROWS if name not in names]
    print("\n" + goals_table(rows))
    loads = f"{before['load_average']} before, {machine()['load_average']} after"
    print(f"\n{time.monotonic() - began:.0f} s on {before['cpu']}, {before['cores']} cores")
    print(f"load average {loads}")
    keep(rows)
    print(f"written: {written}, {asyncio.run(draw(written, chosen.out / 'bench.png'))}")
    return int(any(goal.what == _ALL for row in rows for goal in row.goals))


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
