"""Metrics of the monitor; see docs/operations/monitoring.md for the instruments."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.chassis import telemetry_metrics as metrics
from heartrule.chassis.latest import Latest
from heartrule.domain.events import ActionResultRecorded, AdviceChanged, SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from session_store.records import AnalysisRecord, ProposedEdit

# Analyses in a row without a verdict after which a session's monitor counts as silent: one or two
# are a slow model.
SILENT_AFTER = 3
# Sessions whose silence is counted; a bound on the memory of a monitor that is down for long.
MOST_SILENT = 10_000
_ADVICE = "heartrule.monitor.advice"
_WORDS = {
    AdviceState.PENDING: "made",
    AdviceState.CONSUMED: "used",
    AdviceState.EXPIRED: "expired",
    AdviceState.SUPERSEDED: "superseded",
}
_VERDICTS = frozenset({AnalysisOutcome.ADVICE, AnalysisOutcome.NO_ADVICE})


def count_events(events: Iterable[SessionEvent]) -> None:
    """Count the advice in committed events, and the rounds that a cadence left out."""
    if not metrics.measured():
        return
    for event in events:
        body = event.body
        if isinstance(body, AdviceChanged):
            metrics.count(_ADVICE, state=_WORDS[body.advice.state])
        elif isinstance(body, ActionResultRecorded):
            reason = body.action_result.metadata.get("analysis_reason")
            if isinstance(reason, str):
                metrics.count("heartrule.monitor.skips", reason=reason)
            did = body.action_result.metadata.get("advice_obeyed")
            if isinstance(did, bool):
                metrics.count(_ADVICE, state="obeyed" if did else "not_obeyed")


def count_plan(made: ProposedEdit, *, seconds: float) -> None:
    """Count how a plan request ended, `seconds` after it was taken up."""
    metrics.record("heartrule.monitor.planning.duration", seconds, state=made.state.value)
    metrics.count("heartrule.monitor.plans", state=made.state.value, reason=made.reason)


class AnalysisMeter:
    """Counts how analyses end, and how many in a row gave a session no verdict."""

    def __init__(self, *, sessions: int = MOST_SILENT) -> None:
        """Count from zero, for at most so many silent sessions."""
        self._silent = Latest[SessionKey, int](sessions)

    def ended(self, record: AnalysisRecord, *, seconds: float) -> None:
        """Count one request that has ended for good, `seconds` after it was taken up."""
        outcome, reason = record.outcome, record.reason
        metrics.record("heartrule.monitor.analysis.duration", seconds, result=outcome.value)
        if outcome is AnalysisOutcome.SKIPPED:
            metrics.count("heartrule.monitor.skips", reason=reason)
            return
        if outcome is AnalysisOutcome.DROPPED:
            metrics.count("heartrule.monitor.drops", reason=reason)
        if reason == "UNREADABLE_REPLY":
            metrics.count("heartrule.monitor.parse_failures")
        if outcome in _VERDICTS:
            self._silent.pop(record.ticket.key, None)
        elif self._silence(record.ticket.key) % SILENT_AFTER == 0:
            metrics.count("heartrule.monitor.silences")

    def _silence(self, key: SessionKey) -> int:
        """Return how many analyses in a row the session has none of, this one included.

        Only sessions in a silence are kept; where they are too many, the one whose last analysis
        is the longest ago is forgotten.
        """
        rounds = self._silent[key] = self._silent.get(key, 0) + 1
        return rounds
