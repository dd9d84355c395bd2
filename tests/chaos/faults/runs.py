"""kill -9 at every place of a run of a workflow, and inside each type of node.

Each session has one run, and comes to stand as that of a run nothing disturbed. Recovery: on SQLite
from the moment the new process listens, on PostgreSQL from the kill, until the runs that had not
ended then have.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from executor_service.failpoints import Failpoint
from tests.chaos.faults.kill import OF_A_TURN
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.patches.triggers import NODES
from tests.chaos.result import Result, explained
from tests.chaos.run_killer import Aim, RunKiller
from tests.chaos.run_scene import LATE, WHOLE, RunScene, run_scene
from tests.chaos.services import Shape
from tests.chaos.tasks import as_they_end
from tests.chaos.world import World

OF_RUNS = tuple(
    str(each)
    for each in Failpoint
    if str(each) not in OF_A_TURN and each is not Failpoint.THREAD_WRITTEN
)
"""A workflow has no threads."""
_SEVERAL = frozenset({*map(str, (Failpoint.NODE_BEGAN, Failpoint.IN_NODE, Failpoint.NODE_ENDED)),
                      "inside_http", "inside_loop"})  # fmt: skip
"""Places that one run comes by several times."""
_LEAVING = str(Failpoint.HANDING_OVER)
_CLIENTS = 3


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Kill at each place, on each database, a third as often as in turns; two places at once."""
    points = options.points or (*OF_RUNS, *NODES)
    gate = asyncio.Semaphore(2)

    async def one(kind: str, point: str) -> Result:
        async with gate:
            return await kill_in_runs(world, kind, point, max(options.kills // 3, 1))

    places = (one(kind, point) for kind in options.databases for point in points)
    async with as_they_end(places) as results:
        async for result in results:
            yield result


async def kill_in_runs(world: World, kind: str, point: str, kills: int) -> Result:
    """Kill a process at one place again and again; a run that breaks keeps what it had found."""
    result = Result(fault="kill -9, runs", database=kind, what=point)
    began = now()
    try:
        await _killed(world, result, kills)
    except Exception as error:  # noqa: BLE001  the other places shall be tried all the same
        result.violations.append(f"the run broke: {explained(error)}")
    result.took_s = now() - began
    return result


async def _killed(world: World, result: Result, kills: int) -> None:
    kind, point = result.database, result.what
    workflow = LATE if point == Failpoint.SWEEP_LISTED else WHOLE
    grace = {"HEARTRULE_STOP_GRACE": "6"} if point == _LEAVING else {}
    shape = Shape(executors=1 if kind == "sqlite" else 2, triggers=True, environ=grace)
    async with run_scene(world, f"runs/{point}", kind, shape=shape) as runs:
        await runs.undisturbed(workflow)
        killer = RunKiller(runs, result, Aim(place=point, visits=3 if point in _SEVERAL else 1))
        running = runs.scene.beside(_run_on(runs, killer, workflow, kills))
        await killer.work(kills)
        await running
        result.runs = len(runs.scene.clients)
        result.add(await runs.verdict())
    result.require(result.kills >= kills, f"only {result.kills} kills")


async def _run_on(runs: RunScene, killer: RunKiller, workflow: str, kills: int) -> None:
    """Let sessions run the workflow, one after the other, until there were enough kills."""

    async def sessions() -> None:
        while not killer.is_enough(kills):
            client = await runs.client()
            await client.run(workflow, runs.tag())

    async with asyncio.TaskGroup() as group:
        for _ in range(_CLIENTS):
            group.create_task(sessions())
