"""Judges one round: calls the four methods of its handler, in order."""

from __future__ import annotations

import asyncio

from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport, MonitorAnalysis
from monitor_service.cache import AnalysisCache, key_of
from monitor_service.handlers.base import PARSE_ERROR, MonitorHandler


async def judge_round(
    handler: MonitorHandler,
    report: AnalysisReport,
    *,
    seconds: float,
    cache: AnalysisCache | None = None,
) -> AnalysisAnswer:
    """Return the analysis of one round and what follows from it.

    An action that ended with this round has no next prompt, so there is no block for it; its
    analysis may still ask for orchestration (RESOLUTIONS C13). A model that fails, or takes longer
    than `seconds`, gives an answer with `failure`: the calls made must reach the ledger.
    A round found in the `cache` is not analysed again: the copy is marked, and no call is made.
    """
    calls: list[LLMDebugInfo] = []
    metrics = handler.parse_metrics(report)
    key = key_of(report, metrics, template_hash=handler.template(report).content_hash)
    known = cache.get(key) if cache is not None else None
    if known is not None:
        return _answered(handler, report, known, calls)
    try:
        async with asyncio.timeout(seconds):
            analysis = await handler.analyze_with_llm(metrics, report, calls=calls)
    except TimeoutError:
        return _failed("MONITOR_DEADLINE", calls)
    except (ModelUnavailable, ModelRateLimited) as error:
        return _failed(error.reason, calls)
    answer = _answered(handler, report, analysis, calls)
    if cache is not None and not answer.parse_failed:
        cache.put(key, analysis)
    return answer


def _answered(
    handler: MonitorHandler,
    report: AnalysisReport,
    analysis: MonitorAnalysis,
    calls: list[LLMDebugInfo],
) -> AnalysisAnswer:
    advice = handler.build_feedback_prompt(analysis, handler.words(report))
    return AnalysisAnswer(
        analysis=analysis,
        feedback_text="" if report.completed else advice,
        should_trigger_orchestration=handler.should_trigger_orchestration(analysis),
        parse_failed=analysis.metadata.get(PARSE_ERROR) is True,
        calls=tuple(calls),
    )


def _failed(reason: str, calls: list[LLMDebugInfo]) -> AnalysisAnswer:
    return AnalysisAnswer(analysis=MonitorAnalysis(), failure=reason, calls=tuple(calls))
