"""Which run workers take first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from executor_service.workflows.engine.run_queue import priority_number
from heartrule.domain.keys import SessionKey
from session_store.records.kept_runs import QueuedRun

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def run(priority: int = 5, *, later_s: float = 0) -> QueuedRun:
    """Return a run that was created at noon, or later."""
    created = NOON + timedelta(seconds=later_s)
    key = SessionKey("t", "s1")
    return QueuedRun(key=key, run_id="run_1", priority=priority, create_time=created)


def test_urgent_runs_come_first_and_equal_ones_by_age() -> None:
    """The smallest number is taken first."""
    wanted = [run(10), run(5), run(5, later_s=1), run(0)]
    numbers = [priority_number(each) for each in wanted]
    assert numbers == sorted(set(numbers))


def test_who_waits_a_minute_has_risen_by_one() -> None:
    """So no run waits for ever behind urgent ones."""
    assert priority_number(run(4)) == priority_number(run(5, later_s=60))
    assert priority_number(run(4)) < priority_number(run(5, later_s=61))
