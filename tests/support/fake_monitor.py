"""A monitor that tests write: answers in order, held open or failing where wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from heartrule.domain.errors import HeartRuleError
from heartrule.domain.monitoring import (
    AnalysisAnswer,
    AnalysisReport,
    InterventionLevel,
    MonitorAnalysis,
)
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport


def advises(text: str) -> AnalysisAnswer:
    """Return an answer whose feedback is `text`."""
    analysis = MonitorAnalysis(intervention_needed=True, feedback_for_action=text)
    return AnalysisAnswer(analysis=analysis, feedback_text=text)


def asks_for_a_plan(reason: str = "持续抗拒") -> AnalysisAnswer:
    """Return an answer that wants the topic's queue changed."""
    analysis = MonitorAnalysis(
        intervention_needed=True,
        intervention_level=InterventionLevel.TOPIC_ORCHESTRATION,
        orchestration_needed=True,
        orchestration_reason=reason,
    )
    return AnalysisAnswer(analysis=analysis, should_trigger_orchestration=True)


SILENT = AnalysisAnswer(analysis=MonitorAnalysis())
"""An answer without feedback."""


@dataclass(slots=True)
class FakeMonitor:
    """Answers from a list, then with SILENT."""

    answers: list[AnalysisAnswer | HeartRuleError] = field(default_factory=list)
    reports: list[AnalysisReport] = field(default_factory=list)
    gate: asyncio.Event | None = None
    """Waited for before each answer."""

    plans: list[OrchestrationAnswer | HeartRuleError] = field(default_factory=list)
    asked_plans: list[OrchestrationReport] = field(default_factory=list)
    _told: asyncio.Event = field(default_factory=asyncio.Event)

    async def was_asked_about(self, rounds: AbstractSet[tuple[str, int]]) -> None:
        """Return when a report of each of these instances' rounds has come."""
        while not rounds <= {(each.action_instance_id, each.round) for each in self.reports}:
            self._told.clear()
            await self._told.wait()

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Give the next answer."""
        del judged_turn
        self.reports.append(report)
        self._told.set()
        if self.gate is not None:
            await self.gate.wait()
        answer = self.answers.pop(0) if self.answers else SILENT
        if isinstance(answer, HeartRuleError):
            raise answer
        return answer

    async def plan(self, report: OrchestrationReport, *, judged_turn: str) -> OrchestrationAnswer:
        """Give the next plan; none where the list is empty."""
        del judged_turn
        self.asked_plans.append(report)
        answer = self.plans.pop(0) if self.plans else OrchestrationAnswer()
        if isinstance(answer, HeartRuleError):
            raise answer
        return answer
