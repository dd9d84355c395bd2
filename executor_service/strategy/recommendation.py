"""The strategy engine: from a context to a recommendation, by one model call.

What an answer lacks becomes a warning in the ledger; no part of it is guessed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from heartrule.domain.conversation import Role
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis, Purpose
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.strategy import StrategyContext, StrategyReasoning, StrategyRecommendation
from heartrule.model.ports import ChatModel, ChatRequest
from heartrule.model.prompt_words import PromptWords
from heartrule.model.prompts import build_messages
from heartrule.model.quoting import continued, dialogue_text
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.prose import Skeleton
from heartrule.model.template import Template
from heartrule.model.template_filling import render_value
from heartrule.model.template_store import TemplateStore
from heartrule.model.whole_reply import whole_reply

LOG = logging.getLogger(__name__)
#: The template, and the prompt type the ledger shows (document 001, LLMDebugInfo).
TEMPLATE = "strategy_generation"
#: Characters of one message in the prompt; the middle of a longer one is left out.
LONGEST_LINE = 800


def strategy_request(
    template: Template, context: StrategyContext, words: PromptWords
) -> ChatRequest:
    """Return the request that asks for a recommendation; values are never scanned."""
    prompt = build_messages(
        template,
        "turn",
        system=system_variables(context, words),
        script=context.user_profile,
        card=_card(context),
    )
    request = prompt.request(template, purpose=Purpose.STRATEGY, words=words)
    return replace(request, prompt_type=TEMPLATE)


def system_variables(context: StrategyContext, words: PromptWords) -> dict[str, str]:
    """Return the values of `{%x%}`; `{educationLevel}` and its like are the profile's own."""
    situation, action = context.current_situation, context.action_config
    dialogue = (
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
        "user_profile": _lines(context.user_profile, words),
        "conversation_history": dialogue_text(dialogue, words, longest=LONGEST_LINE),
    }


def last_words(context: StrategyContext) -> str:
    """Return the client's last message; empty where there is none."""
    for line in reversed(context.conversation_history):
        if line.role is Role.CLIENT:
            return line.content
    return ""


def _lines(values: Mapping[str, JsonValue], words: PromptWords) -> str:
    """Return one line for each value, whatever line breaks it has."""
    inline = {name: continued(" ".join(render_value(v).split())) for name, v in values.items()}
    return "\n".join(f"- {name}{words.colon}{text}" for name, text in inline.items())


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


#: What the strategy engine's model answers, spelled as document 001 prints it.
CONTRACT = ReplyContract(fields=("reasoning", "strategyPrompt"), required=())
#: Characters of a recommendation: it enters a prompt, and must not crowd it out.
LONGEST_PROMPT = 1_500
# Characters of each part of the reasoning: it is shown to operators, and stored with the round.
LONGEST_REASON = 600
# A model that repeats itself can list any number of them.
MOST_CONSIDERATIONS = 8


def read_recommendation(
    text: str, words: PromptWords, *, own_words: Skeleton, client_text: str
) -> tuple[StrategyRecommendation | None, ParseDiagnosis]:
    """Read one answer with the three strategies of the shared parser.

    Args:
        text: The model's whole answer.
        words: The engine's own, for the heading of a recommendation without one.
        own_words: The template's; a text that copies them is absent (RESOLUTIONS C36).
        client_text: The client's last message; an object quoted from it is no answer.

    Returns:
        None for the recommendation where the answer cannot be read or recommends nothing.
    """
    parsed = parse_object(text, contract=CONTRACT, client_text=client_text)
    if parsed.value is None:
        return None, parsed.diagnosis
    fields = _RecommendationFields(parsed.value, own_words, words)
    prompt = fields.text("strategyPrompt", LONGEST_PROMPT)
    reasoning = StrategyReasoning(
        user_state_analysis=fields.text("reasoning.userStateAnalysis", LONGEST_REASON),
        key_considerations=fields.texts("reasoning.keyConsiderations"),
        strategy_rationale=fields.text("reasoning.strategyRationale", LONGEST_REASON),
    )
    warnings = (*parsed.diagnosis.warnings, *fields.warnings)
    diagnosis = replace(parsed.diagnosis, warnings=warnings)
    if not prompt:
        return None, diagnosis
    headed = prompt if prompt.startswith("【") else f"{words.strategy_heading}\n{prompt}"
    return StrategyRecommendation(strategy_prompt=headed, reasoning=reasoning), diagnosis


class _RecommendationFields:
    """Typed access to a reply's object that notes what it could not take."""

    def __init__(
        self, value: Mapping[str, JsonValue], own_words: Skeleton, words: PromptWords
    ) -> None:
        self.warnings: list[str] = []
        self._value = value
        self._skeleton, self._colon = own_words, words.colon

    def text(self, name: str, longest: int) -> str:
        """Return a text without white space around it; empty where there is none."""
        value = self._find(name)
        if isinstance(value, Mapping):  # four parts instead of one text: each on a line
            parts = (f"{part}{self._colon}{render_value(each)}" for part, each in value.items())
            value = "\n".join(parts)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            value = "\n".join(render_value(each) for each in value)
        return self._plain(name, value, longest)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list; one text alone is a list of one."""
        value = self._find(name)
        if value is None:
            return ()
        several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        if len(several) > MOST_CONSIDERATIONS:
            self._warn(name, f"was cut after {MOST_CONSIDERATIONS} items")
        found = [self._plain(name, one, LONGEST_REASON) for one in several[:MOST_CONSIDERATIONS]]
        return tuple(text for text in found if text)

    def _find(self, name: str) -> JsonValue:
        found: JsonValue = self._value
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if found is None:
            self._warn(name, "is absent")
        return found

    def _plain(self, name: str, value: JsonValue, longest: int) -> str:
        text = render_value(value).strip()
        if self._skeleton.copied(name, text):
            self._warn(name, "copies the template")
            return ""
        if len(text) > longest:
            self._warn(name, f"was cut after {longest} characters")
        return text[:longest]

    def _warn(self, name: str, what: str) -> None:
        self.warnings.append(f"{name} {what}")


class NoRecommendation(ModelUnavailable):
    """The model's answer holds no recommendation that can be used."""


async def generate_strategy_prompt(
    model: ChatModel,
    templates: TemplateStore,
    context: StrategyContext,
    *,
    calls: list[LLMDebugInfo],
    scheme: str,
    language: str,
    words: PromptWords,
) -> StrategyRecommendation:
    """Return how the model would speak with the client, made from the context alone.

    Args:
        model: The model to ask.
        templates: The prompt templates.
        context: All it is asked with (document 001, section 4.2.3).
        calls: Gets a record of every model call, also of those that fail.
        scheme: The scheme whose template counts before the default one.
        language: The session's.
        words: The engine's own in that language.

    Raises:
        NoRecommendation: The answer is unreadable, or holds no recommendation.
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
        NotFound, InvalidTemplate: There is no such template, or it is wrong.
    """
    template = templates.get(TEMPLATE, scheme, language)
    text = await whole_reply(model, strategy_request(template, context, words), calls=calls)
    recommendation, diagnosis = read_recommendation(
        text, words, own_words=template.own_words, client_text=last_words(context)
    )
    if calls:
        calls[-1] = replace(calls[-1], parse=diagnosis)
    if recommendation is not None:
        return recommendation
    if diagnosis.parse_error is not None:
        LOG.warning("the strategy is unreadable; its text is in the ledger")
        raise NoRecommendation("the strategy cannot be read", reason="STRATEGY_UNREADABLE")
    raise NoRecommendation("the model recommended nothing", reason="STRATEGY_EMPTY")
