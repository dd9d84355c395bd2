"""SIGTERM with live streams, and a rolling restart of two replicas under load.

No turn is lost, every live stream receives GoingAway, and a client that retries sees no error: each
of its inputs is answered. Recovery: from the signal until the process has left.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

from tests.chaos.client import Client
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.services import Shape
from tests.chaos.world import INPUTS, SLOW_S, Scene, World

GRACE_S = 10.0
_LEFT_S = GRACE_S + 5.0


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Ask processes to leave while clients talk."""
    for kind in options.databases:
        yield await leaving(world, kind, options)
    if "postgresql" in options.databases:
        yield await rolling(world, options)


async def leaving(world: World, kind: str, options: Options) -> Result:
    """Stop one executor politely while many streams are in the middle of turns, and start anew."""
    result = Result(
        fault="SIGTERM",
        database=kind,
        what=f"{options.streams} live streams",
        limit_s=options.limit(_LEFT_S),
    )
    began = now()
    folder = world.new_folder(f"leave-{kind}")
    database = await world.database(kind, folder)
    shape = Shape(monitor=False, environ={"HEARTRULE_STOP_GRACE": str(GRACE_S)})
    async with world.scene("leave", database, folder, shape, pace_s=SLOW_S) as scene:
        clients = [scene.client() for _ in range(options.streams)]
        (executor,) = scene.cluster.executors
        scene.profile.silence_s = 15.0
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.begin(scene.script_id))
        talks = [scene.beside(_say_all(client, INPUTS[:2])) for client in clients]
        await asyncio.sleep(0.5)
        executor.running.signal(signal.SIGTERM)
        signalled = now()
        code = await executor.running.died(_LEFT_S + 10)
        result.recovered(now() - signalled)
        result.kills = 1
        result.require(code == 0, f"it left with {code}")
        await executor.start()
        await asyncio.gather(*talks)
        warned = sum(client.going_away > 0 for client in clients)
        result.require(warned == len(clients), f"{warned} of {len(clients)} received GoingAway")
        await _sum_up(scene, result, compare=False)
    result.took_s = now() - began
    return result


async def rolling(world: World, options: Options) -> Result:
    """Restart one replica after the other under load."""
    result = Result(fault="rolling restart", database="postgresql", what="two replicas under load",
                    limit_s=options.limit(_LEFT_S))  # fmt: skip
    began = now()
    folder = world.new_folder("rolling")
    database = await world.database("postgresql", folder)
    shape = Shape(executors=2, environ={"HEARTRULE_STOP_GRACE": str(GRACE_S)})
    async with world.scene("rolling", database, folder, shape, pace_s=0.002) as scene:
        scene.profile.silence_s = 15.0
        load = scene.beside(scene.talk(max(4, options.streams // 5)))
        for replica in scene.cluster.executors:
            await asyncio.sleep(1.0)
            replica.running.signal(signal.SIGTERM)
            signalled = now()
            result.require(await replica.running.died(_LEFT_S + 10) == 0, "a replica failed")
            result.recovered(now() - signalled)
            result.kills += 1
            await replica.start()
        await load
        await _sum_up(scene, result, compare=True)
        lost = [code for code in _codes(scene) if code not in {"StatusCode.OK", "gone"}]
        result.notes["streams that broke"] = len(lost)
    result.took_s = now() - began
    return result


async def _say_all(client: Client, inputs: tuple[str, ...]) -> None:
    """Say everything, one after the other, on a stream that stays open."""
    for number, text in enumerate(inputs):
        await client.say(f"{client.name}-{number}", text)


async def _sum_up(scene: Scene, result: Result, *, compare: bool) -> None:
    result.runs = len(scene.clients)
    result.turns = sum(len(client.latencies) for client in scene.clients)
    result.notes["going away"] = sum(client.going_away for client in scene.clients)
    result.notes["longest turn s"] = round(max(max(c.latencies) for c in scene.clients), 2)
    result.add(await scene.verdict(compare=compare))


def _codes(scene: Scene) -> list[str]:
    from tests.chaos.history import StreamEnded

    return [each.code for each in scene.history.records if isinstance(each, StreamEnded)]
