"""Which leases were taken before their time, on events written by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.chaos.faults.clock import Begun, taken_early

AT = datetime(2026, 11, 23, tzinfo=UTC)


def begun(attempt: int, seconds: float, lost: str = "") -> Begun:
    return Begun("t", attempt, AT + timedelta(seconds=seconds), lost)


def test_a_lease_that_was_live_is_reported() -> None:
    """As a replica would that goes by a clock a day ahead."""
    rows = (begun(1, 0.0), begun(2, 1.2, "ATTEMPT_LOST"))
    assert taken_early(rows, lease_s=4.0) == ["attempt 2 of t began after 1.20 s"]


def test_a_lease_that_ran_out_may_be_taken() -> None:
    """Its holder lives, and was silent for too long on a machine that is busy."""
    assert not taken_early((begun(1, 0.0), begun(2, 4.1, "ATTEMPT_LOST")), lease_s=4.0)


def test_an_urgent_input_may_take_a_live_lease() -> None:
    """The store says so: nobody in danger waits for the end of a lease."""
    assert not taken_early((begun(1, 0.0), begun(2, 1.2, "TAKEN_OVER")), lease_s=4.0)


def test_a_turn_that_failed_had_no_lease() -> None:
    """It is repeated as soon as somebody asks."""
    assert not taken_early((begun(1, 0.0), begun(2, 0.2)), lease_s=4.0)
