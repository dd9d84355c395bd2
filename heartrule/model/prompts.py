"""A prompt is the constant system text, the history, and one last message with all that changes.

All that changes from turn to turn comes last, so that a provider can keep its cache of the
beginning, and the prompt ends with the reminder of the reply's format (ADR 13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, ChatRequest, GivesWay, PromptText
from heartrule.model.prompt_words import PromptWords
from heartrule.model.quoting import continued
from heartrule.model.template import Template
from heartrule.model.template_filling import fill_lines

# The only names the system section may fill: they do not change within a session.
CONSTANT_NAMES = frozenset({"who", "user", "client", "hotlines", "field_list"})
# Texts shorter than this never give way: a prompt would hardly become shorter.
LEAST_GIVING_WAY = 200
_GIVE_WAY: Mapping[str, GivesWay] = {
    "user_input": GivesWay.REPLY,
    "chat": GivesWay.VALUE,
    "dialogue": GivesWay.VALUE,
    "client_replies": GivesWay.VALUE,
    "conversation_history": GivesWay.VALUE,
    "remaining_queue": GivesWay.VALUE,
    "workflows": GivesWay.VALUE,
    "decided": GivesWay.VALUE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The messages of one model call."""

    messages: tuple[ChatMessage, ...]
    """System text, history, last user message."""
    missing: tuple[str, ...] = ()
    """Placeholders nothing filled, for the debug trail."""
    yielding: tuple[PromptText, ...] = ()
    """What others wrote of the last message, and may give way."""
    card: Mapping[str, JsonValue] = field(default_factory=dict)
    """The content of the task card, which is none of the messages."""
    reply_fields: tuple[str, ...] = ()
    """The top-level fields asked for, in their order."""
    quotes: bool = False
    """Whether a quote is asked for beside each variable."""

    def request(self, template: Template, *, purpose: Purpose, words: PromptWords) -> ChatRequest:
        """Return the request of this prompt, made by the template, with its language's words."""
        return ChatRequest(
            purpose=purpose,
            messages=self.messages,
            prompt_type=template.prompt_type,
            template_hash=template.content_hash,
            card=self.card,
            reply_fields=self.reply_fields,
            quotes=self.quotes,
            yielding=self.yielding,
            words=words,
        )


def build_messages(
    template: Template,
    section: str,
    *,
    history: Sequence[ChatMessage] = (),
    system: Mapping[str, str],
    script: Mapping[str, JsonValue],
    card: Mapping[str, JsonValue],
    asked: Sequence[str] = (),
) -> Prompt:
    """Fill a template into the messages of one call.

    Args:
        template: Gives the system text and the section.
        section: `opening` or `turn`.
        history: Earlier messages as plain text, without the reply that is judged now.
        system: System variables, quoted where others wrote them; `field_list` is added here.
        script: Script variables; their values are quoted here.
        card: The content of the task card.
        asked: The top-level fields that this call asks for; none: all of them.
    """
    fields, wanted = template.field_list, tuple(asked) or template.always_asked()
    constant = {name: text for name, text in system.items() if name in CONSTANT_NAMES}
    head = fill_lines(template.section("system"), {**constant, "field_list": fields}, {})
    # A template written before ADR 54 may still name the card.
    last_values = {**system, "field_list": fields, "task_card": "", "shape": template.shape(wanted)}
    last = fill_lines(template.section(section), last_values, script, written=continued)
    return Prompt(
        messages=(
            ChatMessage(role="system", content=head.text),
            *history,
            ChatMessage(role="user", content=last.text),
        ),
        missing=tuple(dict.fromkeys((*head.missing, *last.missing))),
        yielding=tuple(
            PromptText(kind=kind, text=system[name])
            for name, kind in _GIVE_WAY.items()
            if len(system.get(name, "")) >= LEAST_GIVING_WAY
        ),
        card=card,
        reply_fields=wanted if template.is_shaped(section) else template.reply_fields(),
        quotes="quotes" in template.asks,
    )
