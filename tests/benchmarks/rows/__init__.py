"""The rows of the table of goals, in its order; each measures itself on a processes."""

from __future__ import annotations

from tests.benchmarks.rows import (
    card,
    commits,
    deciding,
    gateway,
    growth,
    instant,
    outage,
    paced,
    processes,
    screening,
    start,
    statements,
    steps,
    streams,
    threads,
    throughput,
    workflows,
)
from tests.benchmarks.rows.row_parts import Measure

ROWS: dict[str, Measure] = {
    "paced": paced.measure,
    "instant": instant.measure,
    "throughput": throughput.measure,
    "steps": steps.measure,
    "growth": growth.measure,
    "statements": statements.measure,
    "commits": commits.measure,
    "streams": streams.measure,
    "processes": processes.measure,
    "gateway": gateway.measure,
    "outage": outage.measure,
    "screening": screening.measure,
    "deciding": deciding.measure,
    "card": card.measure,
    "workflows": workflows.measure,
    "threads": threads.measure,
    "start": start.measure,
}
QUICK = (
    "paced",
    "instant",
    "steps",
    "growth",
    "statements",
    "screening",
    "deciding",
    "card",
    "workflows",
    "threads",
    "start",
)
"""Rows of the quick run; the others need more time than it has."""
