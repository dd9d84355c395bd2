"""Which judged rounds the monitor is asked about, and how long a turn waits for its advice."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.scripts.model.settings import Cadence, MonitorRule
from heartrule.domain.action_result import ActionResult, ProgressSuggestion

BY_CADENCE = "CADENCE"
"""Why a round was not analysed that the script leaves out."""
_TROUBLED = frozenset({ProgressSuggestion.BLOCKED, ProgressSuggestion.OFF_TOPIC})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What counts for one action: of each setting the innermost place that names it."""

    cadence: Cadence = Cadence.EVERY_ROUND
    n: int = 1
    wait_ms: int = 0
    """Most milliseconds a turn waits for an open analysis of the round before; 0: none."""


def pace_of(script: Script, topic: Topic, action: Action) -> Pace:
    """Return the pace of an action in its topic, a technique's for the actions in it."""
    pace = Pace()
    for rule in (script.monitor, topic.monitor, action.monitor):
        pace = _inside(pace, rule)
    return pace


def is_due(pace: Pace, result: ActionResult) -> bool:
    """Return whether a judged round is to be analysed, as far as the script decides it."""
    if pace.cadence is Cadence.EVERY_N:
        return result.round % pace.n == 0
    if pace.cadence is Cadence.ON_SUGGESTION:
        return result.progress_suggestion in _TROUBLED
    return pace.cadence is Cadence.EVERY_ROUND


def _inside(pace: Pace, rule: MonitorRule) -> Pace:
    return Pace(
        cadence=rule.cadence or pace.cadence,
        n=rule.n or pace.n,
        wait_ms=pace.wait_ms if rule.wait_for_advice_ms is None else rule.wait_for_advice_ms,
    )
