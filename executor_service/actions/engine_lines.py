"""What the engine says in the place of a text that may not be sent: a wording not said lately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.outgoing.unsaid import first_unsaid, least_recent
from executor_service.actions.outgoing_rules import (
    RoundReplies,
    engine_texts,
    leading,
    said_before,
)
from executor_service.actions.talk_attempt import TalkAttempt
from executor_service.scripts.model.actions import ActionType
from heartrule.model.template_filling import render_value

# Characters of one answer that a confirmation repeats.
_LONGEST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineLine:
    """A text of the engine's own."""

    text: str
    spare: bool = False
    """True: an action's end that was said before; left out where another action speaks next."""


def instead_of(
    made: TalkAttempt, replies: RoundReplies, *, own: str, lines: Mapping[str, str], last: bool
) -> EngineLine:
    """Return what is sent where nothing of a reply may be.

    Args:
        made: The reply.
        replies: The round.
        own: The script's own text for the client.
        lines: The template's, by section.
        last: Whether the round is the action's last one.
    """
    context = replies.context
    said = said_before(context)
    opens = context.reply is None
    ends = made.reply is not None and replies.judges(made.reply).ends
    closes = last or replies.brief.ends_at_once or ends
    if closes and not (opens and own):
        return _closing(context, lines["closing"].strip() or own, said)
    again = _again(made, replies, own)
    if opens and own:
        return EngineLine(text=least_recent([own, *again], said))
    reask = lines["reask"].strip()
    if again and (made.said.fault is not None or made.reply is not None):
        return EngineLine(text=least_recent(again, said))
    others = again or engine_texts(context).reasks
    return EngineLine(text=least_recent([each for each in (reask, *others) if each] or [own], said))


def plain_line(context: RoundContext, lines: Mapping[str, str], *, closes: bool) -> EngineLine:
    """Return what is said where there is nothing of a model's to say.

    Args:
        context: The round.
        lines: The template's, by section.
        closes: Whether the action ends with it.
    """
    said = said_before(context)
    if closes:
        return _closing(context, lines["closing"].strip(), said)
    ways = [lines["reask"].strip(), *engine_texts(context).reasks]
    return EngineLine(text=least_recent([each for each in ways if each] or [""], said))


def confirmation(context: RoundContext) -> str:
    """Return the engine's confirmation of what this message is to confirm; empty for nothing."""
    ways = engine_texts(context).confirmations
    answers = context.beside.to_confirm
    if not (ways and answers):
        return ""
    given = (each.quote or render_value(each.value) for each in answers)
    known = context.scene.words.comma.join(dict.fromkeys(map(_short, given)))
    text = least_recent([way.replace("{known}", known) for way in ways], said_before(context))
    return leading(text)


def confirming(context: RoundContext) -> tuple[OutgoingMessage, ...]:
    """Return the message that confirms before words which no model writes; none for nothing."""
    text = confirmation(context).rstrip()
    return (OutgoingMessage(message_id=context.make_id("msg"), text=text),) if text else ()


def _again(made: TalkAttempt, replies: RoundReplies, own: str) -> list[str]:
    """Return the ways to ask once more, or to tell once more; none without a text of the script."""
    texts = engine_texts(replies.context)
    if replies.context.action.action_type is ActionType.AI_SAY:
        return texts.said_again(own) if own and texts.told_again else []
    asked = replies.asked_after(made.reply).question or own
    return texts.asked_again(asked) if asked and texts.other_words else []


def _closing(context: RoundContext, first: str, said: Sequence[str]) -> EngineLine:
    wordings = [each for each in (first, *engine_texts(context).closings) if each] or [""]
    if text := first_unsaid(wordings, said):
        return EngineLine(text=text)
    return EngineLine(text=least_recent(wordings, said), spare=True)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
