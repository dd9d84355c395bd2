"""Worker processes that are killed as a power cut would, on a file and on PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from executor_service.failpoints import Failpoint
from heartrule.domain.runs import RunState
from session_store.open import open_store
from tests.support.clock import ManualClock
from tests.support.driven_runs import RunWorld
from tests.support.postgres import fresh_database
from tests.support.processes import ROOT
from tests.support.store_builders import new_session
from tests.support.workflow_builders import a_node, a_plan

HERE = "tests/integration/workflows/test_worker_deaths.py"
PLAN = a_plan(
    a_node("a"),
    a_node("flaky"),
    a_node("b"),
    a_node("c"),
    edges=["a>flaky", "a>b", "flaky>c", "b>c"],
)
"""A fan and a join; `flaky` is recovered once."""
QUIET = {"a": 1, "b": 1, "flaky": 2, "c": 1}
"""Attempts of each node where nothing dies."""
SHORT = (Failpoint.IN_NODE, Failpoint.NODE_ENDED, Failpoint.HANDING_OVER)
PLACES = [
    Failpoint.RUN_ADMITTED,
    Failpoint.RUN_OWNED,
    Failpoint.NODE_BEGAN,
    Failpoint.BEFORE_DECISION,
    Failpoint.AFTER_DECISION,
    Failpoint.BEFORE_FINISH,
    Failpoint.AFTER_FINISH,
]
LONG = pytest.mark.long(short=f"{HERE}::test_a_restarted_worker_goes_on[in_node-sqlite]")


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of an empty store."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'heartrule.db'}"
    else:
        with fresh_database() as url:
            yield url


@dataclass(frozen=True, slots=True)
class Workers:
    """Worker processes over one store, and what their nodes did."""

    address: str
    folder: Path
    run_id: str

    async def start(self, worker_id: str, failpoint: str = "") -> asyncio.subprocess.Process:
        """Start a worker that works until the run has ended, or a failpoint kills it."""
        settings: dict[str, Any] = {
            "address": self.address,
            "worker_id": worker_id,
            "failpoint": failpoint,
            "log": str(self.folder / "attempts"),
            "runs": [self.run_id],
        }
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.run_worker", json.dumps(settings), cwd=ROOT
        )

    async def work(self, worker_id: str, failpoint: str = "") -> int:
        """Return how a worker ended; a signal is a negative number."""
        worker = await self.start(worker_id, failpoint)
        try:
            return await worker.wait()
        finally:
            if worker.returncode is None:
                worker.kill()

    def attempts(self) -> Counter[tuple[str, int]]:
        """Return how often each attempt of each node reached the outside."""
        lines = (self.folder / "attempts").read_text().split("\n")
        return Counter((line.split()[0], int(line.split()[1])) for line in lines if line)


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[RunWorld]:
    """Give a world over the store while no worker has it."""
    store = open_store(address)
    await store.start()
    world = RunWorld(store=store, database_clock=ManualClock(), key=new_session().key)
    yield world
    await store.aclose()


@pytest.fixture
async def workers(address: str, tmp_path: Path) -> Workers:
    """Return workers over a store that holds one queued run."""
    async with opened(address) as world:
        await world.store.create_session(new_session())
        run_id = await world.queue(replace(PLAN))
    return Workers(address, tmp_path, run_id)


async def ended(workers: Workers) -> tuple[RunState, dict[str, int]]:
    """Return how the run ended, and the newest attempt of each node."""
    async with opened(workers.address) as world:
        nodes = (await world.progress(workers.run_id)).nodes
        state = (await world.kept(workers.run_id)).state
    return state, {path: each.attempt for path, each in nodes.items()}


@pytest.mark.parametrize(
    "place",
    [*SHORT, *(pytest.param(each, marks=LONG) for each in PLACES)],
    ids=str,
)
async def test_a_restarted_worker_goes_on(workers: Workers, place: Failpoint) -> None:
    """Killed at any place and started again it ends the run; what had ended ran once."""
    is_at_end = place in {Failpoint.AFTER_FINISH, Failpoint.HANDING_OVER}
    assert await workers.work("w1", place.value) == -signal.SIGKILL
    assert await workers.work("w1") == 0
    assert await ended(workers) == (RunState.COMPLETED, QUIET)
    twice = [each for each, count in workers.attempts().items() if count > 1]
    assert len(twice) <= (0 if is_at_end else 2)


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
async def test_another_worker_goes_on(workers: Workers) -> None:
    """What a silent worker had, one beside it takes over at its next sweep."""
    assert await workers.work("w1", Failpoint.IN_NODE.value) == -signal.SIGKILL
    async with opened(workers.address) as world:
        await world.store.forget_worker("w1")  # as a minute of silence would
    assert await workers.work("w2") == 0
    assert await ended(workers) == (RunState.COMPLETED, QUIET)
    assert workers.attempts()["a", 1] == 2
