"""What a run stands on, as tests write it: a clock, nodes, and a store whose process may die."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from heartrule.domain.errors import StoreUnavailable
from heartrule.domain.runs import NodeFailure, NodeRecord
from heartrule.domain.workflows import NodeType
from session_store.sql.store import SqlStore

T = TypeVar("T")
_LONGEST_AT_ONCE, _LONGEST_DELAY = 5.0, 60.0
_CURRENT: ContextVar[NodeRecord] = ContextVar("current attempt")
_WRITES = frozenset(
    (
        *("take_run", "begin_node", "end_node", "decide_recovery", "pause_run", "finish_run"),
        *("checkpoint", "finish_thread", "admit_runs"),
    )
)
AWAY = "the words of a client who waits"
"""The text of the error of a store that is away."""


class RunClockOnDemand:
    """A clock of which sleeps of up to five seconds pass at once, unless it is held."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._held = False
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._noted = asyncio.Condition()
        self.slept: list[float] = []

    def now(self) -> float:
        return self._now

    def hold(self) -> None:
        """Let time pass by `move` alone."""
        self._held = True

    def pass_by(self, seconds: float) -> None:
        """Let time pass without waking anybody."""
        self._now += seconds

    def move(self, seconds: float) -> None:
        """Let time pass, and wake whose time has come."""
        self._now += seconds
        for due, sleeper in self._sleepers:
            if due <= self._now and not sleeper.done():
                sleeper.set_result(None)

    async def somebody_sleeps(self, seconds: float, *, times: int = 1) -> None:
        """Return once so many have begun to sleep for so long."""
        async with self._noted:
            await self._noted.wait_for(lambda: self.slept.count(seconds) >= times)

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        due = self._now + seconds
        if seconds <= _LONGEST_DELAY:
            async with self._noted:
                self.slept.append(seconds)
                self._noted.notify_all()
        if self._held or seconds > _LONGEST_AT_ONCE:
            sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._sleepers.append((due, sleeper))
            await sleeper
        await asyncio.sleep(0)
        self._now = max(self._now, due)


@dataclass(frozen=True, slots=True)
class Ran:
    """An attempt that a node made."""

    path: str
    attempt: int
    key: str
    timeout_s: float
    inputs: Mapping[str, Any]


@dataclass
class WrittenNodes:
    """Nodes that do what a test wrote; what ran and how many at once is kept."""

    does: Callable[[NodeRecord, NodeCall], Any] = lambda record, _: {"n": record.path}
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    """By path: an attempt waits until its gate is open."""
    ran: list[Ran] = field(default_factory=list)
    running: set[str] = field(default_factory=set)
    most_at_once: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, node_type: NodeType, call: NodeCall) -> NodeResult:
        record = _CURRENT.get()
        self.ran.append(Ran(record.path, record.attempt, call.key, call.timeout_s, call.inputs))
        self.running.add(record.path)
        self.most_at_once = max(self.most_at_once, len(self.running))
        self.begun.set()
        try:
            if gate := self.gates.get(record.path):
                await gate.wait()
            await asyncio.sleep(0)
            given = self.does(record, call)
            if isinstance(given, NodeFailure):
                raise NodeFailed(given)
            return given if isinstance(given, NodeResult) else NodeResult(output=given)
        finally:
            self.running.discard(record.path)

    @property
    def paths(self) -> list[str]:
        """Return the paths of attempts in the order in which they ran."""
        return [each.path for each in self.ran]


class DyingStore:
    """The store as one process sees it, which may die before or after one of its commits.

    A write that is `away` is refused once.
    """

    def __init__(
        self,
        store: SqlStore,
        *,
        dies_at: int = 0,
        is_written: bool = True,
        away: Iterable[str] = (),
    ) -> None:
        self._store, self._left, self._is_written = store, dies_at, is_written
        self._away = list(away)
        self.dead = asyncio.Event()
        self.writes: list[str] = []

    def refuse(self, name: str) -> None:
        """Refuse the next write of this name."""
        self._away.append(name)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        return self._written(name, method) if name in _WRITES else method

    def _written(self, name: str, method: Callable[..., Awaitable[T]]) -> Callable[..., Any]:
        async def write(*args: Any, **kwargs: Any) -> T:
            if self.dead.is_set():
                await _forever()
            if name in self._away:
                self._away.remove(name)
                raise StoreUnavailable(AWAY, reason="STORE_UNAVAILABLE")
            self._left -= 1
            dies = self._left == 0
            if dies and not self._is_written:
                await self._die()
            done = await method(*args, **kwargs)
            self.writes.append(name)
            if dies:
                await self._die()
            if name == "begin_node":
                _CURRENT.set(args[1].record)
            return done

        return write

    async def _die(self) -> None:
        self.dead.set()
        await _forever()


async def _forever() -> None:
    await asyncio.get_running_loop().create_future()
