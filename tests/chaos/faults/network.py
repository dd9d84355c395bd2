"""The lines from the executor to the monitor and to the database are cut, and healed.

Three cuts: refused (connections reset), silent (a TCP line that passes nothing), and where the
system allows network namespaces, unplugged (the link of a real interface goes down). Towards the
database: not ready within five seconds, alive, nothing acknowledged, well again by itself; recovery
is counted from the healing. Towards the monitor: no reply is later for its sake, and that it does
not answer is noticed within five seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from tests.chaos.client import Client
from tests.chaos.databases import Database, PostgresDatabase
from tests.chaos.history import now
from tests.chaos.line import Line, Mode
from tests.chaos.options import Options
from tests.chaos.postgres import FaultyServer
from tests.chaos.processes import MissingTool
from tests.chaos.result import Result, stretch
from tests.chaos.services import Cluster, Inside, Shape
from tests.chaos.unplugged import Namespace, namespace
from tests.chaos.watching import LONG_S, acknowledged_between, until, watched
from tests.chaos.world import INPUTS, Scene, World

NOTICED_S = 5.0
BACK_S = 5.0
CUT_S = 8.0
Step = Callable[[], Awaitable[None]]


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Cut each line in each way."""
    if "postgresql" in options.databases:
        for mode in (Mode.REFUSED, Mode.SILENT):
            yield await database_line(world, options, mode)
        yield await _or_skip(unplugged_database(world, options), "executor–database", "unplugged")
    for mode in (Mode.REFUSED, Mode.SILENT):
        yield await monitor_line(world, options, mode)
    yield await _or_skip(unplugged_monitor(world, options), "executor–monitor", "unplugged")


async def _or_skip(running: Awaitable[Result], what: str, how: str) -> Result:
    try:
        return await running
    except MissingTool as reason:
        return Result(fault="network", database="", what=f"{what} {how}", skipped=str(reason))


async def database_line(world: World, options: Options, mode: Mode) -> Result:
    """Cut the line to PostgreSQL at a TCP line."""
    folder = world.new_folder("net")
    whole = await world.database("postgresql", folder)
    assert isinstance(whole, PostgresDatabase), f"a server has a line to cut, not {whole.kind}"
    line = Line(whole.server.host, whole.server.port)
    await line.open()
    database = PostgresDatabase(whole.server, whole.name, port=line.port, host="127.0.0.1")
    try:
        async with world.scene("net", database, folder, Shape(monitor=False)) as scene:
            return await _database_cut(
                scene, options, str(mode), _step(line.cut, mode), _step(line.heal)
            )
    finally:
        await line.aclose()


async def unplugged_database(world: World, options: Options) -> Result:
    """Pull the cable between an executor in a network of its own and PostgreSQL."""
    with namespace() as net:
        server = await asyncio.to_thread(FaultyServer, host=net.backend_host)
        try:
            await asyncio.to_thread(server.start)
            database = PostgresDatabase(server, await asyncio.to_thread(server.create_empty))
            async with _inside(world, net, database, monitor=False) as scene:
                return await _database_cut(
                    scene, options, "unplugged", _step(net.unplug), _step(net.plug)
                )
        finally:
            await asyncio.to_thread(server.remove)


async def _database_cut(scene: Scene, options: Options, how: str, cut: Step, heal: Step) -> Result:
    """Cut and heal once while clients talk."""
    result = Result(fault="network", database="postgresql", limit_s=options.limit(BACK_S),
                    what=f"executor–database {how}")  # fmt: skip
    began = now()
    (executor,) = scene.cluster.executors
    async with watched(executor) as probes:
        talking = scene.beside(_conversations(scene, 3))
        await asyncio.sleep(1.0)
        await cut()
        cut_at = now()
        await asyncio.sleep(CUT_S)
        await heal()
        healed = now()
        result.kills = 1
        result.require(await until(executor.health, within_s=LONG_S), "it was never ready again")
        result.recovered(now() - healed)
        await talking
    noticed = probes.first(cut_at, ready=False)
    result.notes["noticed after s"] = noticed and round(noticed, 2)
    result.require(
        noticed is not None and noticed <= NOTICED_S * stretch(), f"noticed after {noticed} s"
    )
    result.require(probes.always_alive(), "it was not alive all the time")
    acknowledged = acknowledged_between(scene.history, cut_at + 0.2, healed)
    result.require(acknowledged == 0, f"{acknowledged} inputs were acknowledged without a database")
    return await _sum_up(scene, result, began, compare=False)


async def monitor_line(world: World, options: Options, mode: Mode) -> Result:
    """Cut the line to the monitor at a TCP line."""
    kind = options.databases[0]
    folder = world.new_folder("monitor-net")
    database = await world.database(kind, folder)
    async with world.scene("monitor-net", database, folder, Shape()) as scene:
        line = Line("127.0.0.1", scene.cluster.needed_monitor.running.port)
        await line.open()
        try:
            await _use_monitor_at(scene.cluster, f"127.0.0.1:{line.port}")
            return await _monitor_cut(scene, str(mode), _step(line.cut, mode), _step(line.heal))
        finally:
            await line.aclose()


async def unplugged_monitor(world: World, options: Options) -> Result:
    """Pull the cable between an executor in a network of its own and the monitor."""
    kind = options.databases[0]
    folder = world.new_folder("monitor-unplugged")
    database = await world.database(kind, folder)
    if isinstance(database, PostgresDatabase):
        raise MissingTool("the database would be out of reach as well; run it with SQLite")
    with namespace() as net:
        async with _inside(world, net, database, monitor=True) as scene:
            return await _monitor_cut(scene, "unplugged", _step(net.unplug), _step(net.plug))


async def _monitor_cut(scene: Scene, how: str, cut: Step, heal: Step) -> Result:
    """Compare replies before and during a cut; then let the monitor catch up."""
    result = Result(fault="network", database=scene.cluster.database.kind,
                    what=f"executor–monitor {how}")  # fmt: skip
    began = now()
    scene.profile.between = _never_waiting
    await _conversations(scene, 4)
    before = _worst(scene.clients)
    logs = _missed(scene)
    talking = scene.beside(_repeat(scene, CUT_S))
    await asyncio.sleep(0.3)
    await cut()
    cut_at, result.kills = now(), 1
    noticed = await until(lambda: _more(scene, logs), within_s=LONG_S)
    result.notes["noticed after s"] = round(now() - cut_at, 2)
    result.require(
        noticed and now() - cut_at <= NOTICED_S * stretch(), "it was not noticed in five seconds"
    )
    first = len(scene.clients)
    await talking
    during = _worst(scene.clients[first:] or scene.clients)
    await heal()
    healed = now()
    for client in scene.clients:
        await scene.settled(client.session_id, within_s=LONG_S)
    result.recovered(now() - healed)
    result.notes["worst reply before s"] = round(before, 3)
    result.notes["worst reply cut s"] = round(during, 3)
    result.require(
        during <= 3 * before + 0.5 * stretch(), f"replies took {during:.2f} s, before {before:.2f}"
    )
    return await _sum_up(scene, result, began, compare=False)


async def _repeat(scene: Scene, seconds: float) -> None:
    end = now() + seconds
    while now() < end:
        await _conversations(scene, 4)


async def _conversations(scene: Scene, clients: int) -> None:
    scene.profile.between = scene.profile.between or _never_waiting
    async with asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(scene.client().converse(scene.script_id, INPUTS))


async def _never_waiting(_session_id: str) -> None:
    """Say the next input at once: advice comes or it does not."""


def _worst(clients: list[Client]) -> float:
    return max((latency for client in clients for latency in client.latencies), default=0.0)


def _missed(scene: Scene) -> int:
    """Return how often an executor has logged that the monitor did not answer."""
    logs = (log.read_text(encoding="utf-8") for log in scene.folder.glob("executor-*.log"))
    return sum(log.count("monitor did not answer") for log in logs)


async def _more(scene: Scene, before: int) -> bool:
    return await asyncio.to_thread(_missed, scene) > before


async def _use_monitor_at(cluster: Cluster, address: str) -> None:
    """Start the executors anew with another address of the monitor."""
    for executor in cluster.executors:
        await executor.kill()
        executor.environ["HEARTRULE_MONITOR_ADDRESS"] = address
        await executor.start()


@asynccontextmanager
async def _inside(
    world: World, net: Namespace, database: Database, *, monitor: bool
) -> AsyncIterator[Scene]:
    """Start a scene whose executor lives in a network of its own."""
    shape = Shape(
        monitor=monitor,
        inside=Inside(
            prefix=net.prefix,
            host=net.inside_host,
            monitor_host=net.backend_host,
            model_host=net.client_host,
        ),
    )
    folder = world.new_folder("inside")
    async with world.scene("inside", database, folder, shape) as scene:
        yield scene


def _step(work: Callable[..., None], *arguments: object) -> Step:
    """Return a step that is awaited; the work itself is quick."""

    async def step() -> None:
        work(*arguments)

    return step


async def _sum_up(scene: Scene, result: Result, began: float, *, compare: bool) -> Result:
    result.runs = len(scene.clients)
    result.turns = sum(len(client.latencies) for client in scene.clients)
    result.add(await scene.verdict(compare=compare))
    result.took_s = now() - began
    return result
