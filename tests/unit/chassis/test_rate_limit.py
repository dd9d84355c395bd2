"""So many events of one key in a period."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from heartrule.chassis.rate_limit import RateLimit


@dataclass(slots=True)
class Clock:
    """A clock that stands until it is moved."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_whole_period_may_come_at_once_and_then_waits() -> None:
    """The wait is the share of one event."""
    limit = RateLimit(3, 60, clock=Clock())
    assert [limit.take("a") for _ in range(4)] == [0, 0, 0, 20]


def test_who_waited_as_told_is_let_through() -> None:
    """And a refusal costs nothing more."""
    clock = Clock()
    limit = RateLimit(3, 60, clock=clock)
    waits = [limit.take("a") for _ in range(9)]
    clock.now += waits[-1]
    assert limit.take("a") == 0


@given(st.floats(0, 1e9))
def test_the_first_event_never_waits(now: float) -> None:
    """Whatever the clock says: a period added and taken away again leaves no wait."""
    assert RateLimit(1, 3_600, clock=Clock(now)).take("a") == 0


def test_keys_do_not_share() -> None:
    """One caller's events are not another's."""
    limit = RateLimit(1, 60, clock=Clock())
    assert (limit.take("a"), limit.take("b"), limit.take("a")) == (0, 0, 60)


def test_zero_is_any_number() -> None:
    """And nothing is kept."""
    limit = RateLimit(0, 60, clock=Clock())
    assert {limit.take("a") for _ in range(1_000)} == {0.0}


def test_its_memory_is_bounded() -> None:
    """A stranger with many addresses fills no memory, and who came last is still counted."""
    limit = RateLimit(1, 60, clock=Clock(), most_keys=100)
    for number in range(10_000):
        limit.take(number)
    assert len(limit._free_at) <= 100
    assert limit.take(9_999) == 60


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 5))
def test_no_two_periods_have_more_than_twice_as_many(pauses: list[float], most: int) -> None:
    """A burst at the end of a period and one event a share after it are the most there can be."""
    clock = Clock()
    limit = RateLimit(most, 60, clock=clock)
    let_through = []
    for pause in pauses:
        clock.now += pause
        if not limit.take("a"):
            let_through.append(clock.now)
    for begin in let_through:
        assert sum(begin <= at < begin + 60 for at in let_through) <= 2 * most
