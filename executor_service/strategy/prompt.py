"""From a strategy context to the messages of the model call."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.domain.conversation import Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.strategy import StrategyContext
from heartrule.model.ports import ChatRequest
from heartrule.model.prompts import build_messages
from heartrule.model.quoting import continued, dialogue_text
from heartrule.model.template import Template
from heartrule.model.template_filling import render_value

TEMPLATE = "strategy_generation"
"""The template, and the prompt type the ledger shows (document 001, LLMDebugInfo)."""
LONGEST_LINE = 800
"""Characters of one message that the prompt holds; its middle is left out beyond that."""


def strategy_request(template: Template, context: StrategyContext) -> ChatRequest:
    """Return the request that asks for a recommendation; values are never scanned."""
    prompt = build_messages(
        template,
        "turn",
        system=system_variables(context),
        script=context.user_profile,
        card=_card(context),
    )
    return ChatRequest(
        purpose=Purpose.STRATEGY,
        messages=prompt.messages,
        prompt_type=TEMPLATE,
        template_hash=template.content_hash,
        reply_fields=template.reply_fields(),
    )


def system_variables(context: StrategyContext) -> dict[str, str]:
    """Return what `{%x%}` stands for; `{educationLevel}` and its like are the profile's own."""
    situation, action = context.current_situation, context.action_config
    said = (
        DialogueLine(role=line.role, text=line.content) for line in context.conversation_history
    )
    inline = {
        "topic_description": situation.topic_description,
        "current_phase": situation.current_phase,
        "progress_summary": situation.progress_summary,
        "understanding_trend": situation.understanding_trend,
        "action_type": action.action_type,
        "subtype": action.subtype,
        "max_rounds": str(action.max_rounds),
        "exit_criteria": render_value(action.exit_criteria) if action.exit_criteria else "",
    }
    return {
        **{name: continued(text) for name, text in inline.items()},
        "user_profile": _lines(context.user_profile),
        "conversation_history": dialogue_text(said, longest=LONGEST_LINE),
    }


def last_words(context: StrategyContext) -> str:
    """Return what the client said last; empty where the client has said nothing."""
    for line in reversed(context.conversation_history):
        if line.role is Role.CLIENT:
            return line.content
    return ""


def _lines(values: Mapping[str, JsonValue]) -> str:
    """Return one line for each value; a line break inside one begins no other."""
    told = {name: continued(" ".join(render_value(v).split())) for name, v in values.items()}
    return "\n".join(f"- {name}：{text}" for name, text in told.items())


def _card(context: StrategyContext) -> dict[str, JsonValue]:
    return {
        "v": 1,
        "kind": TEMPLATE,
        "stage": "turn",
        "task": context.current_situation.topic_description,
        "inputs": dict(context.user_profile),
        "user_input": last_words(context)[:LONGEST_LINE],
        "max_rounds": context.action_config.max_rounds,
    }
