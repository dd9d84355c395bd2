"""Means, differences and their intervals."""

from __future__ import annotations

from random import Random

import pytest

from heartrule_cli.ablation.intervals import estimate, t_quantile


@pytest.mark.parametrize(
    ("df", "expected"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (30, 2.0423), (1e6, 1.96)],
)
def test_quantiles_are_those_of_the_tables(df: float, expected: float) -> None:
    """Student's t at 95 %, two-sided."""
    assert t_quantile(df) == pytest.approx(expected, abs=1e-4)


def test_conversations_are_compared_with_themselves() -> None:
    """Means of repeats are subtracted within a conversation, then averaged: textbook paired t."""
    talks = [[(1.0, [3.0, 5.0]), (-1.0, [6.0])], [(1.0, [9.0]), (-1.0, [10.0])]]
    found = estimate(talks)
    assert found.mean == -1.5
    assert found.low == pytest.approx(-1.5 - 12.7062 * 0.5, abs=1e-3)
    assert found.high == pytest.approx(-1.5 + 12.7062 * 0.5, abs=1e-3)


def test_one_conversation_is_compared_by_its_runs() -> None:
    """Welch: 1 and 3 against 2 and 6 differ by -2; variances 2 and 8 over two runs each."""
    found = estimate([[(1.0, [1.0, 3.0]), (-1.0, [2.0, 6.0])]])
    half = t_quantile(25 / 17) * 5**0.5
    assert found.mean == -2
    assert found.low == pytest.approx(-2 - half)
    assert found.high == pytest.approx(-2 + half)


def test_one_run_has_no_interval() -> None:
    """A single pair says nothing about the next one."""
    found = estimate([[(1.0, [1.0]), (-1.0, [2.0])]])
    assert (found.mean, found.low, found.high, found.same) == (-1, None, None, False)


@pytest.mark.parametrize("count", [1, 3])
def test_no_spread_is_said_to_be_none(count: int) -> None:
    """Where every unit differs alike there is nothing to estimate a spread from."""
    runs = [(1.0, [2.0, 2.0]), (-1.0, [2.0, 2.0])]
    found = estimate([runs] * count)
    assert (found.mean, found.same, found.is_zero) == (0, True, True)


@pytest.mark.parametrize(("talks", "runs"), [(8, 3), (1, 6)])
def test_intervals_cover_as_often_as_they_say(talks: int, runs: int) -> None:
    """Of 200 studies of normal figures with a known difference, 95 % contain it."""
    random, hits = Random(7), 0
    for _ in range(200):
        study = []
        for _ in range(talks):
            level = random.gauss(10, 3)
            ours = [random.gauss(level + 2, 1) for _ in range(runs)]
            base = [random.gauss(level, 2) for _ in range(runs)]
            study.append([(1.0, ours), (-1.0, base)])
        found = estimate(study)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 2 <= found.high
    assert hits / 200 == pytest.approx(0.95, abs=0.03)
