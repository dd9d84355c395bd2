"""The four methods of every monitor handler, and the layout of its advice (document 000)."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import asdict, replace
from typing import ClassVar

from heartrule.domain.action_result import MISSING_METRIC, ActionMetrics
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis
from heartrule.domain.monitoring import AnalysisReport, MonitorAnalysis, wants_orchestration
from heartrule.model.prompt_words import PromptWords
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.template import Template
from monitor_service.analysis_reply import read_analysis
from monitor_service.json_call import Tools, ask, read_reply, record_parse
from monitor_service.round_prompt import client_text, monitor_prompt

log = logging.getLogger(__name__)

PARSE_ERROR = "parseError"
PARSE_RETRY_COUNT = "parseRetryCount"
WARNINGS = "warnings"


class MonitorHandler(ABC):
    """Judges the rounds of one action type; keeps nothing between them."""

    action_type: ClassVar[str]
    metric_names: ClassVar[tuple[str, ...]]
    """The system variables this type reports."""
    contract: ClassVar[ReplyContract]
    """What its model answers."""
    required: ClassVar[str]
    """The truth value every answer has to give."""

    def __init__(self, tools: Tools) -> None:
        """`tools` are shared by all handlers."""
        self._tools = tools

    def template(self, report: AnalysisReport) -> Template:
        """Return the template this round is judged with: the scheme's own, else the default.

        In both layers that of the session's language is the first to answer.

        Raises:
            InvalidRequest: The scheme's or the language's name is out of form, or its template is
                broken.
        """
        name = f"{self.action_type}_monitor"
        return self._tools.templates.get(name, report.template_scheme, report.language)

    def parse_metrics(self, report: AnalysisReport) -> ActionMetrics:
        """Return this type's metrics, each with a text; others are left empty."""
        reported = asdict(report.metrics)
        return ActionMetrics(
            **{name: reported[name].strip() or MISSING_METRIC for name in self.metric_names}
        )

    async def analyze_with_llm(
        self, metrics: ActionMetrics, report: AnalysisReport, *, calls: list[LLMDebugInfo]
    ) -> MonitorAnalysis:
        """Ask the model to judge the round.

        Args:
            metrics: What `parse_metrics` gave.
            report: The round and what surrounds it.
            calls: Gets one record per model call, failed ones too.

        Returns:
            The analysis; an empty one with `parseError` in its metadata where no strategy could
            read the reply.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: There is no whole reply.
            InvalidRequest: The scheme's name is out of form, or its template is broken.
        """
        template, words = self.template(report), self._tools.words_of(report)
        prompt = monitor_prompt(template, report, metrics, words)
        if prompt.missing:
            log.info("placeholders without a value", extra={"names": prompt.missing})
        text = await ask(self._tools, template, prompt, words=words, calls=calls)
        return self._read(text, template, report, calls)

    def words(self, report: AnalysisReport) -> PromptWords:
        """Return the engine's own words in the session's language."""
        return self._tools.words_of(report)

    @abstractmethod
    def build_feedback_prompt(self, analysis: MonitorAnalysis, words: PromptWords) -> str:
        """Return the block for the action's next prompt; empty where there is no advice."""

    def should_trigger_orchestration(self, analysis: MonitorAnalysis) -> bool:
        """Return whether the analysis requests a change of the topic's queue (RESOLUTIONS C18)."""
        return wants_orchestration(analysis)

    def _read(
        self,
        text: str,
        template: Template,
        report: AnalysisReport,
        calls: list[LLMDebugInfo],
    ) -> MonitorAnalysis:
        reply = read_reply(text, contract=self.contract, client_text=client_text(report))
        if reply.value is None:
            record_parse(calls, reply.diagnosis)
            return MonitorAnalysis(metadata={PARSE_ERROR: True, **_retries(reply.diagnosis)})
        analysis, warnings = read_analysis(
            reply.value, own_words=template.own_words, required=self.required
        )
        all_warnings = (*reply.diagnosis.warnings, *warnings)
        record_parse(calls, replace(reply.diagnosis, warnings=all_warnings))
        noted: dict[str, JsonValue] = {WARNINGS: list(all_warnings)} if all_warnings else {}
        facts = {**analysis.metadata, **_retries(reply.diagnosis), **noted}
        return replace(analysis, metadata=facts)


def _retries(diagnosis: ParseDiagnosis) -> dict[str, JsonValue]:
    return {PARSE_RETRY_COUNT: diagnosis.retry_count}


def advice_block(*parts: tuple[str, str], closing: str) -> str:
    """Return titled parts and a closing sentence, a blank line between them (document 000).

    A part without text is left out; without a text in the first part there is no block at all
    (RESOLUTIONS C11).
    """
    if not parts[0][1]:
        return ""
    sections = [f"【{title}】\n{text}" for title, text in parts if text]
    return "\n\n".join((*sections, closing))
