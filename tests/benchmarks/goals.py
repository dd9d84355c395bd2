"""Goals, what was measured of them, and the table that says which are reached. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.benchmarks.figures import Spread

_SMALLEST = 1e-9  # divides in place of nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One figure and what it may be at most, or must be at least."""

    what: str
    limit: float | None
    """None: the figure is shown, and nothing is required of it."""
    unit: str = ""
    figure: float | None = None
    """None: it was not measured."""
    spread: str = ""
    """Lowest and highest block, where there were blocks."""
    at_least: bool = False
    reason: str = ""
    """Why it was not measured, or what must be known to read it."""

    @property
    def reached(self) -> bool | None:
        """Return whether the figure is within the limit; None without a figure or a limit."""
        if self.figure is None or self.limit is None:
            return None
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit

    @property
    def share(self) -> float | None:
        """Return how much of its limit the figure takes, 1 at the limit; None as for `reached`."""
        if self.figure is None or self.limit is None:
            return None
        over, under = self.figure, self.limit
        if self.at_least:
            over, under = under, over
        return max(over, 0.0) / max(under, _SMALLEST)

    @property
    def verdict(self) -> str:
        """Return it in words."""
        if self.figure is None:
            return f"not measured: {self.reason}"
        if self.limit is None:
            return "no limit"
        if self.reached:
            return "reached"
        return f"missed by {number(abs(self.figure - self.limit))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one row of the table measured."""

    title: str
    goals: Sequence[Goal]
    lines: Sequence[str] = ()
    """Its own table, for a terminal."""
    figures: dict[str, object] = field(default_factory=dict)
    """All of it, as JSON takes it."""


def at_most(what: str, limit: float, found: Spread | float, unit: str = "") -> Goal:
    """Return a goal with its figure."""
    return _goal(what, limit, found, unit=unit, at_least=False)


def at_least(what: str, limit: float, found: Spread | float, unit: str = "") -> Goal:
    """Return a goal that is reached from its limit on."""
    return _goal(what, limit, found, unit=unit, at_least=True)


def no_limit(what: str, found: Spread | float, unit: str = "") -> Goal:
    """Return a figure of which nothing is required."""
    return _goal(what, None, found, unit=unit, at_least=False)


def unmeasured(
    what: str, limit: float, reason: str, unit: str = "", *, at_least: bool = False
) -> Goal:
    """Return a goal without a figure."""
    return Goal(what=what, limit=limit, unit=unit, reason=reason, at_least=at_least)


def number(value: float) -> str:
    """Return a figure with three digits, or all of its whole part."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def goals_table(rows: Iterable[Row]) -> str:
    """Return the table of all goals."""
    lines = [f"{'goal':<74}{'limit':>9}{'figure':>10}  {'blocks':<19}verdict"]
    for row in rows:
        lines += ["", row.title]
        lines += [_line(goal) for goal in row.goals]
    return "\n".join(lines)


def _line(goal: Goal) -> str:
    sign = "≥" if goal.at_least else "≤"
    limit = "–" if goal.limit is None else f"{sign} {number(goal.limit)}"
    figure = "–" if goal.figure is None else number(goal.figure)
    what = f"  {goal.what}{f', {goal.unit}' if goal.unit else ''}"
    return f"{what:<74}{limit:>9}{figure:>10}  {goal.spread:<19}{goal.verdict}"


def _goal(
    what: str, limit: float | None, found: Spread | float, *, unit: str, at_least: bool
) -> Goal:
    if isinstance(found, Spread):
        spread = f"{number(found.low)} to {number(found.high)}"
        figure = found.middle
    else:
        spread, figure = "", found
    return Goal(what=what, limit=limit, unit=unit, figure=figure, spread=spread, at_least=at_least)
