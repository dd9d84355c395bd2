"""From a round's context to the messages of its model call (SCRIPT-LANGUAGE, Placeholders)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import RoundContext
from executor_service.actions.giving_way import variables_giving_way
from executor_service.actions.message_order import alternating, unanswered
from executor_service.actions.outgoing.known_question import NOTHING_ASKED, AskedOutputs
from executor_service.actions.prompt_texts import (
    client_name,
    confirmation_line,
    criteria_text,
    output_list,
    required_some,
    strategy_text,
    summary_messages,
    system_values,
    variable_lines,
)
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.scripts.model.fields import Output
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.problem import Degradation
from heartrule.domain.summary import Summary
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.prompts import build_messages
from heartrule.model.quoting import continued, quoted
from heartrule.model.template import Template
from heartrule.model.template_filling import fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The texts of one action, already filled from script variables."""

    task: str
    own_text: str = ""
    """Written for the client, not yet filled: replaces an opening that cannot be read. Never a task
    of the runner's; where it is empty the template's neutral line is sent."""
    asked: AskedOutputs = NOTHING_ASKED
    """The outputs as a client reads them, for a question of the engine's."""
    goal: str = ""
    tone: str = ""
    exit: str = ""
    required: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = ()
    criteria: ExitCriteria | None = None
    max_rounds: int = 0
    ends_at_once: bool = False
    """Whether the opening is the action's only message."""
    metrics: tuple[str, ...] = ()
    """Metrics that a judging reply has; an opening has none."""
    subtype: str = ""
    """The kind of talk, for the strategy engine."""
    missing: tuple[str, ...] = ()
    """Placeholders of the script's texts that nothing fills."""
    values: Mapping[str, str] = field(default_factory=dict)
    """System variables of this action type alone."""
    card: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further keys of its task card."""


def script_text(
    context: RoundContext, *texts: str, for_client: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fill texts of the script once from its variables; return them and the names missing.

    Values are quoted for a prompt, and written as they are in a text that a client reads.
    """
    if not any("{" in text for text in texts):
        return texts, ()
    visible = context.variables.visible()
    scene = context.scene
    system = system_values(scene.now, scene.cast, scene.words)
    written = str if for_client else continued
    filled = [fill(text, system, visible, written=written) for text in texts]
    missing = dict.fromkeys(name for one in filled for name in one.missing)
    return tuple(one.text for one in filled), tuple(missing)


def chat_request(
    context: RoundContext,
    template: Template,
    *,
    purpose: Purpose,
    section: str,
    values: Mapping[str, str],
    card: Mapping[str, JsonValue],
    asked: Sequence[str] = (),
) -> tuple[ChatRequest, tuple[str, ...]]:
    """Return the request of one call, and the placeholders nothing filled.

    An opening whose section has a place for the client's words holds those that nothing answered.
    """
    history = context.history
    if context.reply is None and "{%user_input%}" in template.section(section):
        history, words = unanswered(history)
        values = {**values, "user_input": quoted(words)}
    prompt = build_messages(
        template,
        section,
        history=(*summary_messages(context.summary, context.scene.words), *history),
        system=values,
        script=context.variables.visible(),
        card=card,
        asked=asked,
    )
    messages, quotation = alternating(prompt.messages)
    request = replace(
        prompt.request(template, purpose=purpose, words=context.scene.words),
        messages=messages,
        yielding=(*quotation, *prompt.yielding, *variables_giving_way(context)),
        cuts=_summarized(context.summary),
    )
    return request, prompt.missing


def _summarized(summary: Summary) -> tuple[Degradation, ...]:
    if not summary.text:
        return ()
    return (Degradation.of("prompt", "HISTORY_SUMMARIZED", turns=str(summary.first_turn)),)


def talk_values(context: RoundContext, brief: Brief, section: str) -> dict[str, str]:
    """Return the system variables of ai_ask and ai_say that a section's text may name."""
    scene = context.scene
    strategy = strategy_text(scene.topic.strategy, scene.words, asked=context.reply is not None)
    (goal, strategy), _ = script_text(context, scene.topic.topic_goal, strategy)
    return {
        **common_values(context, brief),
        "exit": brief.exit,
        "tone": brief.tone,
        "required": required_some(brief.required, brief.outputs, scene.words),
        "exit_criteria": criteria_text(brief.criteria, scene.words),
        "current_round": str(max(context.instance.round, 1)),
        "max_rounds": str(brief.max_rounds),
        "user_input": quoted(context.reply or ""),
        "topic_name": scene.topic.topic_name or scene.topic.topic_id,
        "topic_goal": goal,
        "topic_strategy": strategy,
        "strategy_prompt": "",
        "exit_hint": "\n".join(
            filter(
                None, (context.exit_hint, confirmation_line(context.beside.to_confirm, scene.words))
            )
        ),
        "advice": _joined(scene.words.resumed * context.resumes, _feedback(context)),
        "repeated_hint": _hints(context, brief),
        "ahead": _ahead(context, brief),
        # Few templates have it, and it is as long as the conversation.
        "chat": _chat(context.history) if "chat" in section else "",
        **brief.values,
    }


def _ahead(context: RoundContext, brief: Brief) -> str:
    """Return the outputs of later questions; an opening that hears nothing new lists none."""
    if context.reply is None and not context.beside.unjudged:
        return ""
    own = {output.get for output in brief.outputs}
    later = [each for each in context.beside.later if each.get not in own]
    return output_list(later, context.scene.words)


def _hints(context: RoundContext, brief: Brief) -> str:
    """Return what the model is told of its reply before."""
    memory, words = context.instance.memory, context.scene.words
    hints = [words.repeated] if memory.get("repeated") else []
    if context.wrong_language:
        hints.append(words.wrong_language)
    if memory.get("wrong_names"):
        names = words.comma.join(output.get for output in brief.outputs)
        hints.append(words.wrong_names.format(names=names))
    return "\n".join(hints)


def _joined(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _feedback(context: RoundContext) -> str:
    return context.advice.feedback_text if context.advice else ""


def _chat(history: Sequence[ChatMessage]) -> str:
    return "\n".join(f"{message.role}: {continued(message.content)}" for message in history)


def common_values(context: RoundContext, brief: Brief) -> dict[str, str]:
    """Return the system variables that every prompt of an action has."""
    scene = context.scene
    return {
        **system_values(scene.now, scene.cast, scene.words),
        "client": client_name(scene.cast, scene.words),
        "hotlines": scene.hotlines,
        "task": brief.task,
        "goal": brief.goal,
        "output_list": output_list(brief.outputs, scene.words),
        "variables": variable_lines(context.variables.visible(), scene.words),
    }


def talk_card(
    context: RoundContext,
    brief: Brief,
    template: Template,
    *,
    section: str,
    asked: Sequence[str],
) -> dict[str, JsonValue]:
    """Return the task card of ai_ask and ai_say."""
    card: dict[str, JsonValue] = {
        **base_card(context, brief, stage=section),
        "round": max(context.instance.round, 1),
        "max_rounds": brief.max_rounds,
        "asks": list(template.asks),
        **brief.card,
    }
    if asked:
        card["reply"] = list(asked)
    if context.reply is not None:
        card["user_input"] = context.reply
    if context.advice is not None:
        card["advice"] = True
    return card


def base_card(context: RoundContext, brief: Brief, *, stage: str) -> dict[str, JsonValue]:
    """Return the keys of every task card."""
    return {
        "v": 1,
        "kind": context.action.action_type.value,
        "stage": stage,
        "task": brief.task,
        "outputs": [
            {"name": o.get, "type": o.type.value, "options": list(o.options)} for o in brief.outputs
        ],
    }


def missing_degradations(names: Sequence[str]) -> tuple[Degradation, ...]:
    """Return one degradation for the placeholders nothing filled, none where there are none."""
    listed = ",".join(dict.fromkeys(names))
    if not listed:
        return ()
    return (Degradation.of("template", "PLACEHOLDER_EMPTY", placeholders=listed),)
