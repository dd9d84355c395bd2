"""Kills processes at a place of a run, again and again, and waits until others went on with it."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass

from executor_service.failpoints import Failpoint
from tests.chaos.history import now
from tests.chaos.result import Result
from tests.chaos.run_scene import RunScene
from tests.chaos.services import Replica

_LEAVING = str(Failpoint.HANDING_OVER)
_ROUND_S = 90.0
"""A place that no process reaches for so long is not reached by these runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Where processes die, and who goes on."""

    place: str
    visits: int = 1
    """How often one run comes by; which visit it is falls by dice."""
    is_swept: bool = False
    """True: who died stays away until the others have found and ended its runs."""


class RunKiller:
    """Arms a place in every process, waits for a death, starts it anew and times the recovery."""

    def __init__(self, runs: RunScene, result: Result, aim: Aim) -> None:
        """Arm nothing yet."""
        self._runs, self._result, self._aim, self._point = runs, result, aim, aim.place
        self._replicas = runs.scene.cluster.executors
        self._triggers = runs.triggers
        self._given_up = False
        self.hit = 0
        """Runs that a process which died was at work on."""

    def is_enough(self, kills: int) -> bool:
        """Return whether no more runs are needed."""
        return self._given_up or self._result.kills >= kills

    async def work(self, kills: int) -> None:
        """Kill so often; give up at a place no process reaches."""
        rng = self._runs.scene.world.rng(f"runs/{self._runs.database.kind}/{self._point}")
        while not self.is_enough(kills):
            victims = await self._struck(rng.randint(1, self._aim.visits))
            self._given_up = not victims
            if victims:
                await self._recover(victims)

    async def _struck(self, nth: int) -> list[Replica]:
        """Arm the place everywhere; return who died there, none where nobody came by in time."""
        for each in self._replicas:
            self._triggers[each.name].arm(self._point, nth)
        leaving = asyncio.ensure_future(self._let_one_leave())
        try:
            ends = [each.running.ended for each in self._replicas]
            await asyncio.wait(ends, timeout=_ROUND_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            self._runs.endpoint.open_gate.set()
            struck = [each for each in self._replicas if self._triggers[each.name].disarm()]
        # A second process may have come by in the same moment, and nobody has seen it end yet.
        if struck:
            await asyncio.wait([each.running.ended for each in struck], timeout=_ROUND_S)
        return [each for each in self._replicas if not each.running.runs]

    async def _let_one_leave(self) -> None:
        """Ask a process to leave that works on a run whose endpoint does not answer."""
        if self._point != _LEAVING:
            return
        self._runs.endpoint.open_gate.clear()
        while True:
            owners = {await self._runs.owner(each) for each in await self._runs.unended()} - {""}
            alone = self._replicas if len(self._replicas) == 1 and owners else []
            if having := [each for each in self._replicas if each.name in owners] or alone:
                having[0].running.signal(signal.SIGTERM)
                return
            await asyncio.sleep(0.05)

    async def _recover(self, victims: list[Replica]) -> None:
        killed, result = now(), self._result
        result.kills += len(victims)
        left = await self._runs.unended()
        self.hit += await self._hit(victims)
        if self._is_swept(victims):
            await self._ended(left, killed)
            await asyncio.gather(*(each.start() for each in victims))
            return
        starting = asyncio.gather(*(each.start() for each in victims))
        if self._runs.database.kind == "sqlite":
            await starting
            killed = now()
        await self._ended(left, killed)
        await starting

    def _is_swept(self, victims: list[Replica]) -> bool:
        return self._aim.is_swept and len(victims) < len(self._replicas)

    async def _hit(self, victims: list[Replica]) -> int:
        """Return how many runs these were at work on; one alone has all that somebody has."""
        names, is_alone = {each.name for each in victims}, len(self._replicas) == 1
        owners = await self._runs.owners()
        return sum(bool(each) if is_alone else each in names for each in owners)

    async def _ended(self, left: set[str], since: float) -> None:
        ended = await self._runs.all_end(left)
        self._result.require(ended, f"{len(left)} runs did not all end")
        if left:
            self._result.recovered(now() - since)
