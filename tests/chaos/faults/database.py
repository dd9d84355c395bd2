"""PostgreSQL crashes ten times in a run, and is away for half a minute.

Recovery: from each crash until every turn that ran is ended; after the absence, from the return
until the executor says that it is ready. Meanwhile it is alive, not ready, acknowledges nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import psycopg

from tests.chaos.databases import PostgresDatabase, running_turns, undone_among
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.postgres import FaultyServer
from tests.chaos.result import Result, stretch
from tests.chaos.services import Shape
from tests.chaos.watching import LONG_S, acknowledged_between, until, watched
from tests.chaos.world import INPUTS, Scene, World

NOTICED_S = 5.0
BACK_S = 5.0
TTL_S = 1.5


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Crash and stop a server of its own."""
    if "postgresql" not in options.databases:
        return
    server = await asyncio.to_thread(FaultyServer)
    try:
        await asyncio.to_thread(server.start)
        yield await crashing(world, server, options)
        yield await away(world, server, options)
    finally:
        await asyncio.to_thread(server.remove)


async def crashing(world: World, server: FaultyServer, options: Options) -> Result:
    """Restart the server as after a crash while clients talk."""
    result = Result(fault="PostgreSQL crashes", database="postgresql",
                    what=f"{options.restarts} immediate restarts")  # fmt: skip
    began = now()
    folder = world.new_folder("crash")
    database = PostgresDatabase(server, server.create_empty())
    async with world.scene("crash", database, folder, Shape(executors=2)) as scene:
        talking = scene.beside(_talk_on(scene, result, options.restarts))
        while result.kills < options.restarts:
            await asyncio.sleep(scene.profile.rng.uniform(0.3, 1.0))
            crashed = now()
            result.kills += 1
            await asyncio.to_thread(server.stop, "immediate")
            await asyncio.to_thread(server.start)
            running = await asyncio.to_thread(running_turns, database)
            done = await until(partial(_done, database, running), within_s=LONG_S)
            result.require(done, "a turn was never finished")
            result.recovered(now() - crashed)
        await talking
        await _sum_up(scene, result)
    result.took_s = now() - began
    return result


async def away(world: World, server: FaultyServer, options: Options) -> Result:
    """Let the server be down for a while."""
    result = Result(fault="PostgreSQL away", database="postgresql", limit_s=options.limit(BACK_S),
                    what=f"for {options.away_s:g} s")  # fmt: skip
    began = now()
    folder = world.new_folder("away")
    database = PostgresDatabase(server, server.create_empty())
    async with world.scene("away", database, folder, Shape()) as scene:
        scene.profile.patience_s = options.away_s + 60
        (executor,) = scene.cluster.executors
        async with watched(executor) as probes:
            talking = scene.beside(_talk_on(scene, result, 1))
            await asyncio.sleep(1.0)
            await asyncio.to_thread(server.stop, "immediate")
            gone = now()
            await asyncio.sleep(options.away_s)
            await asyncio.to_thread(server.start)
            back = now()
            result.kills = 1
            ready = await until(executor.health, within_s=LONG_S)
            result.require(ready, "it was never ready again")
            result.recovered(now() - back)
            await talking
        noticed = probes.first(gone, ready=False)
        result.notes["noticed after s"] = noticed and round(noticed, 2)
        result.require(
            noticed is not None and noticed <= NOTICED_S * stretch(), f"noticed after {noticed} s"
        )
        result.require(probes.always_alive(), "it was not alive all the time")
        acknowledged = acknowledged_between(scene.history, gone + 0.2, back - 0.5)
        result.require(acknowledged == 0, f"{acknowledged} inputs taken without a database")
        await _sum_up(scene, result)
    result.took_s = now() - began
    return result


async def _done(database: PostgresDatabase, running: dict[str, str]) -> bool:
    try:
        return not await asyncio.to_thread(undone_among, database, tuple(running))
    except psycopg.OperationalError:
        return False


async def _talk_on(scene: Scene, result: Result, injections: int) -> None:
    async def between(session_id: str) -> None:
        while True:
            try:
                await scene.settled(session_id)
                return
            except psycopg.OperationalError:
                await asyncio.sleep(0.1)

    scene.profile.between = between

    async def sessions() -> None:
        while True:
            await scene.client().converse(scene.script_id, INPUTS)
            if result.kills >= injections:
                return

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(sessions())


async def _sum_up(scene: Scene, result: Result) -> None:
    result.runs = len(scene.clients)
    result.turns = sum(len(client.latencies) for client in scene.clients)
    result.add(await scene.verdict())
