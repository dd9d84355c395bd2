"""A worker process of its own: `python -m tests.support.run_worker SETTINGS`, as JSON.

It takes runs until those that it is told of have ended. What its nodes do is written to a file, a
line an attempt, as an endpoint outside would count it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from executor_service.failpoints import parse_failpoint
from executor_service.workflows.nodes.node_port import NodeCall
from executor_service.workflows.recovery_plan import RecoveryPlan
from heartrule.chassis.background import every
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import NodeFailure, NodeRecord, RunErrorCode
from session_store.open import open_store
from tests.support.clock import ManualClock
from tests.support.driven_runs import RunWorld
from tests.support.durable_runs import durable

_SWEEP_S = 0.5
_BUSY = NodeFailure(code=RunErrorCode.TIMEOUT, message="late", is_retryable=True)


async def work(settings: Mapping[str, Any]) -> None:
    """Work until the runs have ended."""
    store = open_store(settings["address"])
    await store.start()
    world = RunWorld(store=store, database_clock=ManualClock(), key=SessionKey("t", "s1"))
    world.recoverer.default = RecoveryPlan(action="RETRY", max_attempts=2, delay=0)
    world.nodes.does = _endpoint(Path(settings["log"]))
    world.failpoints = parse_failpoint(settings.get("failpoint", ""), test_mode=True)
    async with durable(world, settings["address"], worker_id=settings["worker_id"]) as made:
        sweeping = asyncio.ensure_future(every(_SWEEP_S, made.upkeep.sweep))
        for run_id in settings["runs"]:
            await made.over(run_id)
        sweeping.cancel()
    await store.aclose()


def _endpoint(log: Path) -> Callable[[NodeRecord, NodeCall], object]:
    """Return what nodes do: each attempt is noted outside; `flaky` fails at first."""

    def does(record: NodeRecord, call: NodeCall) -> object:
        with log.open("a") as file:
            file.write(f"{record.path} {record.attempt} {call.key}\n")
        return _BUSY if (record.path, record.attempt) == ("flaky", 1) else {"n": record.path}

    return does


if __name__ == "__main__":
    asyncio.run(work(json.loads(sys.argv[1])))
