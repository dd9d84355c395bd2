"""A text that may not be sent is asked for once more; then the script's or the template's counts.

At most once a turn, as every call costs the client's time (RESOLUTIONS C37).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.outgoing_rules import RoundReplies
from executor_service.actions.talk_attempt import TalkAttempt, attempt
from heartrule.domain.errors import ModelRateLimited, ModelStreamCut, ModelUnavailable
from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatRequest
from heartrule.model.reply.prose import is_repeated

LOG = logging.getLogger(__name__)


async def sendable(
    request: ChatRequest, replies: RoundReplies, rules: OutgoingRules
) -> tuple[TalkAttempt, tuple[Degradation, ...]]:
    """Return the attempt that counts, and what was wrong with the texts of this round.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent.
    """
    context = replies.context
    made = await attempt(request, replies, rules)
    if not made.caught or not context.streamer.second_tries.take():
        return made, _faults(made)
    texts = context.streamer.texts.of(context.scene.language)
    assert made.fault is not None, "it was caught"
    line = texts.ask_again.get(made.fault, "")
    try:
        again = await attempt(with_line(request, line), replies, rules)
    except (ModelUnavailable, ModelRateLimited, ModelStreamCut):
        LOG.warning("no second text came", extra={"fault": made.fault.value})
        return made, _faults(made)
    return again, (_not_sent(made.fault, "asked_again"), *_faults(again))


def _faults(made: TalkAttempt) -> tuple[Degradation, ...]:
    found = []
    if made.fault is not None:
        found.append(_not_sent(made.fault, "replaced" if made.caught else "cut"))
    if made.late_question:
        length = str(len(made.late_question))
        found.append(Degradation.of("outgoing", "LATE_QUESTION", characters=length))
    return tuple(found)


def _not_sent(fault: TextFault, done: str) -> Degradation:
    return Degradation.of("outgoing", "TEXT_NOT_SENT", fault=fault.value, done=done)


def with_line(request: ChatRequest, *lines: str) -> ChatRequest:
    """Return a request whose last message has further lines before its own last one."""
    added = [line for line in lines if line]
    if not added:
        return request
    last = request.messages[-1]
    body, newline, end = last.content.rpartition("\n")
    content = "\n".join((*((body,) if newline else ()), *added, end))
    return replace(request, messages=(*request.messages[:-1], replace(last, content=content)))


def instead_of(
    made: TalkAttempt, replies: RoundReplies, *, own: str, lines: Mapping[str, str], last: bool
) -> str:
    """Return what is sent where nothing of a reply may be.

    A caught text gives way to the script's own, in other words; an unreadable opening to the
    script's own as it is; anything else to a line of the template.
    """
    context = replies.context
    closes = last or (made.reply is not None and replies.judges(made.reply))
    if made.fault is None and context.reply is None and own:
        text = own
    elif made.fault is not None and own and not closes:
        texts = context.streamer.texts.of(context.scene.language)
        text = _in_other_words(own, texts.other_words, context.recent_texts)
    else:
        text = lines["closing" if closes else "reask"].strip() or own
    return text


def _in_other_words(question: str, ways: Sequence[str], said: Sequence[str]) -> str:
    """Return the first way to put a question that was not said lately."""
    put = [way.replace("{question}", question) for way in ways] or [question]
    return next((each for each in put if not is_repeated(each, said)), put[0])
