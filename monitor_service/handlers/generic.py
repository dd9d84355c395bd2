"""The monitor of every action type that reports metrics and has no monitor of its own."""

from __future__ import annotations

from dataclasses import asdict
from typing import ClassVar

from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.monitoring import AnalysisReport, MonitorAnalysis
from heartrule.model.reply.contract import ASK_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler
from monitor_service.handlers.blocks import advice_block


class GenericMonitorHandler(MonitorHandler):
    """Judges by whatever metrics a type reports, with the template `generic_monitor`."""

    action_type: ClassVar[str] = "generic"
    metric_names: ClassVar[tuple[str, ...]] = ()
    contract: ClassVar[ReplyContract] = ASK_MONITOR_CONTRACT
    required: ClassVar[str] = "intervention_needed"

    def parse_metrics(self, report: AnalysisReport) -> ActionMetrics:
        """Return the metrics that were told; none is missed, since none is known to belong."""
        told = asdict(report.metrics)
        return ActionMetrics(**{name: text.strip() for name, text in told.items()})

    def build_feedback_prompt(self, analysis: MonitorAnalysis) -> str:
        """Return what to heed in the next round; empty without feedback."""
        return advice_block(
            ("Topic层策略建议", analysis.feedback_for_action),
            ("建议调整方式", analysis.modified_approach),
            closing="请根据以上建议调整你的说法。",
        )
