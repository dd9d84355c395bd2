"""A turn that waits, for a moment, for the advice on the round before."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from executor_service.hub import SessionHub
from executor_service.monitoring.pacing import AdviceWaiting
from heartrule.domain.errors import StoreUnavailable
from heartrule.domain.monitoring import Advice
from session_store.records import MonitorTicket, PendingAnalysis
from session_store.sql.store import SqlStore
from tests.support.event_builders import durable
from tests.support.store_builders import advice, ticket

COMING, NONE, MADE = (
    PendingAnalysis(open=True),
    PendingAnalysis(open=False),
    PendingAnalysis(open=False, advice=advice()),
)


@dataclass
class Outlooks(SqlStore):
    """A store that answers from a list; its last answer stays."""

    told: list[PendingAnalysis] = field(default_factory=list)
    looks: int = 0
    looked: tuple[asyncio.Event, ...] = field(
        default_factory=lambda: tuple(asyncio.Event() for _ in range(4))
    )

    async def look_for_advice(self, ticket: MonitorTicket) -> PendingAnalysis:
        """Give the next answer."""
        self.looked[self.looks].set()
        self.looks += 1
        return self.told.pop(0) if len(self.told) > 1 else self.told[0]


async def waited(
    store: Outlooks, *, seconds: float = 60.0, wakes: int = 0, elsewhere: bool = False
) -> Advice | None:
    """Wait while the hub tells of so many things, in this process or elsewhere."""
    hub = SessionHub()
    waiting = asyncio.create_task(AdviceWaiting(store, hub).wait(ticket(), seconds))
    for number in range(wakes):
        await store.looked[number].wait()
        if elsewhere:
            hub.changed(ticket().key)
        else:
            hub.publish(ticket().key, (durable(number + 1),))
    found = await waiting
    assert hub.watched() == 0
    return found


async def test_an_analysis_nobody_asked_for_is_not_waited_for() -> None:
    """One look, and the turn goes on."""
    store = Outlooks(told=[NONE])
    assert await waited(store) is None
    assert store.looks == 1


async def test_advice_that_is_there_is_taken_at_once() -> None:
    """It may have come between the turn's begin and its prompt."""
    assert await waited(Outlooks(told=[MADE])) == MADE.advice


async def test_the_end_of_the_analysis_ends_the_wait() -> None:
    """Whatever is told of the session makes it look again; the advice is then there."""
    for elsewhere in (False, True):
        store = Outlooks(told=[COMING, COMING, MADE])
        assert await waited(store, wakes=2, elsewhere=elsewhere) == MADE.advice


async def test_an_analysis_without_advice_ends_the_wait() -> None:
    """Nothing more is to come."""
    assert await waited(Outlooks(told=[COMING, NONE]), wakes=1) is None


async def test_nobody_waits_longer_than_was_granted() -> None:
    """The analysis is still open, and the turn goes on without it."""
    store = Outlooks(told=[COMING])
    assert await waited(store, seconds=0.001) is None


async def test_a_store_that_does_not_answer_fails_no_turn() -> None:
    """The wait is over; the turn's own commit tells of the store."""

    class Broken(Outlooks):
        async def look_for_advice(self, ticket: MonitorTicket) -> PendingAnalysis:
            raise StoreUnavailable("down", reason="STORE_UNAVAILABLE")

    assert await waited(Broken()) is None
