"""The monitor of ai_say: what the client does not follow (document 000, AiSayMonitorHandler)."""

from __future__ import annotations

from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.reply.contract import SAY_METRICS, SAY_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler, advice_block


class AiSayMonitorHandler(MonitorHandler):
    """Judges rounds of ai_say."""

    action_type: ClassVar[str] = "ai_say"
    metric_names: ClassVar[tuple[str, ...]] = SAY_METRICS
    contract: ClassVar[ReplyContract] = SAY_MONITOR_CONTRACT
    required: ClassVar[str] = "understanding_issue"

    def build_feedback_prompt(self, analysis: MonitorAnalysis) -> str:
        """Return the advice on the next wording; empty without feedback."""
        return advice_block(
            ("表达优化建议", analysis.feedback_for_action),
            ("具体例子", analysis.example_suggestion),
            closing="请调整你的表达方式,确保用户能够理解。",
        )
