"""kill -9 at each checkpoint of runs of sub-agents whose threads are three deep.

A session has two such runs: one that an agent decided on, one in the phases of another agent. It
comes to stand as one that nothing disturbed, and the model is asked again for what was under way
alone: a call for each run that a process which died was at work on. Who goes on is the process
itself, restarted, or on PostgreSQL, too, the other one, which finds the runs by its sweep.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from types import MappingProxyType

from executor_service.failpoints import Failpoint
from tests.chaos.faults.kill import PATIENCE_S
from tests.chaos.flaky import flaky_model
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.processes import ROOT
from tests.chaos.result import Result, explained
from tests.chaos.run_killer import Aim, RunKiller
from tests.chaos.run_scene import RunScene, run_scene
from tests.chaos.services import Shape
from tests.chaos.tasks import as_they_end
from tests.chaos.world import Talk, World

PLACES: Mapping[str, int] = MappingProxyType(
    {
        str(Failpoint.RUN_ADMITTED): 1,
        str(Failpoint.RUN_OWNED): 1,
        "thread_opened": 4,
        "placeholder_written": 4,
        "message_written": 26,
        "phase_suggested": 11,
        "phase_moved": 22,
        "nested_ended": 4,
        "result_in_place": 4,
        "in_checkpoint": 56,
        str(Failpoint.THREAD_WRITTEN): 56,
        str(Failpoint.BEFORE_FINISH): 1,
        "in_finish": 1,
        "result_committed": 1,
        str(Failpoint.AFTER_FINISH): 1,
        "in_commit": 3,
        str(Failpoint.AFTER_COMMIT): 3,
    }
)
"""Where processes die, and how often one run comes by."""
SWEPT = ", swept"
"""Of rows in which the other process goes on."""
_FOLDER = ROOT / "tests" / "chaos" / "threads"
_INPUTS = ("查一查睡眠", "谢谢", "写失眠", "好")
_CLIENTS = 2


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Kill at each place on each database, a sixth as often as in turns; two places at once."""
    gate = asyncio.Semaphore(2)

    async def one(kind: str, what: str) -> Result:
        async with gate:
            return await kill_in_threads(world, kind, what, max(options.kills // 6, 1))

    rows = [(kind, what) for kind in options.databases for what in _rows(kind)]
    asked = [each for each in rows if not options.points or each[1] in options.points]
    async with as_they_end(one(*each) for each in asked) as results:
        async for result in results:
            yield result


def _rows(kind: str) -> tuple[str, ...]:
    swept = (f"{place}{SWEPT}" for place in PLACES if kind != "sqlite")
    return (*PLACES, *swept)


async def kill_in_threads(world: World, kind: str, what: str, kills: int) -> Result:
    """Kill a process at one place again and again; a run that breaks keeps what it had found."""
    result = Result(fault="kill -9, threads", database=kind, what=what)
    began = now()
    try:
        await _killed(world, result, kills)
    except Exception as error:  # noqa: BLE001  the other places shall be tried all the same
        result.violations.append(f"the run broke: {explained(error)}")
    result.took_s = now() - began
    return result


async def _killed(world: World, result: Result, kills: int) -> None:
    kind, what = result.database, result.what
    place = what.removesuffix(SWEPT)
    aim = Aim(place=place, visits=PLACES[place], is_swept=what.endswith(SWEPT))
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(flaky_model())
        shape = Shape(
            executors=1 if kind == "sqlite" else 2,
            triggers=True,
            environ={"OPENAI_BASE_URL": model.base_url},
        )
        opened = run_scene(world, f"threads/{place}", kind, shape=shape, talk=_talk())
        runs = await stack.enter_async_context(opened)
        runs.scene.profile.patience_s = PATIENCE_S
        runs.reference = await _conversation(runs)
        calls = model.asked_by_threads
        killer = RunKiller(runs, result, aim)
        talking = runs.scene.beside(_talk_on(runs, killer, kills))
        await killer.work(kills)
        await talking
        result.runs = len(runs.scene.clients)
        result.add(await runs.verdict())
        again = model.asked_by_threads - calls * result.runs
        result.notes["asked again"] = again
        result.require(0 <= again <= killer.hit, f"asked {again} times again, {killer.hit} hit")
    result.require(result.kills >= kills, f"only {result.kills} kills")


async def _talk_on(runs: RunScene, killer: RunKiller, kills: int) -> None:
    """Let clients have whole conversations, until there were enough kills."""

    async def conversations() -> None:
        while not killer.is_enough(kills):
            await _conversation(runs)

    async with asyncio.TaskGroup() as group:
        for _ in range(_CLIENTS):
            group.create_task(conversations())


async def _conversation(runs: RunScene) -> str:
    """Let a client have a whole conversation; return its session."""
    client = runs.scene.client()
    await client.converse(runs.scene.script_id, _INPUTS)
    return client.session_id


def _talk() -> Talk:
    files = sorted(each for each in (_FOLDER / "agents").rglob("*") if each.is_file())
    beside = tuple((str(each.relative_to(_FOLDER)), each.read_bytes()) for each in files)
    return Talk(_FOLDER / "script.yaml", _INPUTS, beside)
