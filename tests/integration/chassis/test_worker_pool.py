"""Work in worker processes: bounded in time, in number, and in what waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heartrule.chassis.worker_pool import MOST_WAITING, WorkerPool, WorkerSettings
from heartrule.domain.errors import DeadlinePassed, InvalidRequest, QuotaSpent
from tests.support import worker_tasks
from tests.support.source_tree import ROOT

LONG_S = 60.0
"""A limit no work reaches here."""


def pool(**settings: float) -> WorkerPool:
    """Return a pool of one worker, unless settings say otherwise."""
    given = {"check_limit": LONG_S, "check_wait": LONG_S, "checks_at_once": 1, **settings}
    return WorkerPool(WorkerSettings.model_validate(given).limits)


def children() -> set[int]:
    """Return the processes that the thread of the loop has begun and that go on."""
    return set(map(int, Path("/proc/thread-self/children").read_text().split()))


async def test_work_is_done_in_another_process_that_is_kept() -> None:
    """The second piece of work finds the worker of the first."""
    workers = pool()
    first, second = await workers.run(worker_tasks.own_pid), await workers.run(worker_tasks.own_pid)
    assert first == second != os.getpid()


async def test_what_the_work_needs_is_imported_before_its_time_begins() -> None:
    """On a slow machine the player of rehearsals takes longer to import than it may play."""
    workers = WorkerPool(WorkerSettings().limits, imports="colorsys")
    assert "colorsys" in await workers.run(worker_tasks.imported)


async def test_an_error_of_the_work_arrives_whole() -> None:
    """Reason and violations are those of the worker's error."""
    with pytest.raises(InvalidRequest) as caught:
        await pool().run(worker_tasks.refuse)
    assert (caught.value.reason, caught.value.violations[0].field) == ("TESTED", "f")


async def test_work_beyond_the_limit_is_killed_and_the_next_is_done() -> None:
    """A script that would never be checked to its end costs one worker."""
    with pytest.raises(DeadlinePassed) as caught:
        await pool(check_limit=0.3).run(worker_tasks.spin)
    assert caught.value.metadata["stage"] == "spin"
    assert await pool().run(worker_tasks.own_pid) > 0


def test_a_worker_stands_back_as_far_as_its_parent() -> None:
    """An ordinary user may not lower the niceness that a service was started with."""
    command = ("nice", "-n", "10", sys.executable, "-m", "tests.support.worker_tasks")
    run = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    parent, worker = map(int, run.stdout.split())
    assert worker == parent >= 10


async def test_a_worker_that_was_killed_while_idle_is_replaced() -> None:
    """The next work does not notice."""
    workers = pool()
    pid = await workers.run(worker_tasks.own_pid)
    os.kill(pid, signal.SIGKILL)
    assert await workers.run(worker_tasks.own_pid) != pid


async def test_work_that_ends_its_workers_is_given_up() -> None:
    """It is no internal error: the machine may be short of memory."""
    with pytest.raises(QuotaSpent) as caught:
        await pool().run(worker_tasks.crash)
    assert caught.value.reason == "WORKER_LOST"


async def test_a_caller_that_leaves_frees_its_worker() -> None:
    """A cancelled call leaves nothing running behind."""
    workers = pool()
    await workers.run(worker_tasks.own_pid)
    call = asyncio.create_task(workers.run(worker_tasks.spin))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    async with asyncio.timeout(LONG_S):
        assert await workers.run(worker_tasks.own_pid) > 0


async def test_a_worker_whose_caller_left_while_it_started_serves_the_next() -> None:
    """No process is left behind that nobody knows of."""
    workers, before = pool(), children()
    call = asyncio.create_task(workers.run(worker_tasks.own_pid))
    async with asyncio.timeout(LONG_S):
        while children() == before:  # noqa: ASYNC110  nothing tells of it
            await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert children() - before == {await workers.run(worker_tasks.own_pid)}


async def test_more_than_may_wait_is_refused_at_once(tmp_path: Path) -> None:
    """One works, sixteen wait, the next is told when to come again."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    workers = pool()
    calls = [
        asyncio.create_task(workers.run(worker_tasks.read_line, str(pipe)))
        for _ in range(MOST_WAITING + 1)
    ]
    await asyncio.sleep(0)
    with pytest.raises(QuotaSpent) as caught:
        await workers.run(worker_tasks.own_pid)
    assert (caught.value.reason, bool(caught.value.retry_after)) == ("WORKERS_BUSY", True)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


async def test_who_waits_too_long_is_refused(tmp_path: Path) -> None:
    """A worker that does not become free in time is as good as none."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    workers = pool(check_wait=0.05)
    busy = asyncio.create_task(workers.run(worker_tasks.read_line, str(pipe)))
    await asyncio.sleep(0)
    with pytest.raises(QuotaSpent):
        await workers.run(worker_tasks.own_pid)
    busy.cancel()
    await asyncio.gather(busy, return_exceptions=True)


async def test_ctrl_c_in_a_terminal_leaves_workers_to_their_parent() -> None:
    """SIGINT reaches the whole group; a worker goes on, and its parent ends it."""
    workers = pool()
    pid = await workers.run(worker_tasks.own_pid)
    os.kill(pid, signal.SIGINT)
    assert await workers.run(worker_tasks.own_pid) == pid


def test_workers_end_with_the_loop() -> None:
    """A process that leaves in order leaves no worker behind."""
    pid = asyncio.run(pool().run(worker_tasks.own_pid))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_worker_imports_little() -> None:
    """A worker that checked a script has no server, database or model client in its memory."""
    modules = await pool().run(worker_tasks.imported_to_check)
    heavy = {"grpc", "sqlalchemy", "openai", "aiohttp", "opentelemetry", "opencc", "fastapi"}
    assert heavy.isdisjoint(modules)
    assert "executor_service.scripts.loading.loader" in modules
