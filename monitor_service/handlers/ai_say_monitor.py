"""The monitor of ai_say: what the client does not follow (document 000, AiSayMonitorHandler)."""

from __future__ import annotations

from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.prompt_words import PromptWords
from heartrule.model.reply.contract import SAY_METRICS, SAY_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler, advice_block


class AiSayMonitorHandler(MonitorHandler):
    """Judges rounds of ai_say."""

    action_type: ClassVar[str] = "ai_say"
    metric_names: ClassVar[tuple[str, ...]] = SAY_METRICS
    contract: ClassVar[ReplyContract] = SAY_MONITOR_CONTRACT
    required: ClassVar[str] = "understanding_issue"

    def build_feedback_prompt(self, analysis: MonitorAnalysis, words: PromptWords) -> str:
        """Return the advice on the next wording; empty without feedback."""
        said = words.monitor.ai_say
        return advice_block(
            (said.advice, analysis.feedback_for_action),
            (said.example, analysis.example_suggestion),
            closing=said.closing,
        )
