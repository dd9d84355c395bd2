"""How often the monitor is asked, as session, topic and action say it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.monitoring.pacing import Pace, is_due, pace_of
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import UNSAID, Cadence, MonitorRule
from heartrule.domain.action_result import ProgressSuggestion
from tests.support.engine_builders import ask, script
from tests.support.store_builders import judged

OFF = MonitorRule(cadence=Cadence.OFF)
EVERY_THIRD = MonitorRule(cadence=Cadence.EVERY_N, n=3)


def pace(
    *, session: MonitorRule = UNSAID, topic: MonitorRule = UNSAID, action: MonitorRule = UNSAID
) -> Pace:
    """Return what counts for an action when these places say so."""
    whole: Script = replace(script(ask()), monitor=session)
    (inside,) = whole.phases[0].topics
    (one,) = inside.actions
    return pace_of(whole, replace(inside, monitor=topic), replace(one, monitor=action))


def test_every_round_is_looked_at_and_nobody_waits_by_default() -> None:
    """A script that says nothing of the monitor (RESOLUTIONS C11, C13)."""
    assert pace() == Pace(cadence=Cadence.EVERY_ROUND, n=1, wait_ms=0)


@pytest.mark.parametrize(
    ("places", "cadence"),
    [
        ({"session": OFF}, Cadence.OFF),
        ({"session": OFF, "topic": EVERY_THIRD}, Cadence.EVERY_N),
        ({"session": EVERY_THIRD, "topic": EVERY_THIRD, "action": OFF}, Cadence.OFF),
    ],
)
def test_the_innermost_place_counts(places: dict[str, MonitorRule], cadence: Cadence) -> None:
    """Action before topic before session."""
    assert pace(**places).cadence is cadence


def test_each_setting_is_inherited_by_itself() -> None:
    """An action that only waits keeps its session's cadence."""
    found = pace(session=EVERY_THIRD, action=MonitorRule(wait_for_advice_ms=200))
    assert found == Pace(cadence=Cadence.EVERY_N, n=3, wait_ms=200)


def test_every_n_looks_at_each_nth_round() -> None:
    """Rounds 3 and 6 of six, where n is 3."""
    third = Pace(cadence=Cadence.EVERY_N, n=3)
    assert [r for r in range(1, 7) if is_due(third, judged(r))] == [3, 6]


def test_on_suggestion_looks_at_troubled_rounds_only() -> None:
    """Those that are blocked or off_topic, no others."""
    rule = Pace(cadence=Cadence.ON_SUGGESTION)
    told = [
        s for s in ProgressSuggestion if is_due(rule, replace(judged(1), progress_suggestion=s))
    ]
    assert told == [ProgressSuggestion.BLOCKED, ProgressSuggestion.OFF_TOPIC]


def test_off_looks_at_no_round() -> None:
    """Not even at a troubled one."""
    blocked = replace(judged(1), progress_suggestion=ProgressSuggestion.BLOCKED)
    assert not is_due(Pace(cadence=Cadence.OFF), blocked)
