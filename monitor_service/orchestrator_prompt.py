"""What the orchestrator's template is filled with."""

from __future__ import annotations

import json
from collections.abc import Mapping

from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import OrchestrationReport, QueuedAction
from heartrule.model.prompts import Prompt, build_messages
from heartrule.model.quoting import continued
from heartrule.model.template import Template
from monitor_service.prompt import LONGEST_LINE, client_text, system_variables

_LONGEST_SUMMARY = 400


def orchestrator_prompt(template: Template, report: OrchestrationReport) -> Prompt:
    """Return the messages that ask a model for a plan; values are never scanned."""
    analysis, judged = report.analysis, report.report
    reason = analysis.orchestration_reason or analysis.intervention_reason
    values = system_variables(judged, judged.metrics) | {
        "topic_goal": continued(report.topic_goal),
        "remaining_queue": "\n".join(map(_line, report.queue)),
        "allowed_action_types": "、".join(report.action_types),
        "budget_left": str(report.budget_left),
        "orchestration_reason": continued(reason),
        "suggested_orchestration": continued(_json(analysis.suggested_orchestration)),
    }
    return build_messages(template, "turn", system=values, script={}, card=_card(report))


def _line(queued: QueuedAction) -> str:
    kept = "（必须保留，不能跳过或修改）" if queued.mandatory else ""
    about = " ".join(_json(queued.config).split())[:_LONGEST_SUMMARY]
    name = f"{queued.action_instance_id}：{queued.action_id}（{queued.action_type}）"
    return f"- {name}{kept} {continued(about)}".rstrip()


def _json(value: Mapping[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict) if value else ""


def _card(report: OrchestrationReport) -> dict[str, JsonValue]:
    judged = report.report
    return {
        "v": 1,
        "kind": "topic_orchestrator",
        "stage": "turn",
        "task": report.analysis.orchestration_reason[:LONGEST_LINE],
        "user_input": client_text(judged)[:LONGEST_LINE],
        "round": judged.round,
        "max_rounds": judged.max_rounds,
        "action_types": list(report.action_types),
    }
