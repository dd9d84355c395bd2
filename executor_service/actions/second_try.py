"""A text that may not be sent is asked for once more; then the engine's own counts.

At most once a turn, as every call costs the client's time (RESOLUTIONS C37); and not at all in an
action whose model was told once what is wrong, and did no better.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from executor_service.actions.language_check import language_faults
from executor_service.actions.outgoing.outgoing_text import OutgoingRules
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.outgoing_rules import RoundReplies
from executor_service.actions.talk_attempt import TalkAttempt, attempt
from heartrule.domain.errors import ModelRateLimited, ModelStreamCut, ModelUnavailable
from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatRequest

LOG = logging.getLogger(__name__)
#: What is recorded of a fault after which the model was asked again.
ASKED_AGAIN = "asked_again"
#: Key of an instance's memory: the model was told what is wrong, and its text was caught again.
TOLD_IN_VAIN = "told_in_vain"


async def sendable(
    request: ChatRequest, replies: RoundReplies, rules: OutgoingRules
) -> tuple[TalkAttempt, tuple[Degradation, ...]]:
    """Return the attempt that counts, and what was wrong with the texts of this round.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent.
    """
    made, faults = await _tried(request, replies, rules)
    written = made.message.text.removeprefix(rules.lead)
    in_words = await language_faults(replies.context, written, scripted=rules.own)
    return made, (*faults, *in_words)


async def _tried(
    request: ChatRequest, replies: RoundReplies, rules: OutgoingRules
) -> tuple[TalkAttempt, tuple[Degradation, ...]]:
    """Return the attempt that counts, and what was caught of the texts of this round."""
    context = replies.context
    made = await attempt(request, replies, rules)
    told_in_vain = bool(context.instance.memory.get(TOLD_IN_VAIN))
    if not made.caught or told_in_vain or not context.streamer.second_tries.take():
        return made, _faults(made)
    texts = context.streamer.texts.of(context.scene.language)
    assert made.fault is not None, "it was caught"
    line = texts.ask_again.get(made.fault, "")
    try:
        again = await attempt(with_line(request, line), replies, rules)
    except (ModelUnavailable, ModelRateLimited, ModelStreamCut):
        LOG.warning("no second text came", extra={"fault": made.fault.value})
        return made, _faults(made)
    return again, (_not_sent(made.fault, ASKED_AGAIN), *_faults(again))


def _faults(made: TalkAttempt) -> tuple[Degradation, ...]:
    found = []
    if made.fault is not None:
        found.append(_not_sent(made.fault, "replaced" if made.caught else "cut"))
    if made.late_question:
        length = str(len(made.late_question))
        found.append(Degradation.of("outgoing", "LATE_QUESTION", characters=length))
    if made.known_question:
        length = str(len(made.known_question))
        found.append(Degradation.of("outgoing", "KNOWN_QUESTION", characters=length))
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
