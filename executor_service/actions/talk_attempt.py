"""One call for a message: streamed, read, and what of its text may be sent."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.actions.action_context import OutgoingMessage
from executor_service.actions.outgoing.outgoing_text import CheckedText, OutgoingRules, checked
from executor_service.actions.outgoing_rules import RoundReplies
from executor_service.actions.reply_diagnosis import diagnosis_degradations, log_diagnosis
from executor_service.actions.reply_streamer import INTERRUPTED, StreamedReply
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatRequest
from heartrule.model.reply.prose import is_prose, is_refusal
from heartrule.model.reply.typed_replies import TalkReply


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkAttempt:
    """What one call gave."""

    message: OutgoingMessage
    """Its text is empty where none may be sent."""
    said: CheckedText
    """What became of its text."""
    reply: TalkReply | None
    """None when it was unreadable, or cut."""
    diagnosis: ParseDiagnosis
    degradations: tuple[Degradation, ...]


async def attempt(request: ChatRequest, replies: RoundReplies, rules: OutgoingRules) -> TalkAttempt:
    """Make the call.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent.
    """
    streamer = replies.context.streamer
    streamed = await streamer.stream_reply(request, replies.contract, rules)
    reply, diagnosis = _read(streamed, replies)
    streamer.note_parse(diagnosis)
    text, fallback = _text(streamed, reply, replies.contract.content_hint)
    said = streamed.said
    if text and not said.text:
        ends = bool(replies.ends(streamed.raw, whole=True))
        said = checked(text, rules, ends=ends, raw=streamed.raw)
    message = OutgoingMessage(
        message_id=streamed.message_id, text=said.text, completeness=streamed.completeness
    )
    return TalkAttempt(
        message=message,
        said=said,
        reply=reply,
        diagnosis=diagnosis,
        degradations=(*streamer.prompt_cuts(), *_reading(streamed, diagnosis, fallback)),
    )


def _read(
    streamed: StreamedReply, replies: RoundReplies
) -> tuple[TalkReply | None, ParseDiagnosis]:
    """Parse the reply; a cut one is never trusted beyond what was shown."""
    reply = replies.read(streamed.raw, "length" if streamed.cut else streamed.finish_reason)
    if not streamed.cut:
        log_diagnosis(reply.diagnosis, prompt_type=replies.template.prompt_type)
    return (reply if reply.readable and not streamed.cut else None), reply.diagnosis


def _text(streamed: StreamedReply, reply: TalkReply | None, hint: str) -> tuple[str, str]:
    """Return the text and its fallback, "" for none; an empty text is still to be replaced."""
    if streamed.said.text:
        return streamed.said.text, ""
    if reply is not None:
        return reply.content, ""
    if is_refusal(streamed.raw):
        return "", "REFUSAL"
    if is_prose(streamed.raw, hint=hint):
        return streamed.raw.strip(), "PROSE"
    return "", "NEUTRAL_LINE"


def _reading(
    streamed: StreamedReply, diagnosis: ParseDiagnosis, fallback: str
) -> tuple[Degradation, ...]:
    """Return what was read less well than asked."""
    if streamed.cut == INTERRUPTED:
        return ()
    found = diagnosis_degradations(diagnosis)
    if streamed.cut:
        return (*streamed.why_cut(), *found)
    if diagnosis.parse_error is not None:
        said = fallback or "STREAMED"
        return (Degradation.of("parse", "UNREADABLE_REPLY", said=said), *found)
    return found
