"""What a round's message is held against before it leaves: from the round to the pure checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import orjson

from executor_service.actions.action_context import RoundContext
from executor_service.actions.message_order import unanswered
from executor_service.actions.outgoing.claims import asks_what_it_is
from executor_service.actions.outgoing.known_question import AskedOutputs
from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.outgoing.outgoing_texts import OutgoingTexts
from executor_service.actions.outgoing.same_text import EarlierTexts
from executor_service.actions.outgoing.unsaid import least_recent
from executor_service.actions.prompting import Brief
from executor_service.exits.policy import ends_by_rounds, policy_for
from executor_service.scripts.model.actions import ActionType, AskConfig, FormConfig
from heartrule.domain.exits import DecisionSource
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.typed_replies import TalkReply, read_talk_reply
from heartrule.model.template import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a reply would do, before it does it."""

    ends: bool = False
    """Whether its action ends with it."""
    given: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the client has told, by it."""


#: Returns what a reply would do; None is a reply that cannot be read.
Judges: TypeAlias = Callable[[TalkReply | None], Outlook]


def goes_on(_reply: TalkReply | None) -> Outlook:
    """Return that the action goes on: an opening ends nothing."""
    return Outlook()


def reply_so_far(raw: str) -> str:
    """Return the object of a reply up to the last field that closed, if `variables` is among them.

    Empty: it is not known yet what the client gave.
    """
    start, end = raw.find("{"), raw.rfind("}")
    if start < 0 or '"variables"' not in raw:
        return ""
    begun = raw[start : end + 1] + "}"
    try:
        fields = orjson.loads(begun)
    except orjson.JSONDecodeError:
        return ""
    return begun if isinstance(fields, dict) and "variables" in fields else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReplies:
    """The replies of one round: how they are read, and when they end the action."""

    context: RoundContext
    brief: Brief
    template: Template
    contract: ReplyContract
    asked: Sequence[str]
    judges: Judges

    def read(self, raw: str, finish_reason: str = "stop") -> TalkReply:
        """Return a reply as typed values."""
        return read_talk_reply(
            raw,
            contract=self.contract,
            own_words=self.template.own_words,
            client_text=self.context.reply or "",
            finish_reason=finish_reason,
        )

    def ends(self, raw: str, *, whole: bool) -> bool | None:
        """Return whether the action ends with a reply; None while it may still decide."""
        if self.brief.ends_at_once:
            return True
        text = raw if whole else reply_so_far(raw)
        if not text:
            return self.judges(None).ends if whole else None
        reply = self.read(text)
        if self.judges(reply if reply.readable else None).ends:
            return True
        return False if whole or not self._decides_late() else None

    def rules(self, *, is_last: bool, own: str) -> OutgoingRules:
        """Return what the round's message is held against; `own` is the script's own text."""
        context = self.context
        return OutgoingRules(
            earlier=earlier_texts(context),
            role=context.scene.cast.who,
            own=f"{own}\n{self.brief.task}",
            lead=lead(context),
            asks=self._asks,
            judges=context.reply is not None or self.brief.ends_at_once,
            may_end=is_last or self.brief.ends_at_once or self._may_end_by_engine(),
            ends=self.ends,
        )

    def asked_after(self, reply: TalkReply | None) -> AskedOutputs:
        """Return what the action asks for, and what of it the client has given with a reply."""
        asked = self.brief.asked
        return asked.after(self.judges(reply).given) if reply and asked.outputs else asked

    def _asks(self, raw: str) -> tuple[AskedOutputs, str]:
        """Return what the action asks for, and the question for what is missing of it."""
        asked, context = self.brief.asked, self.context
        if len(asked.outputs) < 2:
            return asked, ""
        if raw:
            reply = self.read(reply_so_far(raw) or raw)
            asked = self.asked_after(reply if reply.readable else None)
        if not asked.tells_apart:
            return asked, ""
        ways = engine_texts(context).asked_again(asked.question)
        return asked, least_recent(ways, said_before(context))

    def _may_end_by_engine(self) -> bool:
        sources = policy_for(self.context.action).enabled_sources
        criteria = self.brief.criteria
        if self._suggests() and DecisionSource.LLM_SUGGESTION in sources:
            return True
        if DecisionSource.EXIT_CRITERIA not in sources:
            return False
        config = self.context.action.config
        if isinstance(config, FormConfig) or (isinstance(config, AskConfig) and config.collect):
            return True
        early = criteria is not None and (criteria.min_rounds or 0) > self.context.round
        only_known = criteria is not None and criteria.outputs_known
        return criteria is not None and not early and not (only_known and not self.brief.required)

    def _decides_late(self) -> bool:
        """Return whether a field behind `variables` may end the action."""
        criteria = self.brief.criteria
        assessed = criteria is not None and (
            criteria.understanding_threshold is not None or criteria.has_questions is not None
        )
        return assessed or self._suggests()

    def _suggests(self) -> bool:
        return "should_exit" in (self.asked or self.template.fields)


def is_last(context: RoundContext, brief: Brief) -> bool:
    """Return whether the round's number makes its message the action's last one.

    An ai_say ends with the reply to its last utterance, others with the message that follows the
    last answer, so their opening is never the last.
    """
    utters = context.action.action_type is ActionType.AI_SAY
    could_be = utters or context.reply is not None
    return could_be and ends_by_rounds(context.action) and context.round >= brief.max_rounds


def lead(context: RoundContext) -> str:
    """Return what a message begins with: the engine's answer to a client who asks what it is."""
    words = context.reply if context.reply is not None else unanswered(context.history)[1]
    return leading(engine_texts(context).what_it_is) if asks_what_it_is(words) else ""


def leading(text: str) -> str:
    """Return a sentence as it stands before others: a blank follows a Latin one."""
    return f"{text} " if text[-1:].isascii() and text else text


def notes(context: RoundContext, *, is_last: bool) -> list[str]:
    """Return the engine's lines for the model about this message."""
    texts = engine_texts(context)
    return [
        line
        for line, holds in (
            (texts.just_closed, context.just_spoke and context.reply is None),
            (texts.last_answer, is_last and context.reply is not None),
            (texts.already_said, bool(lead(context))),
        )
        if line and holds
    ]


def engine_texts(context: RoundContext) -> OutgoingTexts:
    """Return the engine's words in the session's language."""
    return context.streamer.texts.of(context.scene.language)


def earlier_texts(context: RoundContext) -> EarlierTexts:
    """Return what a new text is compared with."""
    return EarlierTexts(client=_of_client(context), said=said_before(context))


def _of_client(context: RoundContext) -> tuple[str, ...]:
    earlier = _texts_of(context.history, "user")
    return (*earlier, context.reply) if context.reply else tuple(earlier)


def said_before(context: RoundContext) -> tuple[str, ...]:
    """Return the assistant's messages of the window, oldest first."""
    return (*_texts_of(context.history, "assistant"), *context.recent_texts)


def _texts_of(history: Sequence[ChatMessage], role: str) -> Iterator[str]:
    """Yield the texts of one role; neighbours of a role are one message, a line each."""
    for message in history:
        if message.role == role:
            yield message.content
            if "\n" in message.content:
                yield from message.content.split("\n")
