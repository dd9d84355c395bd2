"""One model call for a message to the client: prompt, stream, parse, or a neutral line instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.asked_fields import AHEAD, asked_fields
from executor_service.actions.prompting import (
    Brief,
    chat_request,
    missing_degradations,
    script_text,
    talk_card,
    talk_values,
)
from executor_service.actions.reply_diagnosis import (
    diagnosis_degradations,
    layer_degradations,
    log_diagnosis,
    parse_facts,
)
from executor_service.actions.reply_streamer import INTERRUPTED, StreamedReply
from executor_service.exits.policy import ends_by_rounds
from executor_service.scripts.model.actions import ActionType
from heartrule.domain.conversation import Completeness
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis, Purpose
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyDecision
from heartrule.model.reply.contract import ReplyContract, talk_contract
from heartrule.model.reply.prose import is_prose, is_refusal, is_repeated
from heartrule.model.reply.typed_replies import TalkReply, read_talk_reply
from heartrule.model.template import Template
from heartrule.model.template_filling import fill

#: Fallbacks that send a line of the template or script; the others keep the model's text.
_INSTEAD = frozenset({"NEUTRAL_LINE", "REFUSAL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What one talking call gave."""

    message: OutgoingMessage
    reply: TalkReply | None
    """None when the reply was unreadable, or cut."""
    diagnosis: ParseDiagnosis
    degradations: tuple[Degradation, ...] = ()
    memory: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the action is to remember besides."""
    strategy: StrategyDecision | None = None
    """What the strategy engine recommended in this round."""
    metrics_asked: bool = True
    """False where nobody reads the round's metrics, and the prompt did not ask for them."""
    repeated: bool = False
    """True when the text equals one of the assistant's last messages (RESOLUTIONS C37)."""

    @property
    def effective_reply(self) -> TalkReply:
        """The reply; where it was unreadable or cut, one that judges nothing."""
        return self.reply or TalkReply(diagnosis=self.diagnosis)

    @property
    def metadata(self) -> dict[str, JsonValue]:
        """How the reply was parsed, for the result (RESOLUTIONS C3)."""
        facts = parse_facts(self.diagnosis)
        if self.diagnosis.parse_error is not None:
            facts["errorMessage"] = self.diagnosis.parse_error.final_error
        if self.repeated:
            facts["repeated_content"] = True
        return facts


async def talk(context: RoundContext, brief: Brief) -> Talk:
    """Send one message to the client.

    A text that was streamed stays. Of an unreadable reply prose is sent as it is; anything else
    becomes the template's neutral line (RESOLUTIONS C4), or the action's own text in an opening,
    where no question was asked that could be asked again. A template without an opening opens
    with its turn.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent.
    """
    template = context.templates.get(context.action.action_type.value, context.scene.scheme)
    opens = context.reply is None and template.section("opening")
    section = "opening" if opens else "turn"
    values = talk_values(context, brief, template.section(section))
    asked = asked_fields(context, brief, template, section)
    request, missing = chat_request(
        context,
        template,
        purpose=Purpose.TALK,
        section=section,
        values=values,
        card=talk_card(context, brief, template, section=section, asked=asked),
        asked=asked,
    )
    contract = _contract(context, brief, template, asked)
    if "variables" in asked:
        beside = _beside(context, brief, template, section)
        contract = replace(contract, outputs=(*contract.outputs, *beside))
    streamed = await context.streamer.stream_reply(request, contract)
    reply, diagnosis = _read(context, streamed, contract, template)
    context.streamer.note_parse(diagnosis)
    message, fallback = _message(streamed, reply, contract.content_hint)
    if fallback in _INSTEAD:
        own = _own_text(context, brief) if context.reply is None else ""
        line = "closing" if is_last(context, brief) else "reask"
        neutral = own or fill(template.section(line), values, {}).text.strip()
        message = replace(message, text=neutral)
    degradations = (
        *missing_degradations((*brief.missing, *missing)),
        *layer_degradations(template, context.scene.scheme),
        *context.streamer.prompt_cuts(),
        *_reading(streamed, diagnosis, fallback),
    )
    return Talk(
        message=message,
        reply=reply,
        diagnosis=diagnosis,
        degradations=degradations,
        metrics_asked=not asked or "metrics" in asked,
        repeated=fallback not in _INSTEAD and is_repeated(message.text, context.recent_texts),
    )


def is_last(context: RoundContext, brief: Brief) -> bool:
    """Return whether the round's number makes its message the action's last one.

    An ai_say ends with the reply to its last utterance, others with the message that follows the
    last answer, so their opening is never the last.
    """
    utters = context.action.action_type is ActionType.AI_SAY
    could_be = utters or context.reply is not None
    return could_be and ends_by_rounds(context.action) and context.round >= brief.max_rounds


def _beside(
    context: RoundContext, brief: Brief, template: Template, section: str
) -> tuple[str, ...]:
    """Return the names of other questions' outputs whose values the reply may give."""
    if AHEAD not in template.section(section):
        return ()
    own = {output.get for output in brief.outputs}
    beside = (*context.beside.later, *context.beside.known)
    return tuple(dict.fromkeys(each.get for each in beside if each.get not in own))


def _contract(
    context: RoundContext, brief: Brief, template: Template, asked: Sequence[str]
) -> ReplyContract:
    """Return what the reply may hold; an opening judges nothing, so it has no metrics."""
    judges = context.reply is not None
    contract = talk_contract(
        metrics=brief.metrics if judges and (not asked or "metrics" in asked) else (),
        outputs=tuple(each.get for each in brief.outputs),
        judges=judges,
    )
    return replace(contract, content_hint=template.fields.get("content", ""))


def _read(
    context: RoundContext, streamed: StreamedReply, contract: ReplyContract, template: Template
) -> tuple[TalkReply | None, ParseDiagnosis]:
    """Parse the reply; a cut one is never trusted beyond what was shown."""
    reply = read_talk_reply(
        streamed.raw,
        contract=contract,
        own_words=template.own_words,
        client_text=context.reply or "",
        finish_reason="length" if streamed.cut else streamed.finish_reason,
    )
    if not streamed.cut:
        log_diagnosis(reply.diagnosis, prompt_type=template.prompt_type)
    return (reply if reply.readable and not streamed.cut else None), reply.diagnosis


def _message(
    streamed: StreamedReply, reply: TalkReply | None, hint: str
) -> tuple[OutgoingMessage, str]:
    """Return the message and its fallback, "" for none; one of `_INSTEAD` is still to be filled."""
    completeness = Completeness.COMPLETE
    if streamed.cut and not streamed.whole:
        interrupted = streamed.cut == INTERRUPTED
        completeness = Completeness.INTERRUPTED if interrupted else Completeness.TRUNCATED
    if streamed.shown:
        text, fallback = streamed.shown, ""
    elif reply is not None:
        text, fallback = reply.content, ""
    elif is_refusal(streamed.raw):
        text, fallback = "", "REFUSAL"
    elif is_prose(streamed.raw, hint=hint):
        text, fallback = streamed.raw.strip(), "PROSE"
    else:
        text, fallback = "", "NEUTRAL_LINE"
    message = OutgoingMessage(message_id=streamed.message_id, text=text, completeness=completeness)
    return message, fallback


def _own_text(context: RoundContext, brief: Brief) -> str:
    """Return the action's own text as the client reads it."""
    (text,), _ = script_text(context, brief.own_text, for_client=True)
    return text.strip()


def _reading(
    streamed: StreamedReply, diagnosis: ParseDiagnosis, fallback: str
) -> tuple[Degradation, ...]:
    """Return what was read less well than asked."""
    if streamed.cut == INTERRUPTED:
        return ()
    found = diagnosis_degradations(diagnosis)
    if streamed.cut:
        return (Degradation.of("model", "STREAM_CUT", cause=streamed.cut), *found)
    if diagnosis.parse_error is not None:
        said = fallback or "STREAMED"
        return (Degradation.of("parse", "UNREADABLE_REPLY", said=said), *found)
    return found
