"""The monitor of fill_form: what keeps a form from being filled; it judges as that of ai_ask."""

from __future__ import annotations

from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.reply.contract import ASK_METRICS, ASK_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler
from monitor_service.handlers.blocks import advice_block


class FillFormMonitorHandler(MonitorHandler):
    """Judges rounds of fill_form."""

    action_type: ClassVar[str] = "fill_form"
    metric_names: ClassVar[tuple[str, ...]] = ASK_METRICS
    contract: ClassVar[ReplyContract] = ASK_MONITOR_CONTRACT
    required: ClassVar[str] = "intervention_needed"

    def build_feedback_prompt(self, analysis: MonitorAnalysis) -> str:
        """Return what to heed when the next field is asked for; empty without feedback."""
        return advice_block(
            ("Topic层策略建议", analysis.feedback_for_action),
            ("建议调整方式", analysis.modified_approach),
            closing="请根据以上建议调整你的问法。",
        )
