#!/usr/bin/env python3
"""How long an author waits for a check: `python tests/benchmarks/checking.py [--repeats N]`.

Printed are the median, the fastest and the slowest run, by the clock, of

- a script of three thousand lines with forty mistakes, every one reported;
- the same script without mistakes, which the linter reads too;
- the largest script: as much of everything as a bundle may hold.

All of it happens in this process; `heartrule check` adds the start of Python and its imports, which
is measured too.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # run as a file, from anywhere
    sys.path.insert(0, str(ROOT))

from executor_service.scripts.checking.environment import LintEnvironment  # noqa: E402
from executor_service.scripts.loading.loader import LoadResult, load_script  # noqa: E402
from tests.benchmarks.children import machine  # noqa: E402
from tests.benchmarks.figures import Spread  # noqa: E402
from tests.support.largest_script import largest_script  # noqa: E402
from tests.support.mistaken_script import ERRORS, script_with  # noqa: E402

MISTAKES = 40


def main() -> int:
    """Measure and print; return 1 where a check did not find what it has to."""
    parser = argparse.ArgumentParser(description="How long an author waits for a check.")
    parser.add_argument("--repeats", type=int, default=10, help="runs of each line")
    repeats = parser.parse_args().repeats
    mistaken, _ = script_with(ERRORS, MISTAKES, seed=1)
    clean, _ = script_with((), 0, seed=1)
    largest = largest_script()
    counts = [len(load(mistaken).errors), len(load(clean).errors), len(load(largest).errors)]
    if counts != [MISTAKES, 0, 0]:
        print(f"errors reported: {counts}", file=sys.stderr)
        return 1
    rows = {
        f"{MISTAKES} mistakes in {lines(mistaken)} lines": lambda: load(mistaken),
        f"no mistakes in {lines(clean)} lines": lambda: load(clean),
        f"the largest: {len(largest):,} bytes": lambda: load(largest),
    }
    print(f"{'checked':<40}{'ms: median (fastest-slowest)':>34}")
    for name, work in rows.items():
        print(f"{name:<40}{milliseconds(work, repeats)!s:>34}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.yaml"
        file.write_bytes(mistaken)
        command = [sys.executable, "-m", "heartrule_cli", "check", str(file)]
        found = milliseconds(lambda: run(command), min(repeats, 5))
        print(f"{'heartrule check, the first of these':<40}{found!s:>34}")
    print(f"on {machine()['cpu']}, load average {machine()['load_average']}")
    return 0


def lines(data: bytes) -> str:
    """Return the number of a text's lines, readable."""
    return f"{len(data.splitlines()):,}"


def load(data: bytes) -> LoadResult:
    """Check a script as an installation without prompts does."""
    return load_script({"script.yaml": data}, environment=LintEnvironment())


def run(command: list[str]) -> object:
    """Run a command and discard its findings."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


def milliseconds(work: Callable[[], object], repeats: int) -> Spread:
    """Return how long the work takes; it was done once before."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return Spread.of(times)


if __name__ == "__main__":
    sys.exit(main())
