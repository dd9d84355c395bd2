"""Goals are judged by their figures, and what was not measured says why."""

from __future__ import annotations

import orjson
import pytest

from tests.benchmarks import workload
from tests.benchmarks.figures import Spread
from tests.benchmarks.goals import (
    Goal,
    Row,
    at_least,
    at_most,
    goals_table,
    no_limit,
    unmeasured,
)
from tests.benchmarks.prefixes import BLOCK, PrefixCache
from tests.benchmarks.rows.streams import delays_ms

SPREAD = Spread(2.0, 1.5, 2.5)


@pytest.mark.parametrize(
    ("limit", "least", "verdict"),
    [(2.0, False, "reached"), (1.3, False, "missed by 0.70"), (5.0, True, "missed by 3.00")],
)
def test_a_goal_is_reached_or_missed_by_so_much(limit: float, verdict: str, *, least: bool) -> None:
    """The median of the blocks is judged; the spread stands beside it."""
    make = at_least if least else at_most
    assert make("ratio", limit, SPREAD).verdict == verdict


def test_what_was_not_measured_says_why() -> None:
    """No figure is no success, and nothing is left out in silence."""
    goal = unmeasured("ratio", 1.0, "PostgreSQL is not installed")
    assert goal.reached is None
    row = Row(title="a row", goals=[goal, at_most("other", 1.0, 0.5)])
    assert "not measured: PostgreSQL is not installed" in goals_table([row])


@pytest.mark.parametrize("goal", [no_limit("bytes", 3.0), unmeasured("ratio", 1.0, "no peer")])
def test_what_has_no_figure_or_no_limit_takes_no_share(goal: Goal) -> None:
    """A bar needs both, so that the drawing leaves the goal out."""
    assert goal.share is None


@pytest.mark.parametrize(
    ("goal", "share"), [(at_most("ratio", 4.0, SPREAD), 0.5), (at_least("ratio", 1.0, SPREAD), 0.5)]
)
def test_a_shorter_bar_is_better(goal: Goal, share: float) -> None:
    """The figure over its limit, or the limit over a figure that must be at least as large."""
    assert goal.share == share


def test_a_goal_without_a_figure_keeps_its_sign() -> None:
    """What must be at least its limit says so, measured or not."""
    goal = unmeasured("turns per second", 5.0, "no peer", at_least=True)
    assert "≥ 5.00" in goals_table([Row(title="a row", goals=[goal])])


def test_a_prefix_cache_serves_whole_blocks_from_the_head_alone() -> None:
    """What stands behind the first difference is sent anew, though it was seen before."""
    cache = PrefixCache()

    def see(*texts: str) -> None:
        cache.see(orjson.dumps({"messages": [{"role": "u", "content": text} for text in texts]}))

    see("a" * 2 * BLOCK, "b" * 2 * BLOCK)
    see("a" * 2 * BLOCK, "c" * 2 * BLOCK)
    see("c" * 2 * BLOCK, "b" * 2 * BLOCK)
    served = cache.served()
    assert (served.prompts, served.served_bytes) == (3, 2 * BLOCK)


def test_a_delta_is_as_late_as_its_oldest_token() -> None:
    """What a delta joins has waited since its first token was written."""
    mark = "0000000a"
    pieces = workload.tokens(workload.reply(mark))
    first = workload.first_visible(pieces)
    written = [float(number) for number in range(len(pieces))]
    two = len(pieces[first]) + len(pieces[first + 1])
    turn = {"mark": mark, "deltas": [(two, first + 1.5)]}
    assert list(delays_ms([turn], [{"mark": mark, "written": written}])) == [1500.0]
