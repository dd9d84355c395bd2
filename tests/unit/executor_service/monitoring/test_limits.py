"""How much of the monitor one session may use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.monitoring.limits import MonitorLimits, RunningAnalyses
from heartrule.domain.keys import SessionKey
from session_store.records import MonitorTicket, MonitorWork
from tests.support.store_builders import judged, ticket

WORK = MonitorWork(
    ticket=ticket(1),
    attempt=1,
    script_id="s",
    script_version="v1",
    phase_id="p1",
    topic_id="t1",
    turn_id="turn_2",
    max_rounds=3,
    result=judged(1),
    trend=(),
    dialogue=(),
    traceparent="",
    stale=False,
)


@pytest.mark.parametrize(
    ("budget", "spent", "refusal"),
    [(0, 10**6, ""), (100, 99, ""), (100, 100, "TOKEN_BUDGET_SPENT")],
)
def test_a_spent_budget_ends_the_analyses(budget: int, spent: int, refusal: str) -> None:
    """0 allows any number; a budget is a limit for the next analysis, not for the last."""
    running = RunningAnalyses(MonitorLimits(token_budget=budget))
    assert running.refusal(replace(WORK, tokens_spent=spent)) == refusal


def test_a_session_has_so_many_analyses_at_once() -> None:
    """Another session's are not counted, and an ended one makes room."""
    running = RunningAnalyses(MonitorLimits(concurrency=1))
    other = MonitorTicket(key=SessionKey("t", "s2"), action_instance_id="ai_1", round=1)
    with running.one(WORK.ticket.key):
        assert running.refusal(WORK) == "TOO_MANY_ANALYSES"
        assert running.refusal(replace(WORK, ticket=other)) == ""
    assert running.refusal(WORK) == ""
