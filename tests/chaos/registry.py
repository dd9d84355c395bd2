"""All faults by name: one fault is one module with `run(world, options)`; add a line here."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable, Mapping

from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.world import World

Fault = Callable[[World, Options], AsyncIterator[Result]]

FAULTS: Mapping[str, str] = {
    "kill": "kill -9 at every place of a turn and of an analysis",
    "agent": "kill -9 at every place of a turn in which an agent decides",
    "runs": "kill -9 at every place of a run of a workflow, and inside each type of node",
    "threads": "kill -9 at each checkpoint of runs of sub-agents, three threads deep",
    "workers": "workers of runs sleep, are fewer, die by a node, and lose DBOS's tables",
    "stop": "SIGSTOP beyond the lease, then SIGCONT",
    "database": "PostgreSQL crashes ten times, and is away",
    "disk": "the disk is full",
    "network": "the lines to the monitor and to the database are cut, and healed",
    "leave": "SIGTERM with live streams, and a rolling restart under load",
    "clock": "one replica's clock a day ahead, and an hour behind",
    "outage": "the monitor service is away under load",
    "model": "a model's server does everything wrong",
    "abuse": "slow readers, floods, resets, and frames that are none",
    "fuzz": "requests, scripts and replies that were not foreseen",
    "planted": "faults planted in the product: the checker must see each",
}
"""Name → what it does, in the order of a run."""


def fault(name: str) -> Fault:
    """Return what runs a fault."""
    run: Fault = importlib.import_module(f"tests.chaos.faults.{name}").run
    return run
