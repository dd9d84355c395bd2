"""How engagement and emotion went over the last three rounds (document 000, 历史趋势)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heartrule.domain.action_result import MISSING_METRIC, UNREADABLE_METRIC, ActionMetrics
from heartrule.domain.monitoring import RoundMetrics

ROUNDS = 3
"""Rounds before the judged one that a trend looks back on."""
_SAYS_NOTHING = frozenset({"", MISSING_METRIC, UNREADABLE_METRIC})


def engagement_trend(rounds: Sequence[RoundMetrics]) -> str:
    """Return how engaged the client was, oldest round first; empty when nothing is known."""
    return _trend(rounds, lambda metrics: metrics.user_engagement)


def emotion_trend(rounds: Sequence[RoundMetrics]) -> str:
    """Return how intense the client's emotion was, oldest round first; empty when unknown."""
    return _trend(rounds, lambda metrics: metrics.emotional_intensity)


def _trend(rounds: Sequence[RoundMetrics], metric: Callable[[ActionMetrics], str]) -> str:
    told = ((one.round, metric(one.metrics).strip()) for one in rounds[-ROUNDS:])
    return "；".join(f"第{number}轮：{text}" for number, text in told if text not in _SAYS_NOTHING)
