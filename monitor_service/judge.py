"""One round judged from report to answer: the four methods of its handler, in order."""

from __future__ import annotations

from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from monitor_service.handlers.base import PARSE_ERROR, MonitorHandler


async def judge_round(handler: MonitorHandler, report: AnalysisReport) -> AnalysisAnswer:
    """Return the analysis of one round and what follows from it.

    An action that ended with this round has no next prompt, so there is no block for it; its
    analysis may still ask for orchestration (RESOLUTIONS C13).

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
    """
    calls: list[LLMDebugInfo] = []
    metrics = handler.parse_metrics(report)
    analysis = await handler.analyze_with_llm(metrics, report, calls=calls)
    return AnalysisAnswer(
        analysis=analysis,
        feedback_text="" if report.completed else handler.build_feedback_prompt(analysis),
        should_trigger_orchestration=handler.should_trigger_orchestration(analysis),
        parse_failed=analysis.metadata.get(PARSE_ERROR) is True,
        calls=tuple(calls),
    )
