"""What became of strategies, from the rounds of sessions as rows of words; pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.figures import ProgressCount, StrategyFigures
from heartrule.domain.monitoring import StrategySuggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRound:
    """A round of an action in which something was judged; in the order of the session."""

    session_id: str
    action_instance_id: str
    turn_id: str
    sequence: int
    progress: str
    """The model's hint; empty: no model was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedStrategy:
    """A strategy that a prompt of a turn held."""

    session_id: str
    action_instance_id: str
    turn_id: str
    sequence: int
    suggestion: str = ""
    recommended: bool = False


_Name: TypeAlias = "tuple[str, str]"


@dataclass(slots=True)
class _Told:
    used: int = 0
    before: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)


def strategy_figures(
    rounds: Iterable[JudgedRound], used: Iterable[UsedStrategy]
) -> tuple[StrategyFigures, ...]:
    """Return for each strategy how the round that used it was judged, and the one after it.

    What is said in a round is written after that round was judged, so that the next one shows what
    the client did with it.
    """
    of_instance: Mapping[_Name, list[JudgedRound]] = defaultdict(list)
    for judged in rounds:
        of_instance[judged.session_id, judged.action_instance_id].append(judged)
    told: Mapping[tuple[bool, str], _Told] = defaultdict(_Told)
    for each in used:
        own = of_instance[each.session_id, each.action_instance_id]
        before = [one for one in own if one.turn_id == each.turn_id]
        if not (before or each.recommended):
            continue  # its turn was taken back, or nothing was judged in it
        figures = told[each.recommended, each.suggestion]
        figures.used += 1
        figures.before.update(_hints(before[:1]))
        figures.after.update(_hints(_next(own, each)))
    return tuple(
        StrategyFigures(
            suggestion=StrategySuggestion(suggestion) if suggestion else None,
            recommended=recommended,
            used=figures.used,
            before=_counts(figures.before),
            after=_counts(figures.after),
        )
        for (recommended, suggestion), figures in sorted(told.items())
    )


def _next(rounds: Iterable[JudgedRound], used: UsedStrategy) -> list[JudgedRound]:
    """Return the first round of a later turn; none where there is none."""
    later = (
        each for each in rounds if each.sequence > used.sequence and each.turn_id != used.turn_id
    )
    return list(islice(later, 1))


def _hints(rounds: Iterable[JudgedRound]) -> list[str]:
    return [each.progress for each in rounds if each.progress]


def _counts(found: Counter[str]) -> tuple[ProgressCount, ...]:
    return tuple(
        ProgressCount(progress_suggestion=each, count=found[each.value])
        for each in ProgressSuggestion
        if found[each.value]
    )
