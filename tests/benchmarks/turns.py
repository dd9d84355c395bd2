#!/usr/bin/env python3
"""What a turn costs, beside a bare one: `python tests/benchmarks/turns.py [--quick] [--json FILE]`.

Starts a fake model, a load generator, an executor and the floor, each a process of its own on free
loopback ports, lets both answer the same clients in turns, and prints CPU per turn, time to first
text and their ratios. What is measured and what is not: docs/benchmarks.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # run as a file, from anywhere
    sys.path.insert(0, str(ROOT))

from tests.benchmarks.command import run_command  # noqa: E402

if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:], floor=("-m", "tests.benchmarks.floor")))
