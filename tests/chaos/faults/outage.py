"""The monitor service is away for a minute under load: no reply is later because of it.

Afterwards every report has been delivered, or is on record as failed or dropped. Recovery: from the
monitor's return until no analysis is open any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from tests.chaos.databases import OPEN_ANALYSES
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.result import Result, load
from tests.chaos.services import Shape
from tests.chaos.tasks import as_they_end
from tests.chaos.watching import LONG_S, until
from tests.chaos.world import INPUTS, Scene, World

BACK_S = 15.0
CLIENTS = 4
BEFORE_S = 4.0
BREATH_S = 0.1
"""What a client waits between two inputs, so that the load stays the same throughout."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Take the monitor away on each database."""
    works = (away(world, kind, options) for kind in options.databases)
    async with as_they_end(works) as results:
        async for result in results:
            yield result


async def away(world: World, kind: str, options: Options) -> Result:
    """Compare replies before and during the outage, then count what became of the reports."""
    result = Result(fault="monitor away", database=kind, what=f"for {options.outage_s:g} s",
                    limit_s=options.limit(BACK_S))  # fmt: skip
    began = now()
    folder = world.new_folder("outage")
    database = await world.database(kind, folder)
    async with world.scene("outage", database, folder, Shape()) as scene:
        monitor = scene.cluster.needed_monitor
        scene.profile.between = _breathe
        await _load(scene, min(BEFORE_S, options.outage_s))
        before = _latencies(scene, 0)
        first = len(scene.clients)
        await monitor.kill()
        result.kills = 1
        await _load(scene, options.outage_s)
        during = _latencies(scene, first)
        await monitor.start()
        back = now()
        everything = OPEN_ANALYSES.replace("session_id = {} AND ", "")

        async def settled() -> bool:
            ((left,),) = await asyncio.to_thread(database.rows, everything)
            return int(str(left)) == 0

        result.require(await until(settled, within_s=LONG_S), "reports stayed open")
        result.recovered(now() - back)
        _compare(result, before, during, options)
        outcomes = "SELECT outcome, count(*) FROM monitor_requests GROUP BY outcome"
        counted = await asyncio.to_thread(database.rows, outcomes)
        result.notes["reports"] = {str(name): int(str(number)) for name, number in counted}
        result.runs = len(scene.clients)
        result.turns = len(before) + len(during)
        result.add(await scene.verdict(compare=False))
    result.took_s = now() - began
    return result


def _compare(result: Result, before: list[float], during: list[float], options: Options) -> None:
    """Hold the middle and the slowest tenth of the replies against those before."""
    for name, place in (("p50", 0.5), ("p90", 0.9)):
        usual, then = _at(before, place), _at(during, place)
        result.notes[f"reply {name} before s"] = round(usual, 3)
        result.notes[f"reply {name} away s"] = round(then, 3)
        if options.timed and load() < 2:  # else the load, which others change, decides
            later = f"{name} of replies was {then:.3f} s, before {usual:.3f} s"
            result.require(then <= 1.5 * usual + 0.05, later)


def _at(values: list[float], place: float) -> float:
    return sorted(values)[int(place * (len(values) - 1))]


def _latencies(scene: Scene, first: int) -> list[float]:
    return [latency for client in scene.clients[first:] for latency in client.latencies]


async def _load(scene: Scene, seconds: float) -> None:
    """Let clients have one conversation after the other for a while."""
    end = now() + seconds

    async def sessions() -> None:
        while now() < end:
            await scene.client().converse(scene.script_id, INPUTS)

    async with asyncio.TaskGroup() as group:
        for _ in range(CLIENTS):
            group.create_task(sessions())


async def _breathe(_session_id: str) -> None:
    await asyncio.sleep(BREATH_S)
