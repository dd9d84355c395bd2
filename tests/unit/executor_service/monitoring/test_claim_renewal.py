"""Claims are renewed while the work on them lasts: a slow analysis runs once, and is kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from executor_service.hub import SessionHub
from executor_service.monitoring.claim_renewal import renewed
from executor_service.monitoring.dispatcher import AnalysisDispatcher
from executor_service.monitoring.planning import DispatcherDeps
from heartrule.domain.errors import StoreUnavailable
from heartrule.domain.monitoring import AnalysisOutcome
from heartrule.domain.orchestration import OrchestrationAnswer
from session_store.records import MonitorTicket, Page
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.engine_builders import ask, phase, script_of, topic
from tests.support.fake_monitor import SILENT, FakeMonitor, asks_for_a_plan
from tests.support.store_builders import claimed, judged_turn, opened, ticket
from tests.support.turn_builders import OneScript

TTL = timedelta(milliseconds=30)
SCRIPT = script_of(phase(topic(ask("a1"), topic_id="t1", edit_budget=3)))


class Watched(SqlStore):
    """A store that counts renewals, and may fail after each."""

    def __init__(self, clock: ManualClock, *, fails: bool = False) -> None:
        super().__init__(MemoryEngine(clock))
        self.renewals: asyncio.Queue[bool] = asyncio.Queue()
        self.fails = fails

    async def renew_claim(self, ticket: MonitorTicket, *, owner: str, ttl: timedelta) -> bool:
        """Renew, or fail."""
        held = await super().renew_claim(ticket, owner=owner, ttl=ttl)
        self.renewals.put_nowait(held)
        if self.fails:
            raise StoreUnavailable("away", reason="STORE_UNAVAILABLE")
        return held


def process(store: Watched, monitor: FakeMonitor, owner: str) -> AnalysisDispatcher:
    """Return the dispatcher of one process."""
    deps = DispatcherDeps(
        store=store,
        hub=SessionHub(),
        scripts=OneScript(SCRIPT),
        monitor=monitor,
        owner=owner,
        claim_ttl=TTL,
        planning=True,
    )
    return AnalysisDispatcher(deps)


@pytest.mark.parametrize("planned", [False, True])
async def test_a_slow_monitor_is_asked_once_and_its_answer_kept(*, planned: bool) -> None:
    """However long analysis and plan take, no other process takes them up, and both are kept."""
    clock, answer = ManualClock(), asks_for_a_plan() if planned else SILENT
    store = Watched(clock)
    key = await opened(store)
    await judged_turn(store, key)
    slow = FakeMonitor([answer], gate=asyncio.Event(), plans=[OrchestrationAnswer()])
    working, other = process(store, slow, "me"), process(store, FakeMonitor(), "you")
    working.hand_over(ticket())
    for _ in range(4):
        assert await store.renewals.get()
        clock.move(TTL * 2 / 3)
        await other.sweep()
        await other.background.idle()
    assert slow.gate is not None
    slow.gate.set()
    await working.background.idle()
    (entry,), _ = await store.list_feedback(key, Page())
    assert entry.result is AnalysisOutcome.NO_ADVICE
    assert (len(slow.reports), len(slow.asked_plans)) == (1, int(planned))


async def test_a_late_claim_is_renewed_before_the_work() -> None:
    """Work handed over late is left to the process that took it up meanwhile."""
    clock, monitor = ManualClock(), FakeMonitor()
    store = Watched(clock)
    await judged_turn(store, await opened(store))
    work = replace(await claimed(store, ttl=TTL), late=True)
    clock.move(TTL + A_MOMENT)
    assert await store.claim_monitor_request(ticket(), owner="you", ttl=TTL) is not None
    one = process(store, monitor, "me")
    one.hand_over(work)
    await one.background.idle()
    assert monitor.reports == []


async def test_a_store_that_is_away_costs_no_claim() -> None:
    """A renewal that fails is tried again, and ends with the work."""
    store = Watched(ManualClock(), fails=True)
    await judged_turn(store, await opened(store))
    await claimed(store, ttl=TTL)
    async with renewed(store, ticket(), owner="me", ttl=TTL):
        assert [await store.renewals.get() for _ in range(2)] == [True, True]
