"""Proposes a change of a topic's queue (document 000, TopicActionOrchestrator; RESOLUTIONS C30).

A plan is a proposal and nothing more: the executor checks it and applies it between turns.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import wants_orchestration
from heartrule.domain.orchestration import (
    OrchestrationAnswer,
    OrchestrationPlan,
    OrchestrationReport,
)
from heartrule.model.reply.contract import ORCHESTRATOR_CONTRACT
from monitor_service.asking import Tools, ask, read_reply, record_parse
from monitor_service.orchestrator_prompt import orchestrator_prompt
from monitor_service.orchestrator_reading import read_plan
from monitor_service.prompt import client_text

TEMPLATE = "topic_orchestrator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model's reply came to."""

    plan: OrchestrationPlan | None = None
    parse_failed: bool = False
    warnings: tuple[str, ...] = ()


class TopicActionOrchestrator:
    """Decides whether a topic's queue should change, and how; keeps nothing between calls."""

    def __init__(self, tools: Tools) -> None:
        """`tools` are those of the handlers."""
        self._tools = tools

    def should_orchestrate(self, report: OrchestrationReport) -> bool:
        """Return what the analysis says, as long as the topic takes another edit (C18)."""
        return wants_orchestration(report.analysis) and report.budget_left > 0

    async def generate_orchestration_plan(
        self, report: OrchestrationReport, *, calls: list[LLMDebugInfo]
    ) -> Proposal:
        """Ask the model for one plan; none at all is a good answer.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
            InvalidRequest: The scheme's name is out of form, or its template is broken.
        """
        template = self._tools.templates.get(TEMPLATE, report.report.template_scheme)
        prompt = orchestrator_prompt(template, report)
        text = await ask(self._tools, template, prompt.messages, calls=calls)
        heard = client_text(report.report)
        reply = read_reply(text, contract=ORCHESTRATOR_CONTRACT, client_text=heard)
        if reply.value is None:
            record_parse(calls, reply.diagnosis)
            return Proposal(parse_failed=True)
        plan, warnings = read_plan(reply.value, described=template.fields, queue=report.queue)
        told = (*reply.diagnosis.warnings, *warnings)
        record_parse(calls, replace(reply.diagnosis, warnings=told))
        return Proposal(plan=plan, warnings=told)


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
    return OrchestrationAnswer(
        plan=made.plan,
        parse_failed=made.parse_failed,
        warnings=made.warnings,
        calls=tuple(calls),
    )
