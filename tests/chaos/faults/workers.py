"""What becomes of runs whose workers sleep, are fewer, die by a node, or lose DBOS's tables.

A worker counts as dead after three seconds of silence here, a minute outside of tests. Recovery:
from the fault until the runs that it hit have ended.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from heartrule.domain.runs import RunErrorCode
from heartrule.v1 import run_request_pb2
from tests.chaos.fork_reports import NotStarted
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.result import Result, explained
from tests.chaos.run_client import RunningClient
from tests.chaos.run_scene import POISON, SILENT_S, WHOLE, RunScene, forget, run_scene
from tests.chaos.services import Replica, Shape
from tests.chaos.tasks import ended
from tests.chaos.watching import LONG_S, until
from tests.chaos.world import World

MOST_DEATHS = 6
"""A run that was taken over more than five times is failed."""
_INNOCENT = 2
_FAILURE = "SELECT state, failure FROM runs WHERE run_id = {}"
# What a worker that was asked to leave takes at most, its grace among it.
_LEFT_S = 30.0
_Fault = Callable[[World, Result], Awaitable[None]]


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Try each fault on each database that has it."""
    for kind in options.databases:
        yield await tried(world, kind, "DBOS's tables are dropped", forgotten)
        yield await tried(world, kind, "a node kills its worker", poisoned)
    if "postgresql" in options.databases:
        yield await tried(world, "postgresql", "SIGSTOP beyond the heartbeats", stopped)
        yield await tried(world, "postgresql", "from three workers to one", fewer)


async def tried(world: World, kind: str, what: str, fault: _Fault) -> Result:
    """Return how a fault came out; one that breaks keeps what it had found."""
    result = Result(fault="workers", database=kind, what=what)
    began = now()
    try:
        await fault(world, result)
    except Exception as error:  # noqa: BLE001  the other faults shall be tried all the same
        result.violations.append(f"the run broke: {explained(error)}")
    result.took_s = now() - began
    return result


async def forgotten(world: World, result: Result) -> None:
    """Kill all executors within nodes, drop what DBOS knows, and start them again."""
    kind = result.database
    shape = Shape(executors=1 if kind == "sqlite" else 2)
    async with run_scene(world, "workers/forgotten", kind, shape=shape) as runs:
        await runs.undisturbed(WHOLE)
        begun = {run_id for _, run_id in await _under_way(runs, 3)}
        executors = runs.scene.cluster.executors
        await asyncio.gather(*(each.kill() for each in executors))
        result.kills, killed = len(executors), now()
        await asyncio.to_thread(forget, runs.database)
        runs.endpoint.open_gate.set()
        await asyncio.gather(*(each.start() for each in executors))
        await _ended(runs, result, begun, since=killed)


async def poisoned(world: World, result: Result) -> None:
    """Have a node kill its worker each time: its run is failed, those of others are not."""
    kind = result.database
    shape = Shape(executors=1 if kind == "sqlite" else 2, patches=("poison",))
    async with run_scene(world, "workers/poisoned", kind, shape=shape) as runs:
        await runs.undisturbed(WHOLE)
        begun = {run_id for _, run_id in await _under_way(runs, _INNOCENT)}
        client, began = await runs.client(), now()
        runs.apart.add(client.session_id)
        reviving = [
            runs.scene.beside(_revive(each, result)) for each in runs.scene.cluster.executors
        ]
        poison = await client.begin_run(POISON, runs.tag())
        runs.endpoint.open_gate.set()
        result.require(await runs.all_end({poison}), "the run that kills did not end")
        ((state, failure),) = await asyncio.to_thread(runs.database.rows, _FAILURE, poison)
        lost = RunErrorCode.WORKER_LOST in str(failure)
        result.require(state == "failed" and lost, f"the run that kills is {state}: {failure}")
        result.require(result.kills == MOST_DEATHS, f"it killed {result.kills} times")
        result.require(await runs.all_end(begun), "a run beside it did not end")
        await ended(reviving)
        await _ended(runs, result, begun, since=began)


async def stopped(world: World, result: Result) -> None:
    """Stop the owner of a run, let another one take over, and wake it; once cancelled meanwhile."""
    shape = Shape(executors=2)
    async with run_scene(world, "workers/stopped", "postgresql", shape=shape) as runs:
        await runs.undisturbed(WHOLE)
        for is_cancelled in (False, True):
            ((client, run_id),) = await _under_way(runs, 1)
            victim, other = await _owner_first(runs, run_id)
            victim.running.signal(signal.SIGSTOP)
            began = now()
            result.kills += 1
            if is_cancelled:
                runs.apart.add(client.session_id)
                await _cancel(other, client, run_id)
            else:
                result.require(await _took(runs, other, run_id), "nobody took the run over")
            runs.endpoint.open_gate.set()
            result.require(await runs.all_end({run_id}), "the run did not end")
            result.recovered(now() - began)
            victim.running.signal(signal.SIGCONT)
            # What it does now it does late: it has answers that nobody waits for any more.
            await asyncio.sleep(SILENT_S)
            result.require(victim.running.runs, "the worker that slept has ended")
        result.runs = len(runs.scene.clients)
        result.add(await runs.verdict())


async def fewer(world: World, result: Result) -> None:
    """Ask two of three workers to leave, one after the other, while runs are under way."""
    shape = Shape(executors=1, environ={"HEARTRULE_RUN_CONCURRENCY": "0"})
    async with run_scene(world, "workers/fewer", "postgresql", shape=shape, pace_s=0.3) as runs:
        await asyncio.gather(*(runs.add_worker(number) for number in (1, 2, 3)))
        await runs.undisturbed(WHOLE)
        begun = {run_id for _, run_id in await _under_way(runs, 6)}
        runs.endpoint.open_gate.set()
        began = now()
        for worker in runs.workers[1:]:
            worker.running.signal(signal.SIGTERM)
            code = await worker.running.died(_LEFT_S)
            result.kills += 1
            result.require(code == 0, f"it left with {code}")
        await _ended(runs, result, begun, since=began)


async def _under_way(runs: RunScene, number: int) -> list[tuple[RunningClient, str]]:
    """Begin so many runs, each in a session of its own; their first calls wait for an answer."""
    runs.endpoint.open_gate.clear()
    begun = []
    for _ in range(number):
        client, tag = await runs.client(), runs.tag()
        begun.append((client, await client.begin_run(WHOLE, tag)))
        async with asyncio.timeout(LONG_S):
            await runs.endpoint.called("fetch", tag)
    return begun


async def _ended(runs: RunScene, result: Result, begun: set[str], *, since: float) -> None:
    """Wait for the runs, and have everything checked."""
    result.require(await runs.all_end(begun), "not all runs ended")
    result.recovered(now() - since)
    result.runs = len(runs.scene.clients)
    result.add(await runs.verdict())


async def _revive(replica: Replica, result: Result) -> None:
    """Start a process anew each time that it dies, which may be before it listens."""
    await asyncio.shield(replica.running.ended)
    while result.kills <= MOST_DEATHS:  # one more than it may, so that it is seen
        result.kills += 1
        with suppress(NotStarted):
            await replica.start()
            await asyncio.shield(replica.running.ended)


async def _owner_first(runs: RunScene, run_id: str) -> tuple[Replica, Replica]:
    one, two = runs.scene.cluster.executors
    return (one, two) if await runs.owner(run_id) == one.name else (two, one)


async def _took(runs: RunScene, replica: Replica, run_id: str) -> bool:
    """Wait until a process has a run; False where it does not in time."""

    async def has() -> bool:
        return await runs.owner(run_id) == replica.name

    return await until(has, within_s=LONG_S)


async def _cancel(replica: Replica, client: RunningClient, run_id: str) -> None:
    request = run_request_pb2.CancelRunRequest(session_id=client.session_id, run_id=run_id)
    await replica.needed_stubs().run.CancelRun(request)
