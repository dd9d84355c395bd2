"""kill -9 at every place of a turn and of an analysis.

Recovery: on SQLite from the moment the new process listens, on PostgreSQL from the kill, until the
turns that ran are ended; there another replica takes them over once the lease has run out. For the
monitor's places, and for those of an analysis: until no analysis is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress

from executor_service.failpoints import Failpoint
from tests.chaos.databases import Database, running_turns, undone_among
from tests.chaos.flaky import FlakyModel, flaky_model
from tests.chaos.history import now
from tests.chaos.interrupting_client import RESTART, WAYS
from tests.chaos.options import Options
from tests.chaos.patches.triggers import FURTHER, MONITOR
from tests.chaos.result import Result, explained
from tests.chaos.services import Replica, Shape, Trigger
from tests.chaos.tasks import as_they_end
from tests.chaos.watching import LONG_S, until
from tests.chaos.world import SLOW_S, USUAL, WITH_AGENT, Scene, Talk, World
from tests.support.alert_inbox import AlertInbox, alert_inbox

TTL_S = 1.5
PATIENCE_S = 300.0
"""An input may be struck again and again."""
INTERRUPTING = {
    str(Failpoint.AFTER_INTERRUPT): WAYS,
    str(Failpoint.STOPPED): WAYS,
    str(Failpoint.AFTER_LEAVE): (RESTART,),
}
"""Places that only clients who stop turns come by, and how they do; where such a session comes to
stand depends on when it was stopped, so it is compared with no other."""
FAILING = (str(Failpoint.BEFORE_FAILURE), str(Failpoint.AFTER_FAILURE))
"""Places that only a turn comes by that fails."""
ALERTING = (str(Failpoint.ALERT_CLAIMED),)
"""Places of the delivery of alerts; whoever cries out at the end of a conversation raises one."""
ANYWHERE = (*FAILING, *ALERTING)
"""Places that any replica may come by, whomever it serves."""
_ALERTS = "SELECT safety_event_id FROM alerts"
_PLACES = tuple(str(each) for each in Failpoint)
OF_A_TURN = _PLACES[: _PLACES.index(Failpoint.RUN_ADMITTED)]
"""Those behind are of runs of workflows, which none of these talks begins."""
_AT_ONCE_S = 2.0
"""A restart on SQLite waits for no lease; the turns are run anew, on a machine that is busy."""
_ROUND_S = 90.0
"""A place that no process reaches for so long is not reached by this script."""


async def run(world: World, options: Options) -> AsyncIterator[Result]:
    """Kill at each place, on each database; four places at once."""
    points = options.points or (*OF_A_TURN, *FURTHER, *MONITOR)
    gate = asyncio.Semaphore(3)

    async def one(kind: str, point: str) -> Result:
        async with gate:
            return await kill_at(world, kind, point, options)

    places = (one(kind, point) for kind in options.databases for point in points)
    async with as_they_end(places) as results:
        async for result in results:
            yield result


async def kill_at(
    world: World, kind: str, point: str, options: Options, talk: Talk = USUAL
) -> Result:
    """Kill a process at one place again and again; a run that breaks keeps what it had found."""
    name = "kill -9, agent" if talk is WITH_AGENT else "kill -9"
    result = Result(fault=name, database=kind, what=point)
    began = now()
    try:
        await _killed(world, result, options, talk)
    except Exception as error:  # noqa: BLE001  the other places shall be tried all the same
        result.violations.append(f"the run broke: {explained(error)}")
    result.took_s = now() - began
    return result


async def _killed(world: World, result: Result, options: Options, talk: Talk) -> None:
    """Let clients talk while processes are killed; the result has how it came out."""
    kind, point = result.database, result.what
    folder = world.new_folder(f"kill-{kind}-{point}")
    database = await world.database(kind, folder)
    if point not in (*MONITOR, *FURTHER, *FAILING, *INTERRUPTING):
        result.lease_s = 0.0 if kind == "sqlite" else TTL_S
        result.limit_s = options.limit(_AT_ONCE_S if kind == "sqlite" else TTL_S + 1.0)
    triggers = {name: Trigger(folder / f"{name}.trigger")
                for name in ("monitor", "executor1", "executor2")}  # fmt: skip
    async with (
        flaky_model(pace_s=SLOW_S if point in INTERRUPTING else 0.0) as flaky,
        alert_inbox() as inbox,
        world.scene(
            f"kill/{point}", database, folder, _shape(kind, flaky, inbox), talk=talk
        ) as scene,
    ):
        scene.profile.patience_s, scene.profile.hop = PATIENCE_S, 0.3
        killer = _Killer(scene, result, triggers, flaky)
        talking = scene.beside(_talk_on(scene, killer, options))
        await killer.work(options.kills)
        await talking
        result.runs = len(scene.clients)
        result.turns = sum(len(client.latencies) for client in scene.clients)
        result.require(
            await until(lambda: _all_alerted(database, inbox), within_s=LONG_S),
            "an alert was never delivered",
        )
        result.add(await scene.verdict(compare=point not in INTERRUPTING))
    result.require(result.kills >= options.kills, f"only {result.kills} kills")


def _shape(kind: str, flaky: FlakyModel, inbox: AlertInbox) -> Shape:
    return Shape(
        executors=1 if kind == "sqlite" else 2,
        triggers=True,
        lease_ttl_s=TTL_S,
        environ={
            "OPENAI_BASE_URL": flaky.base_url,
            "HEARTRULE_ALERT_TIMEOUT": "0.2",  # a dead executor's alerts are free so soon
            **inbox.environ(),
        },
    )


async def _talk_on(scene: Scene, killer: _Killer, options: Options) -> None:
    """Let clients talk, each session to its end, until there were enough kills."""
    scene.profile.between = scene.settled
    enough, ways = killer.enough(options.kills), INTERRUPTING.get(killer.point)

    async def sessions() -> None:
        while not enough():
            client = scene.interrupting_client(ways) if ways else scene.client()
            await scene.converse(client)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(options.clients, 4)):
            group.create_task(sessions())


class _Killer:
    """Arms a place, waits for the death, starts the process anew and times the recovery."""

    def __init__(
        self, scene: Scene, result: Result, triggers: dict[str, Trigger], model: FlakyModel
    ) -> None:
        self._scene = scene
        self._result = result
        self._triggers = triggers
        self._model = model
        self.point = result.what
        self._given_up = False

    def enough(self, kills: int) -> Callable[[], bool]:
        """Return the event set when no more sessions are needed."""
        return lambda: self._given_up or self._result.kills >= kills

    async def work(self, kills: int) -> None:
        """Kill so often; give up at a place no process reaches."""
        rng = self._scene.world.rng(f"kill/{self._scene.cluster.database.kind}/{self.point}")
        while self._result.kills < kills and not self._given_up:
            victim = await self._struck(self._victim(rng.random()), rng.randint(1, 3))
            if victim is None:
                self._given_up = True
                return
            await self._recover(victim)

    async def _struck(self, victim: Replica, nth: int) -> Replica | None:
        """Arm the place, and return who died there; None where no process reached it.

        All replicas are armed where any of them may come by.
        """
        failing, anywhere = self.point in FAILING, self.point in ANYWHERE
        armed = self._scene.cluster.executors if anywhere else [victim]
        for replica in armed:
            self._triggers[replica.name].arm(self.point, 1 if anywhere else nth)
        ends = [replica.running.ended for replica in armed]
        self._let_fail(failing=failing)
        try:
            await asyncio.wait(ends, timeout=_ROUND_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._let_fail(failing=False)
            struck = [replica for replica in armed if self._triggers[replica.name].disarm()]
        if struck:
            await asyncio.wait([replica.running.ended for replica in struck], timeout=_ROUND_S)
        dead = [replica for replica in armed if not replica.running.runs]
        for other in dead[1:]:  # it came by in the same moment
            self._scene.beside(other.start())
        return dead[0] if dead else None

    def _let_fail(self, *, failing: bool) -> None:
        self._model.failing = failing

    def _victim(self, dice: float) -> Replica:
        """Return who is to die: of the executors one that serves a client now."""
        cluster = self._scene.cluster
        if self.point in MONITOR:
            return cluster.needed_monitor
        serving = {client.replica for client in self._scene.clients}
        busy = [each for each in cluster.executors if each.name in serving] or cluster.executors
        return busy[int(dice * len(busy))]

    async def _recover(self, victim: Replica) -> None:
        """Start the process anew and wait until what it left is done."""
        killed, result = now(), self._result
        result.kills += 1
        database = self._scene.cluster.database
        running = await asyncio.to_thread(running_turns, database)
        starting = self._scene.beside(victim.start())
        if database.kind == "sqlite":
            await starting
            killed = now()
        left = await never_ended(database, tuple(running), within_s=TTL_S + LONG_S)
        result.require(not left, f"{len(left)} turns were never finished")
        if running:
            result.recovered(now() - killed)
        await starting


async def never_ended(
    database: Database, turns: Sequence[str], *, within_s: float
) -> tuple[str, ...]:
    """Return those of the turns that were seen at no time to have ended.

    One that failed ends, and runs again when its client asks for it.
    """
    left = tuple(turns)
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            while left:
                left = tuple(await asyncio.to_thread(undone_among, database, left))
                await asyncio.sleep(0.01)
    return left


async def _all_alerted(database: Database, inbox: AlertInbox) -> bool:
    rows = await asyncio.to_thread(database.rows, _ALERTS)
    return {str(alert) for (alert,) in rows} <= set(inbox.ids)
