"""Committed rounds handed to the monitor, and what comes of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from executor_service.hub import SessionHub
from executor_service.monitoring.dispatcher import AnalysisDispatcher
from executor_service.monitoring.limits import MonitorLimits
from executor_service.monitoring.planning import DispatcherDeps
from heartrule.domain.errors import HeartRuleError, ModelUnavailable, NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import (
    AnalysisAnswer,
    AnalysisOutcome,
    InterventionLevel,
    MonitorAnalysis,
    Severity,
)
from session_store.records import AnalysisRecord, MonitorTicket, MonitorWork
from session_store.sql.store import SqlStore
from tests.support.event_builders import durable
from tests.support.fake_monitor import SILENT, FakeMonitor, advises
from tests.support.store_builders import call, judged
from tests.support.turn_builders import OneScript

KEY = SessionKey("default", "ses_1")
TICKET = MonitorTicket(key=KEY, action_instance_id="act_1", round=1)
WORK = MonitorWork(
    ticket=TICKET,
    attempt=1,
    script_id="s",
    script_version="v1",
    phase_id="p1",
    topic_id="t1",
    turn_id="turn_2",
    max_rounds=3,
    result=judged(1, action_id="ask"),
    trend=(),
    dialogue=(),
    traceparent="",
    stale=False,
)
BUSY = ModelUnavailable("busy", reason="MONITOR_UNAVAILABLE")
REFUSED = HeartRuleError("no", reason="MONITOR_REFUSED")


@dataclass
class Requests(SqlStore):
    """A store of one request; it keeps how it ended."""

    work: MonitorWork | None = WORK
    due: tuple[MonitorTicket, ...] = ()
    finished: list[AnalysisRecord] = field(default_factory=list)
    claims: int = 0
    told: asyncio.Event = field(default_factory=asyncio.Event)

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Give the request."""
        self.claims += 1
        return self.work

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return what lies about."""
        return self.due

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Keep how it ended."""
        self.finished.append(record)
        self.told.set()
        return (durable(1),)


def dispatcher(requests: Requests, monitor: FakeMonitor, **changes: Any) -> AnalysisDispatcher:
    """Return a dispatcher over one request."""
    plain = {"hub": SessionHub(), "scripts": OneScript(), **changes}
    return AnalysisDispatcher(DispatcherDeps(store=requests, monitor=monitor, owner="me", **plain))


async def ended(
    *answers: AnalysisAnswer | HeartRuleError, work: MonitorWork | None = WORK, **changes: Any
) -> AnalysisRecord:
    """Hand one round over and return how its analysis ended."""
    requests = Requests(work=work)
    one = dispatcher(requests, FakeMonitor(list(answers)), **changes)
    one.hand_over(TICKET)
    await one.background.idle()
    (record,) = requests.finished
    return record


async def test_feedback_becomes_an_advice() -> None:
    """It names action, instance and round, and holds the block as the monitor made it."""
    record = await ended(advises("【Topic层策略建议】慢一点"))
    assert record.outcome is AnalysisOutcome.ADVICE
    assert record.advice is not None
    assert record.advice.feedback_text == "【Topic层策略建议】慢一点"
    assert (record.advice.action_id, record.advice.action_instance_id) == ("ask", "act_1")
    assert (record.advice.about_round, record.advice.severity) == (1, Severity.CONCERN)


async def test_the_judged_turn_is_named() -> None:
    """Where another turn has taken its place meanwhile, the store writes nothing."""
    for answer in (SILENT, advises("慢一点"), ModelUnavailable("down", reason="MODEL_TIMEOUT")):
        assert (await ended(answer)).judged_turn_id == WORK.turn_id


async def test_an_analysis_without_feedback_makes_no_advice() -> None:
    """It is recorded, and nothing enters a prompt (C11)."""
    record = await ended(SILENT)
    assert (record.outcome, record.advice) == (AnalysisOutcome.NO_ADVICE, None)
    assert record.analysis == MonitorAnalysis()


async def test_an_analysis_that_wants_orchestration_is_urgent() -> None:
    """The severity is the analysis's own (C10)."""
    analysis = MonitorAnalysis(intervention_level=InterventionLevel.TOPIC_ORCHESTRATION)
    record = await ended(AnalysisAnswer(analysis=analysis, feedback_text="先安抚"))
    assert record.advice is not None
    assert record.advice.severity is Severity.URGENT


async def test_a_reply_the_monitor_could_not_read_is_recorded_as_failed() -> None:
    """Empty feedback, its reason and its call, and no second try: the model did answer."""
    answer = AnalysisAnswer(analysis=MonitorAnalysis(), parse_failed=True, calls=(call("c1"),))
    record = await ended(answer)
    assert (record.outcome, record.reason) == (AnalysisOutcome.FAILED, "UNREADABLE_REPLY")
    assert (record.retry_after, [one.call_id for one in record.calls]) == (None, ["c1"])


@pytest.mark.parametrize(("attempt", "sweeps"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (99, 10)])
async def test_a_monitor_that_is_away_owes_the_analysis(attempt: int, sweeps: int) -> None:
    """It is repeated after pauses that grow, so that a long outage makes no storm."""
    every = timedelta(seconds=30)
    limits = MonitorLimits(sweep_every=every)
    record = await ended(BUSY, work=replace(WORK, attempt=attempt), limits=limits)
    assert (record.reason, record.retry_after) == (BUSY.reason, every * sweeps)


async def test_a_refusal_is_not_repeated() -> None:
    """It would be refused again."""
    record = await ended(REFUSED)
    assert (record.outcome, record.reason) == (AnalysisOutcome.FAILED, REFUSED.reason)
    assert record.retry_after is None


async def test_a_repeat_that_nothing_can_use_is_dropped() -> None:
    """The action has ended, and no plan edit can come of the round (C13)."""
    requests, monitor = Requests(work=replace(WORK, attempt=2, usable=False)), FakeMonitor()
    one = dispatcher(requests, monitor)
    one.hand_over(TICKET)
    await one.background.idle()
    assert [record.reason for record in requests.finished] == ["ACTION_ENDED"]
    assert monitor.reports == []


async def test_a_model_that_failed_at_the_monitor_leaves_its_calls() -> None:
    """The ledger is the executor's: failed calls travel back and a second try may help."""
    answer = AnalysisAnswer(
        analysis=MonitorAnalysis(), failure="MODEL_UNAVAILABLE", calls=(call("c1"),)
    )
    record = await ended(answer)
    assert (record.reason, record.retry_after is None) == ("MODEL_UNAVAILABLE", False)
    assert [one.call_id for one in record.calls] == ["c1"]


async def test_a_round_the_session_has_left_behind_is_dropped() -> None:
    """Nobody is asked about what no prompt can use any more."""
    requests, monitor = Requests(work=replace(WORK, stale=True)), FakeMonitor()
    one = dispatcher(requests, monitor)
    one.hand_over(TICKET)
    await one.background.idle()
    assert [record.reason for record in requests.finished] == ["SESSION_WENT_ON"]
    assert monitor.reports == []


async def test_a_request_somebody_else_has_is_left_alone() -> None:
    """No claim, no work."""
    requests, monitor = Requests(work=None), FakeMonitor()
    one = dispatcher(requests, monitor)
    one.hand_over(TICKET)
    await one.background.idle()
    assert (requests.finished, monitor.reports) == ([], [])


async def test_a_request_whose_attempts_died_is_ended_without_another() -> None:
    """Nobody waits for ever for an AnalysisEnded: the sweep tells that it was dropped."""
    requests = Requests(due=(replace(TICKET, exhausted=True),))
    one = dispatcher(requests, FakeMonitor())
    await one.sweep()
    await one.background.idle()
    assert [record.outcome for record in requests.finished] == [AnalysisOutcome.DROPPED]
    assert requests.claims == 0


async def test_the_sweep_takes_up_what_lies_about() -> None:
    """What a dead process left is analysed as if it were handed over."""
    requests = Requests(due=(TICKET,))
    one = dispatcher(requests, FakeMonitor([advises("慢一点")]))
    await one.sweep()
    await one.background.idle()
    assert [record.outcome for record in requests.finished] == [AnalysisOutcome.ADVICE]


async def test_a_script_that_is_gone_ends_the_analysis() -> None:
    """Without its script a round cannot be told to the monitor; no second try helps."""
    record = await ended(scripts=OneScript(NotFound("script", "gone")))
    assert (record.reason, record.retry_after) == ("SCRIPT_NOT_FOUND", None)


async def test_handing_over_returns_at_once() -> None:
    """A monitor that is held open holds nobody."""
    requests, monitor = Requests(), FakeMonitor(gate=asyncio.Event())
    one = dispatcher(requests, monitor)
    one.hand_over(TICKET)
    assert requests.finished == []
    assert monitor.gate is not None
    monitor.gate.set()
    await one.background.idle()
    assert len(requests.finished) == 1


async def test_watchers_hear_how_it_ended() -> None:
    """The events of the analysis are published."""
    hub = SessionHub()
    watcher = hub.subscribe(KEY)
    await ended(SILENT, hub=hub)
    assert watcher.take() == durable(1)


async def test_an_unforeseen_error_touches_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged; the claim runs out, and the sweep tries again."""

    class Broken(FakeMonitor):
        async def analyze(self, *_: object, **__: object) -> AnalysisAnswer:
            raise ZeroDivisionError

    requests = Requests()
    one = dispatcher(requests, Broken())
    one.hand_over(TICKET)
    await one.background.idle()
    assert requests.finished == []
    assert any(record.exc_info for record in caplog.records)


async def test_a_drained_desk_takes_nothing_more() -> None:
    """What is handed over afterwards waits for the next process."""
    requests = Requests()
    one = dispatcher(requests, FakeMonitor())
    await one.background.drain(1)
    one.hand_over(TICKET)
    assert requests.claims == 0


async def test_more_analyses_at_once_than_may_be_are_skipped() -> None:
    """Another session's are not counted, and an ended one makes room."""
    requests, monitor = Requests(), FakeMonitor(gate=asyncio.Event())
    one = dispatcher(requests, monitor, limits=MonitorLimits(concurrency=1))
    one.hand_over(TICKET)
    await monitor.was_asked_about({("act_1", 1)})
    one.hand_over(TICKET)
    await requests.told.wait()
    assert [record.reason for record in requests.finished] == ["TOO_MANY_ANALYSES"]
    assert monitor.gate is not None
    monitor.gate.set()
    await one.background.idle()
    one.hand_over(TICKET)
    await one.background.idle()
    told = [record.outcome for record in requests.finished[1:]]
    assert told == [AnalysisOutcome.NO_ADVICE] * 2
