"""The monitor of ai_ask: what keeps the answers from coming (document 000, AiAskMonitorHandler)."""

from __future__ import annotations

from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.reply.contract import ASK_METRICS, ASK_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler, advice_block


class AiAskMonitorHandler(MonitorHandler):
    """Judges rounds of ai_ask."""

    action_type: ClassVar[str] = "ai_ask"
    metric_names: ClassVar[tuple[str, ...]] = ASK_METRICS
    contract: ClassVar[ReplyContract] = ASK_MONITOR_CONTRACT
    required: ClassVar[str] = "intervention_needed"
    closing: ClassVar[str] = "请根据以上建议调整你的提问方式。"
    """The last sentence of a block of advice."""

    def build_feedback_prompt(self, analysis: MonitorAnalysis) -> str:
        """Return the advice for the next question; empty without feedback."""
        return advice_block(
            ("Topic层策略建议", analysis.feedback_for_action),
            ("建议调整方式", analysis.modified_approach),
            closing=self.closing,
        )
