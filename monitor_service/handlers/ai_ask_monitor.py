"""The monitor of ai_ask: what keeps the answers from coming (document 000, AiAskMonitorHandler)."""

from __future__ import annotations

from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.prompt_words import AdviceWords, MonitorWords, PromptWords
from heartrule.model.reply.contract import ASK_METRICS, ASK_MONITOR_CONTRACT, ReplyContract
from monitor_service.handlers.base import MonitorHandler, advice_block


class AiAskMonitorHandler(MonitorHandler):
    """Judges rounds of ai_ask."""

    action_type: ClassVar[str] = "ai_ask"
    metric_names: ClassVar[tuple[str, ...]] = ASK_METRICS
    contract: ClassVar[ReplyContract] = ASK_MONITOR_CONTRACT
    required: ClassVar[str] = "intervention_needed"

    def build_feedback_prompt(self, analysis: MonitorAnalysis, words: PromptWords) -> str:
        """Return the advice for the next question; empty without feedback."""
        said = self.said_by(words.monitor)
        return advice_block(
            (said.advice, analysis.feedback_for_action),
            (said.example, analysis.modified_approach),
            closing=said.closing,
        )

    def said_by(self, words: MonitorWords) -> AdviceWords:
        """Return the titles and the last sentence of a block of advice."""
        return words.ai_ask
