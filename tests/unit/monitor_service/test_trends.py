"""Trends over the last three rounds."""

from __future__ import annotations

import pytest

from heartrule.domain.action_result import (
    MISSING_METRIC,
    UNREADABLE_METRIC,
    ActionMetrics,
    ProgressSuggestion,
)
from heartrule.domain.monitoring import RoundMetrics
from monitor_service.trends import emotion_trend, engagement_trend


def round_of(number: int, engagement: str = "", emotion: str = "") -> RoundMetrics:
    """Return one round's metrics."""
    return RoundMetrics(
        round=number,
        metrics=ActionMetrics(user_engagement=engagement, emotional_intensity=emotion),
        progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
    )


def test_no_rounds() -> None:
    """Before the second round there is no trend."""
    assert engagement_trend(()) == emotion_trend(()) == ""


def test_rounds_in_order() -> None:
    """Each trend tells its own metric, the oldest round first."""
    rounds = (round_of(1, "投入", "平静"), round_of(2, "简短", "烦躁"))
    assert engagement_trend(rounds) == "第1轮：投入；第2轮：简短"
    assert emotion_trend(rounds) == "第1轮：平静；第2轮：烦躁"


def test_three_rounds_at_most() -> None:
    """Only the last three rounds count."""
    rounds = [round_of(number, f"e{number}") for number in range(1, 6)]
    assert engagement_trend(rounds) == "第3轮：e3；第4轮：e4；第5轮：e5"


@pytest.mark.parametrize("nothing", ["", " ", MISSING_METRIC, UNREADABLE_METRIC])
def test_unknown_rounds_are_left_out(nothing: str) -> None:
    """A round whose metric says nothing is no part of the trend."""
    assert engagement_trend((round_of(1, nothing), round_of(2, "简短"))) == "第2轮：简短"
