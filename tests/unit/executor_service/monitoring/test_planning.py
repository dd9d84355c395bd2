"""Plans that analyses ask for, within the limits of the second mind (000 path 2; ADR 26)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from executor_service.hub import SessionHub
from executor_service.monitoring.dispatcher import AnalysisDispatcher
from executor_service.monitoring.limits import MonitorLimits
from executor_service.monitoring.planning import DispatcherDeps
from heartrule.domain.errors import HeartRuleError, ModelUnavailable
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import MonitorFeedbackEntry, PlanningState
from heartrule.domain.orchestration import (
    OrchestrationAction,
    OrchestrationAnswer,
    OrchestrationPlan,
    PlanEdit,
)
from session_store.open import open_in_memory
from session_store.records import Page
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.engine_builders import ask, phase, script_of, topic
from tests.support.fake_monitor import FakeMonitor, asks_for_a_plan
from tests.support.meters import counted, counting
from tests.support.store_builders import AT_ONCE, call, judged_turn, opened, ticket
from tests.support.turn_builders import OneScript

PLAN = OrchestrationPlan(action=OrchestrationAction.SKIP, target_instance="ai_2", reason="r")
DOWN = ModelUnavailable("down", reason="MONITOR_UNAVAILABLE")
REFUSED = HeartRuleError("no", reason="MONITOR_REFUSED")


def taking(edits: int = 3, topic_id: str = "t1") -> OneScript:
    """Return a library of one script whose topic takes so many edits."""
    return OneScript(script_of(phase(topic(ask("a1"), topic_id=topic_id, edit_budget=edits))))


AT_REST = MonitorLimits(sweep_every=AT_ONCE)


@dataclass
class Office:
    """A dispatcher over a store, as one process has it."""

    store: SqlStore = field(default_factory=open_in_memory)
    monitor: FakeMonitor = field(default_factory=FakeMonitor)
    shelf: OneScript = field(default_factory=taking)
    limits: MonitorLimits = AT_REST
    hub: SessionHub = field(default_factory=SessionHub)

    def dispatcher(self) -> AnalysisDispatcher:
        """Return the dispatcher of a new process."""
        deps = DispatcherDeps(
            store=self.store,
            hub=self.hub,
            scripts=self.shelf,
            monitor=self.monitor,
            owner="me",
            claim_ttl=AT_ONCE,
            limits=self.limits,
            planning=True,
        )
        return AnalysisDispatcher(deps)

    async def judge(self, dispatcher: AnalysisDispatcher) -> None:
        """Have one round analysed, and a plan made where it is asked for."""
        await judged_turn(self.store, await opened(self.store))
        dispatcher.hand_over(ticket(1))
        await dispatcher.background.idle()

    async def sweep(self, dispatcher: AnalysisDispatcher) -> None:
        """Take up what lies about."""
        await dispatcher.sweep()
        await dispatcher.background.idle()

    async def entry(self) -> MonitorFeedbackEntry:
        """Return what came of the round."""
        (found,), _ = await self.store.list_feedback(KEY, Page())
        return found

    async def edits(self) -> list[PlanEdit]:
        """Return what was proposed."""
        return (await self.store.list_plan_edits(KEY, Page()))[0]


KEY = SessionKey("t", "s1")


def office(*plans: OrchestrationAnswer | HeartRuleError, **changes: Any) -> Office:
    """Return an office whose monitor asks for a plan, and gives these."""
    return Office(monitor=FakeMonitor([asks_for_a_plan()], plans=list(plans)), **changes)


PROPOSES = OrchestrationAnswer(plan=PLAN, calls=(call("c1"),))


async def test_a_plan_is_proposed_after_its_analysis() -> None:
    """It names what caused it, and its call is in the ledger."""
    here = office(PROPOSES)
    await here.judge(here.dispatcher())
    (edit,) = await here.edits()
    assert (edit.plan, edit.cause_id) == (PLAN, "ai_1/1")
    assert edit.judged_turn_id == (await here.entry()).judged_turn_id
    assert (await here.entry()).planning is PlanningState.PROPOSED
    assert [each.call_id for each in (await here.store.list_calls(KEY, Page()))[0]] == ["c1"]


async def test_a_plan_outlives_the_process_that_owed_it() -> None:
    """It dies between the analysis and the proposal; the next one's sweep makes the plan."""

    class Dying(FakeMonitor):
        async def plan(self, *_: object, **__: object) -> OrchestrationAnswer:
            raise SystemError

    here = office()
    here.monitor = Dying([asks_for_a_plan()])
    await here.judge(here.dispatcher())
    assert (await here.edits(), (await here.entry()).planning) == ([], PlanningState.OWED)
    here.monitor = FakeMonitor(plans=[PROPOSES])
    await here.sweep(here.dispatcher())
    (edit,) = await here.edits()
    assert edit.plan == PLAN
    (report,) = here.monitor.asked_plans
    assert report.analysis.orchestration_reason == "持续抗拒"


async def test_a_plan_nobody_lives_to_make_is_given_up() -> None:
    """After two claims that died without a result."""
    here = office()
    here.store = Forgetful(MemoryEngine())
    dispatcher = here.dispatcher()
    await here.judge(dispatcher)
    for _ in range(2):
        await here.sweep(dispatcher)
    entry = await here.entry()
    assert (entry.planning, entry.planning_reason) == (PlanningState.DROPPED, "ATTEMPTS_LOST")


class Forgetful(SqlStore):
    """A store whose callers die before they can say what they asked for."""

    async def get_plan(self, key: SessionKey) -> Any:
        """Be the end of the caller."""
        raise SystemError


@pytest.mark.parametrize(
    "away", [DOWN, OrchestrationAnswer(failure="MODEL_TIMEOUT")], ids=["down", "no model"]
)
async def test_a_plan_is_owed_until_the_monitor_is_back(
    away: OrchestrationAnswer | HeartRuleError,
) -> None:
    """The sweep asks again, however often; only what comes of it is counted."""
    here = office(away, away, away, PROPOSES)
    dispatcher = here.dispatcher()
    with counting() as reader:
        await here.judge(dispatcher)
        for _ in range(3):
            await here.sweep(dispatcher)
    assert (await here.entry()).planning is PlanningState.PROPOSED
    assert len(here.monitor.asked_plans) == 4
    assert counted(reader, "heartrule.monitor.plans") == {("proposed", ""): 1}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(REFUSED, "MONITOR_REFUSED"), (OrchestrationAnswer(parse_failed=True), "UNREADABLE_REPLY")],
    ids=["refused", "unreadable"],
)
async def test_what_no_repeat_can_mend_is_not_repeated(
    answer: OrchestrationAnswer | HeartRuleError, reason: str
) -> None:
    """The entry says why there is no plan."""
    here = office(answer)
    dispatcher = here.dispatcher()
    with counting() as reader:
        await here.judge(dispatcher)
        await here.sweep(dispatcher)
    entry = await here.entry()
    assert (entry.planning, entry.planning_reason) == (PlanningState.FAILED, reason)
    assert len(here.monitor.asked_plans) == 1
    assert counted(reader, "heartrule.monitor.planning.duration") == {("failed",): 1}


async def test_no_plan_is_an_answer() -> None:
    """It is said with the analysis."""
    here = office(OrchestrationAnswer())
    await here.judge(here.dispatcher())
    assert (await here.entry()).planning is PlanningState.NO_PLAN


async def test_a_spent_budget_skips_the_plan() -> None:
    """The analysis itself may have spent it; the skip is counted and said."""
    here = office(PROPOSES, limits=MonitorLimits(token_budget=50))
    here.monitor.answers[:] = [replace(asks_for_a_plan(), calls=(call(prompt_tokens=60),))]
    with counting() as reader:
        await here.judge(here.dispatcher())
    entry = await here.entry()
    assert (entry.planning, entry.planning_reason) == (PlanningState.SKIPPED, "TOKEN_BUDGET_SPENT")
    assert here.monitor.asked_plans == []
    told = {("skipped", "TOKEN_BUDGET_SPENT"): 1}
    assert counted(reader, "heartrule.monitor.plans") == told


class Gated(FakeMonitor):
    """A monitor whose plan is held open."""

    def __init__(self) -> None:
        """Ask for a plan, and wait with it."""
        FakeMonitor.__init__(self, [asks_for_a_plan()])
        self.asked, self.gated = asyncio.Event(), asyncio.Event()

    async def plan(self, *_: object, **__: object) -> OrchestrationAnswer:
        """Tell that it was asked, then wait."""
        self.asked.set()
        await self.gated.wait()
        return OrchestrationAnswer()


async def test_a_plan_counts_among_what_runs_at_once() -> None:
    """While it is made there is no room for an analysis, where there is room for one."""
    monitor = Gated()
    here = Office(monitor=monitor, limits=MonitorLimits(concurrency=1))
    dispatcher = here.dispatcher()
    await judged_turn(here.store, await opened(here.store))
    dispatcher.hand_over(ticket(1))
    await monitor.asked.wait()
    await judged_turn(here.store, KEY, 2)
    watcher = here.hub.subscribe(KEY)
    dispatcher.hand_over(ticket(2))
    await watcher.wait()
    watcher.close()
    found, _ = await here.store.list_feedback(KEY, Page())
    assert [each.reason for each in found] == ["", "TOO_MANY_ANALYSES"]
    monitor.gated.set()
    await dispatcher.background.idle()


@pytest.mark.parametrize(
    ("shelf", "reason"), [(taking(0), "EDIT_BUDGET"), (taking(3, "t9"), "TOPIC_LEFT")]
)
async def test_a_topic_that_takes_no_edit_costs_no_call(shelf: OneScript, reason: str) -> None:
    """The reason stands with the analysis."""
    here = office(PROPOSES, shelf=shelf)
    await here.judge(here.dispatcher())
    entry = await here.entry()
    assert (entry.planning, entry.planning_reason) == (PlanningState.SKIPPED, reason)
    assert here.monitor.asked_plans == []


async def test_a_round_the_session_has_left_behind_gets_no_plan() -> None:
    """Two turns later nobody would apply it."""
    here = office(DOWN, PROPOSES)
    dispatcher = here.dispatcher()
    await here.judge(dispatcher)
    for number in (2, 3, 4):
        await judged_turn(here.store, KEY, number, monitor_requested=False)
    await here.sweep(dispatcher)
    entry = await here.entry()
    assert (entry.planning, entry.planning_reason) == (PlanningState.DROPPED, "SESSION_WENT_ON")
