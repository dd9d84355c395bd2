"""What a round's message is held against before it leaves: from the round to the pure checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.actions.action_context import RoundContext
from executor_service.actions.message_order import unanswered
from executor_service.actions.outgoing.claims import asks_what_it_is
from executor_service.actions.outgoing.early_reply import reply_so_far
from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.outgoing.outgoing_texts import OutgoingTexts
from executor_service.actions.outgoing.same_text import EarlierTexts
from executor_service.actions.prompting import Brief
from executor_service.exits.policy import policy_for
from executor_service.scripts.model.actions import AskConfig, FormConfig
from heartrule.domain.exits import DecisionSource
from heartrule.model.ports import ChatMessage
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.typed_replies import TalkReply, read_talk_reply
from heartrule.model.template import Template

#: Returns whether a reply ends its action; None is a reply that cannot be read.
Judges: TypeAlias = Callable[[TalkReply | None], bool]


def goes_on(_reply: TalkReply | None) -> bool:
    """Return that the action goes on: an opening ends nothing."""
    return False


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
        text = raw if whole else reply_so_far(raw)
        if not text:
            return self.judges(None) if whole else None
        reply = self.read(text)
        if self.judges(reply if reply.readable else None):
            return True
        return False if whole or not self._decides_late() else None

    def rules(self, *, is_last: bool, own: str) -> OutgoingRules:
        """Return what the round's message is held against; `own` is the script's own text."""
        context = self.context
        judges = context.reply is not None
        return OutgoingRules(
            earlier=EarlierTexts(client=_of_client(context), said=_said(context)),
            role=context.scene.cast.who,
            own=f"{own}\n{self.brief.task}",
            lead=lead(context),
            judges=judges,
            may_end=is_last or self._may_end_by_engine(),
            ends=self.ends,
        )

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


def lead(context: RoundContext) -> str:
    """Return what a message begins with: the engine's answer to a client who asks what it is."""
    words = context.reply if context.reply is not None else unanswered(context.history)[1]
    return _texts(context).what_it_is if asks_what_it_is(words) else ""


def notes(context: RoundContext, *, is_last: bool) -> list[str]:
    """Return the engine's lines for the model about this message."""
    texts = _texts(context)
    just_closed = texts.just_closed.replace("{said}", context.just_said)
    return [
        line
        for line, holds in (
            (just_closed, bool(context.just_said) and context.reply is None),
            (texts.last_answer, is_last and context.reply is not None),
            (texts.already_said, bool(lead(context))),
        )
        if line and holds
    ]


def _texts(context: RoundContext) -> OutgoingTexts:
    return context.streamer.texts.of(context.scene.language)


def _of_client(context: RoundContext) -> tuple[str, ...]:
    earlier = _texts_of(context.history, "user")
    return (*earlier, context.reply) if context.reply else tuple(earlier)


def _said(context: RoundContext) -> tuple[str, ...]:
    return (*_texts_of(context.history, "assistant"), *context.recent_texts)


def _texts_of(history: Sequence[ChatMessage], role: str) -> Iterator[str]:
    """Yield the texts of one role; neighbours of a role are one message, a line each."""
    for message in history:
        if message.role == role:
            yield message.content
            if "\n" in message.content:
                yield from message.content.split("\n")
