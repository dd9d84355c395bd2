"""A text that may not be sent is asked for once more; then the engine's own counts.

At most once a turn, as every call costs the client's time (RESOLUTIONS C37); and not at all in an
action whose model was told once what is wrong, and did no better.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from executor_service.actions.language_check import language_faults
from executor_service.actions.outgoing.outgoing_text import OutgoingRules, not_sent
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
    if not made.said.caught or told_in_vain or not context.streamer.second_tries.take():
        return made, made.said.degradations()
    texts = context.streamer.texts.of(context.scene.language)
    fault = made.said.fault
    assert fault is not None, "it was caught"
    line = texts.ask_again.get(fault, "")
    try:
        again = await attempt(with_line(request, line), replies, rules)
    except (ModelUnavailable, ModelRateLimited, ModelStreamCut):
        LOG.warning("no second text came", extra={"fault": fault.value})
        return made, made.said.degradations()
    return again, (not_sent(fault, ASKED_AGAIN), *again.said.degradations())


def with_line(request: ChatRequest, *lines: str) -> ChatRequest:
    """Return a request whose last message has further lines before its own last one."""
    added = [line for line in lines if line]
    if not added:
        return request
    last = request.messages[-1]
    body, newline, end = last.content.rpartition("\n")
    content = "\n".join((*((body,) if newline else ()), *added, end))
    return replace(request, messages=(*request.messages[:-1], replace(last, content=content)))
