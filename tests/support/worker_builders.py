"""Workers over a store that a test writes: turns to begin, attempts that are counted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.turns.session_workers import RunAttempt, SessionWorkers
from executor_service.turns.stop_registry import StopRegistry
from heartrule.domain.conversation import UserInput
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput, NoTurn, TurnLater, TurnSnapshot
from session_store.sql.store import SqlStore
from tests.support.engine_builders import KEY, before_the_script, heard
from tests.support.turn_builders import SOON_S, TTL

Begun = TurnSnapshot | TurnLater | NoTurn | HeartRuleError
NOW = TurnLater(delay=timedelta(0))


@dataclass
class WrittenStore(SqlStore):
    """A store whose turns are written by the test; then it is idle."""

    begins: list[Begun] = field(default_factory=list)
    openings: list[Begun] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    work: tuple[SessionKey, ...] = ()
    lapsing: tuple[tuple[SessionKey, timedelta], ...] = ()

    async def begin_turn(
        self, key: SessionKey, *, owner: str, ttl: timedelta, takes_over: bool = False
    ) -> TurnSnapshot | TurnLater | NoTurn:
        """Give the next written turn."""
        self.asked.append("over" if takes_over else "turn")
        return _next(self.begins)  # type: ignore[return-value]

    async def begin_opening(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | NoTurn:
        """Give the next written opening."""
        self.asked.append("opening")
        return _next(self.openings)  # type: ignore[return-value]

    async def find_work(self, limit: int) -> tuple[SessionKey, ...]:
        """Return the sessions with work."""
        return self.work

    async def find_lapsing(
        self, within: timedelta, limit: int
    ) -> tuple[tuple[SessionKey, timedelta], ...]:
        """Return the sessions whose leases end soon."""
        return self.lapsing


def _next(written: list[Begun]) -> Begun:
    given = written.pop(0) if written else NoTurn.IDLE
    if isinstance(given, HeartRuleError):
        raise given
    return given


@dataclass
class Runs:
    """Attempts that are counted; each may wait for a gate, and says whether more may follow."""

    more: list[bool] = field(default_factory=list)
    gate: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: int = 0
    cancelled: int = 0

    async def __call__(self, snapshot: TurnSnapshot) -> bool:
        """Run one attempt."""
        self.begun.set()
        try:
            if self.gate is not None:
                await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.ended += 1
        return self.more.pop(0) if self.more else True


def turn() -> TurnSnapshot:
    """Return a turn to run."""
    return before_the_script()


class Visited(Failpoints):
    """Failpoints that note the order in which they were visited."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.places: list[str] = []

    def hit(self, place: Failpoint) -> None:
        """Note the place."""
        self.places.append(place.value)


def workers_of(
    store: SqlStore,
    run: RunAttempt,
    *,
    hub: SessionHub | None = None,
    failpoints: Failpoints | None = None,
    reopen_after_s: float = 1.0,
) -> SessionWorkers:
    """Return the workers of a process that runs `run`."""
    return SessionWorkers(
        run,
        store=store,
        hub=hub or SessionHub(),
        stops=StopRegistry(store),
        failpoints=failpoints or Failpoints(),
        owner="me",
        ttl=TTL,
        reopen_after_s=reopen_after_s,
        take_over_after_s=0.0,
    )


async def worked(store: WrittenStore, runs: Runs, *, opening: bool = False) -> SessionWorkers:
    """Wake the worker of one session and return when nothing is left to do."""
    workers = workers_of(store, runs)
    workers.wake(KEY, opening=opening)
    await settled(workers)
    return workers


async def settled(workers: SessionWorkers) -> None:
    """Return when no worker runs."""
    async with asyncio.timeout(SOON_S):
        await workers.idle()


@dataclass
class AcceptingStore(WrittenStore):
    """A written store that also takes inputs; `gate` holds back those that begin a turn."""

    gate: asyncio.Event | None = None
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    repeated: bool = False
    """Whether what begins a turn was said before."""

    async def accept_input(
        self,
        key: SessionKey,
        user_input: UserInput,
        *,
        urgent: bool = False,
        answers: bool = False,
        measured: bool = True,
    ) -> AcceptedInput:
        """Take an input that waits."""
        self.asked.append("input")
        return taken(user_input)

    async def accept_and_begin(
        self,
        key: SessionKey,
        user_input: UserInput,
        *,
        owner: str,
        ttl: timedelta,
        urgent: bool = False,
    ) -> tuple[AcceptedInput, TurnSnapshot | TurnLater | NoTurn]:
        """Take an input and give the next written turn."""
        self.asked.append("both")
        self.arrived.set()
        if self.gate is not None:
            await self.gate.wait()
        accepted = replace(taken(user_input), duplicate=self.repeated)
        return accepted, _next(self.begins)  # type: ignore[return-value]


def taken(user_input: UserInput) -> AcceptedInput:
    """Return what a store answers to a new input."""
    message = heard("hello", user_input.client_message_id)
    return AcceptedInput(duplicate=False, message=message, sequence=1, turn_id="", turn_state=None)
