"""The rows of the table of goals, in its order; each measures itself on a stage."""

from __future__ import annotations

from benchmarks.rows import instant, paced, throughput
from benchmarks.rows.common import Measure

ROWS: dict[str, Measure] = {
    "paced": paced.measure,
    "instant": instant.measure,
    "throughput": throughput.measure,
}
