"""Proposes a change of a topic's queue (document 000, TopicActionOrchestrator; RESOLUTIONS C30).

A plan is a proposal and nothing more: the executor checks it and applies it between turns.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace

from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import wants_orchestration
from heartrule.domain.orchestration import (
    OrchestrationAnswer,
    OrchestrationReport,
    QueuedAction,
)
from heartrule.model.prompt_words import PromptWords
from heartrule.model.prompts import Prompt, build_messages
from heartrule.model.quoting import continued
from heartrule.model.reply.contract import ORCHESTRATOR_CONTRACT
from heartrule.model.template import Template
from monitor_service.json_call import Tools, ask, read_reply, record_parse
from monitor_service.plan_reply import read_plan
from monitor_service.round_prompt import LONGEST_LINE, client_text, system_variables

TEMPLATE = "topic_orchestrator"
# Characters of an action's config in the prompt: a queue of twenty actions stays below 8,000.
_LONGEST_SUMMARY = 400


class TopicActionOrchestrator:
    """Decides whether a topic's queue should change, and how; keeps nothing between calls."""

    def __init__(self, tools: Tools) -> None:
        """`tools` are those of the handlers."""
        self._tools = tools

    def should_orchestrate(self, report: OrchestrationReport) -> bool:
        """Return whether the analysis requests it and the topic takes another edit (C18)."""
        return wants_orchestration(report.analysis) and report.budget_left > 0

    async def generate_orchestration_plan(
        self, report: OrchestrationReport, *, calls: list[LLMDebugInfo]
    ) -> OrchestrationAnswer:
        """Ask the model for one plan; none at all is a good answer.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: There is no whole reply.
            InvalidRequest: The scheme's name is out of form, or its template is broken.
        """
        judged, words = report.report, self._tools.words_of(report.report)
        template = self._tools.templates.get(TEMPLATE, judged.template_scheme, judged.language)
        prompt = _prompt(template, report, words)
        text = await ask(self._tools, template, prompt, words=words, calls=calls)
        reply = read_reply(text, contract=ORCHESTRATOR_CONTRACT, client_text=client_text(judged))
        if reply.value is None:
            record_parse(calls, reply.diagnosis)
            return OrchestrationAnswer(parse_failed=True)
        plan, warnings = read_plan(reply.value, own_words=template.own_words, queue=report.queue)
        warnings = (*reply.diagnosis.warnings, *warnings)
        record_parse(calls, replace(reply.diagnosis, warnings=warnings))
        return OrchestrationAnswer(plan=plan, warnings=warnings)


async def plan_round(
    orchestrator: TopicActionOrchestrator, report: OrchestrationReport, *, seconds: float
) -> OrchestrationAnswer:
    """Return what is proposed after one round.

    A model that fails, or takes longer than `seconds`, gives an answer with `failure`: the calls
    made must reach the ledger.
    """
    if not orchestrator.should_orchestrate(report):
        return OrchestrationAnswer()
    calls: list[LLMDebugInfo] = []
    try:
        async with asyncio.timeout(seconds):
            made = await orchestrator.generate_orchestration_plan(report, calls=calls)
    except TimeoutError:
        return OrchestrationAnswer(failure="MONITOR_DEADLINE", calls=tuple(calls))
    except (ModelUnavailable, ModelRateLimited) as error:
        return OrchestrationAnswer(failure=error.reason, calls=tuple(calls))
    return replace(made, calls=tuple(calls))


def _prompt(template: Template, report: OrchestrationReport, words: PromptWords) -> Prompt:
    """Return the messages that ask a model for a plan; placeholders in values are not filled."""
    analysis, judged = report.analysis, report.report
    reason = analysis.orchestration_reason or analysis.intervention_reason
    values = system_variables(judged, judged.metrics, words) | {
        "topic_goal": continued(report.topic_goal),
        "remaining_queue": "\n".join(_line(each, words) for each in report.queue),
        "allowed_action_types": words.comma.join(report.action_types),
        "budget_left": str(report.budget_left),
        "orchestration_reason": continued(reason),
        "suggested_orchestration": continued(_json(analysis.suggested_orchestration)),
    }
    return build_messages(template, "turn", system=values, script={}, card=_card(report))


def _line(queued: QueuedAction, words: PromptWords) -> str:
    kept = words.monitor.kept if queued.mandatory else ""
    about = " ".join(_json(queued.config).split())[:_LONGEST_SUMMARY]
    name = f"{queued.action_instance_id}{words.colon}{queued.action_id}"
    kind = words.brackets.format(text=queued.action_type)
    return f"- {name}{kind}{kept} {continued(about)}".rstrip()


def _json(value: Mapping[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict) if value else ""


def _card(report: OrchestrationReport) -> dict[str, JsonValue]:
    judged = report.report
    return {
        "v": 1,
        "kind": TEMPLATE,
        "stage": "turn",
        "task": report.analysis.orchestration_reason[:LONGEST_LINE],
        "user_input": client_text(judged)[:LONGEST_LINE],
        "round": judged.round,
        "max_rounds": judged.max_rounds,
        "action_types": list(report.action_types),
    }
