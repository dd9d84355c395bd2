"""What the row about threads makes of the runs that it finds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import RunState
from session_store.records.kept_runs import KeptRun
from tests.benchmarks.rows.threads import most_at_once, places_too_early

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def ran(age: int, priority: int, begun: float, ended: float) -> KeptRun:
    """Return a run by its age in the queue, and when it ran, in seconds behind noon."""
    return KeptRun(
        key=SessionKey("t", "s"),
        run_id=f"run_{age}",
        workflow_id="",
        revision=0,
        state=RunState.COMPLETED,
        priority=priority,
        sequence=age,
        begin_time=NOON + timedelta(seconds=begun),
        end_time=NOON + timedelta(seconds=ended),
    )


def test_who_began_before_a_more_urgent_one_began_too_early() -> None:
    """Urgent ones come first, of equal ones the older."""
    kept = [ran(1, 0, 3, 4), ran(2, 9, 1, 2), ran(3, 0, 5, 6)]
    assert places_too_early(kept) == 0
    assert places_too_early([*kept, ran(4, 9, 7, 8)]) == 1
    assert places_too_early([ran(1, 0, 1, 2), *(ran(n, 9, n, n + 1) for n in (2, 3))]) == 2


def test_runs_at_once_are_those_whose_times_overlap() -> None:
    """One that begins as another ends is not beside it."""
    assert most_at_once([ran(1, 0, 1, 2), ran(2, 0, 2, 3)]) == 1
    assert most_at_once([ran(1, 0, 1, 3), ran(2, 0, 2, 4), ran(3, 0, 2.5, 2.8)]) == 3
