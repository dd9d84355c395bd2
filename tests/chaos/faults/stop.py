"""SIGSTOP in the middle of a turn, beyond the lease, then SIGCONT: the late holder is fenced off.

Recovery: from the stop until the turns that ran are ended; on PostgreSQL another replica does that.
A holder that wakes must write nothing: its log says that it was preempted, or that it could not
even record its failure. On SQLite no other process takes its place, and the turn goes on.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator

from heartrule.domain.events import DraftDelta, SessionEvent
from tests.chaos.databases import running_turns, undone_among
from tests.chaos.history import now
from tests.chaos.options import Options
from tests.chaos.result import Result
from tests.chaos.services import Replica, Shape
from tests.chaos.tasks import as_they_end
from tests.chaos.world import INPUTS, SLOW_S, Scene, World

TTL_S = 1.0
BEYOND_S = 1.0
"""How long beyond the lease it stays stopped."""
FENCED = ("turn preempted", "failure not recorded", "LEASE_LOST")


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Stop an executor again and again while clients talk, on each database."""
    works = (stopped(world, kind, options) for kind in options.databases)
    async with as_they_end(works) as results:
        async for result in results:
            yield result


async def stopped(
    world: World, kind: str, options: Options, *, patches: tuple[str, ...] = ()
) -> Result:
    """Return what became of turns whose holder was stopped."""
    result = Result(fault="SIGSTOP", database=kind, what="mid-stream, beyond the lease")
    began = now()
    folder = world.new_folder(f"stop-{kind}")
    database = await world.database(kind, folder)
    replicas = 1 if kind == "sqlite" else 2
    shape = Shape(executors=replicas, monitor=False, lease_ttl_s=TTL_S, patches=patches)
    async with world.scene("stop", database, folder, shape, pace_s=SLOW_S) as scene:
        scene.keep = not patches
        stopper = _Stopper(scene, result)
        scene.profile.on_event = stopper.on_event
        scene.profile.silence_s = 2.5
        talking = scene.beside(_talk_on(scene, result, options))
        while result.kills < options.stops and not talking.done():
            await stopper.inject()
        await talking
        result.runs = len(scene.clients)
        result.turns = sum(len(client.latencies) for client in scene.clients)
        result.add(await scene.verdict(compare=not patches))
        if kind == "postgresql":
            fenced = _count_in_logs(scene)
            result.notes["fenced off"] = fenced
            result.require(fenced >= stopper.overtaken,
                           f"{stopper.overtaken} were overtaken, {fenced} fenced off")  # fmt: skip
            result.notes["overtaken"] = stopper.overtaken
    result.took_s = now() - began
    return result


async def _talk_on(scene: Scene, result: Result, options: Options) -> None:
    async def sessions() -> None:
        while result.kills < options.stops:
            await scene.client().converse(scene.script_id, INPUTS)

    async with asyncio.TaskGroup() as group:
        for _ in range(2):
            group.create_task(sessions())


class _Stopper:
    """Stops the replica that sent the next draft."""

    def __init__(self, scene: Scene, result: Result) -> None:
        self._scene = scene
        self._result = result
        self._draft: asyncio.Future[tuple[str, SessionEvent]] | None = None
        self.overtaken = 0

    def on_event(self, replica: str, event: SessionEvent) -> None:
        """Notice the first draft that comes once an injection is wanted."""
        if isinstance(event.body, DraftDelta) and self._draft and not self._draft.done():
            self._draft.set_result((replica, event))

    async def inject(self) -> None:
        """Stop, wait beyond the lease, wake it, and see the turn ended."""
        self._draft = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(60):
                name, event = await self._draft
        except TimeoutError:
            return
        victim = self._named(name)
        victim.running.signal(signal.SIGSTOP)
        stopped = now()
        self._result.kills += 1
        database = self._scene.cluster.database
        running = await asyncio.to_thread(running_turns, database)
        await asyncio.sleep(TTL_S + BEYOND_S)
        victim_runs = event.turn_id in running
        taken = "SELECT max(attempt) FROM attempts WHERE turn_id = {}"
        (row,) = await asyncio.to_thread(database.rows, taken, event.turn_id)
        if victim_runs and int(str(row[0])) > event.attempt:
            self.overtaken += 1
        victim.running.signal(signal.SIGCONT)
        while await asyncio.to_thread(undone_among, database, tuple(running)):
            await asyncio.sleep(0.02)
            if now() - stopped > 120:
                self._result.require(holds=False, what="a turn was never finished")
                return
        self._result.recovered(now() - stopped)

    def _named(self, name: str) -> Replica:
        return next(each for each in self._scene.cluster.executors if each.name == name)


def _count_in_logs(scene: Scene) -> int:
    """Return how often an executor says that it was fenced off."""
    logs = (log.read_text(encoding="utf-8") for log in scene.folder.glob("executor-*.log"))
    return sum(any(word in line for word in FENCED) for log in logs for line in log.splitlines())
