"""What clients did before and after a strategy."""

from __future__ import annotations

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.figures import ProgressCount, StrategyFigures
from heartrule.domain.monitoring import StrategySuggestion
from session_store.sql.figures.strategy_uses import JudgedRound, UsedStrategy, strategy_figures

BLOCKED = ProgressCount(progress_suggestion=ProgressSuggestion.BLOCKED, count=1)
GOES_ON = ProgressCount(progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED, count=1)


def judged(turn: int, progress: str, instance: str = "i1") -> JudgedRound:
    """Return the round that a turn judged."""
    return JudgedRound(
        session_id="s", action_instance_id=instance, turn_id=f"t{turn}", sequence=10 * turn,
        progress=progress,
    )  # fmt: skip


def used(turn: int, suggestion: str = "", *, recommended: bool = False) -> UsedStrategy:
    """Return a strategy that a turn's prompt held."""
    return UsedStrategy(
        session_id="s", action_instance_id="i1", turn_id=f"t{turn}", sequence=10 * turn - 1,
        suggestion=suggestion, recommended=recommended,
    )  # fmt: skip


def test_a_strategy_stands_between_its_round_and_the_next() -> None:
    """Rounds of other actions say nothing about it."""
    rounds = [judged(1, "completed"), judged(2, "blocked"), judged(3, "continue_needed")]
    found = strategy_figures([*rounds, judged(3, "off_topic", "i2")], [used(2, "comfort")])
    comfort = StrategySuggestion.COMFORT
    told = StrategyFigures(suggestion=comfort, used=1, before=(BLOCKED,), after=(GOES_ON,))
    assert found == (told,)


def test_a_recommendation_of_an_opening_has_no_round_before_it() -> None:
    """The next one is the first that was judged."""
    (found,) = strategy_figures([judged(1, "blocked")], [used(0, recommended=True)])
    assert (found.recommended, found.before, found.after) == (True, (), (BLOCKED,))


def test_advice_of_a_turn_that_was_taken_back_is_not_counted() -> None:
    """Nothing of the turn is judged any more."""
    assert strategy_figures([judged(1, "blocked")], [used(2, "comfort")]) == ()
