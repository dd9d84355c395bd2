"""Random talks as executors lead them: mostly whole turns, now and then anything else between."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from heartrule.domain.events import Outcome
from heartrule.domain.position import ExecutionStatus
from session_store.records import StepCommit, TurnSnapshot
from tests.support.store_builders import LONG, last_step, new_session, user_input
from tests.support.store_edits import with_edits
from tests.support.store_play import KEYS, Play
from tests.support.store_safety import random_safety


class OrderlyPlay(Play):
    """A play in which most turns begin with their input and end before the next."""

    async def run(self, moves: int) -> list[tuple[str, object]]:
        """Create the sessions, make that many random moves, and return all that came of them."""
        for key in KEYS:
            await self._do("create_session", new_session(key.session_id, user_id="u"))
            self._began(key, await self._do("begin_opening", key, owner="a", ttl=LONG))
            await self._steps()
        between = [(self._accept, 1), (self._begin, 1), (self._commit, 1), (self._fail, 1)]
        between += [(self._claim, 3), (self._finish, 8), (self._propose, 1), (self._go_back, 1)]
        between += [(self._erase, 1), (partial(random_safety, self._do, self.dice, KEYS), 2)]
        for _ in range(moves):
            await self._talk()
            if self._chance():
                others, weights = zip(*between, strict=True)
                await self.dice.choices(others, weights)[0]()
        for key in KEYS:
            await self._read(key)
        return self.transcript

    async def _talk(self) -> None:
        """Say something, and lead the turn that it begins to its end."""
        key = self._key()
        sent = user_input(f"m{self._next()}", "早上好")
        got = await self._do("accept_and_begin", key, sent, owner="a", ttl=LONG)
        if isinstance(got, tuple):
            self._began(key, got[1])
        await self._steps()

    async def _steps(self) -> None:
        """Commit one or two steps of each turn that runs, the last of which ends it."""
        for key, snapshot in list(self._live.items()):
            if self.dice.random() < 0.2:
                await self._finish()
            if self._chance():
                going_on = replace(self._step(snapshot), end=None, edits=())
                going_on = replace(going_on, status=ExecutionStatus.RUNNING)
                decided = with_edits(self.dice, snapshot, going_on, self._decided)
                await self._write(snapshot, decided)
            await self._write(snapshot, self._ending(snapshot))
            self._live.pop(key, None)

    def _ending(self, snapshot: TurnSnapshot) -> StepCommit:
        end = last_step(snapshot, outcome=Outcome.WAITING)
        return replace(self._step(snapshot), end=end.end, status=end.status, edits=())

    async def _write(self, snapshot: TurnSnapshot, step: StepCommit) -> None:
        await self._do("commit_step", snapshot.lease, step)
        self._note_ticket(snapshot, step)
