"""What is counted of the second mind; see docs/operations/monitoring.md for the instruments."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.chassis import telemetry_metrics as metrics
from heartrule.domain.events import ActionResultRecorded, AdviceChanged, SessionEvent
from heartrule.domain.monitoring import AdviceState, AnalysisOutcome
from session_store.records import AnalysisRecord

SILENT_AFTER = 3
"""Analyses in a row without a verdict after which a monitor counts as silent."""
_ADVICE = "heartrule.monitor.advice"
_WORDS = {
    AdviceState.PENDING: "made",
    AdviceState.CONSUMED: "used",
    AdviceState.EXPIRED: "expired",
    AdviceState.SUPERSEDED: "superseded",
}
_VERDICTS = frozenset({AnalysisOutcome.ADVICE, AnalysisOutcome.NO_ADVICE})


def count_told(events: Iterable[SessionEvent]) -> None:
    """Count what committed events tell of advice, and of rounds a cadence left out."""
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


class AnalysisMeter:
    """Counts how analyses end, and how many in a row gave no verdict."""

    def __init__(self) -> None:
        """Begin with none."""
        self._silent = 0

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
        self._silent = 0 if outcome in _VERDICTS else self._silent + 1
        if self._silent and self._silent % SILENT_AFTER == 0:
            metrics.count("heartrule.monitor.silences")
