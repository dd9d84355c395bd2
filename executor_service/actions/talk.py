"""One model call for a message to the client: prompt, stream, parse, or a neutral line instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.asked_fields import asked_fields, beside_names
from executor_service.actions.engine_lines import confirmation, instead_of
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.outgoing_rules import (
    Judges,
    RoundReplies,
    goes_on,
    is_last,
    notes,
)
from executor_service.actions.prompt_texts import run_lines
from executor_service.actions.prompting import (
    Brief,
    chat_request,
    missing_degradations,
    script_text,
    talk_card,
    talk_values,
)
from executor_service.actions.reply_diagnosis import layer_degradations, parse_facts
from executor_service.actions.second_try import ASKED_AGAIN, TOLD_IN_VAIN, sendable, with_line
from executor_service.actions.talk_attempt import TalkAttempt
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyDecision
from heartrule.model.reply.contract import ReplyContract, talk_contract
from heartrule.model.reply.prose import is_repeated
from heartrule.model.reply.typed_replies import TalkReply
from heartrule.model.template import Template
from heartrule.model.template_filling import fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What one talking call gave."""

    message: OutgoingMessage
    made: TalkAttempt
    """The call that counts; its message may have been replaced."""
    degradations: tuple[Degradation, ...] = ()
    memory: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the action is to remember besides."""
    strategy: StrategyDecision | None = None
    """What the strategy engine recommended in this round."""
    metrics_asked: bool = True
    """False where nobody reads the round's metrics, and the prompt did not ask for them."""
    repeated: bool = False
    """True when the text equals one of the assistant's last messages (RESOLUTIONS C37)."""
    told_in_vain: bool = False
    """True when the text was caught again after the model had been told what was wrong."""
    faults: tuple[str, ...] = ()
    """What was wrong with texts of this round."""

    @property
    def effective_reply(self) -> TalkReply:
        """The reply; where it was unreadable or cut, one that judges nothing."""
        return self.made.reply or TalkReply(diagnosis=self.made.diagnosis)

    @property
    def metadata(self) -> dict[str, JsonValue]:
        """How the reply was parsed, for the result (RESOLUTIONS C3)."""
        diagnosis, said = self.made.diagnosis, self.made.said
        facts = parse_facts(diagnosis)
        if diagnosis.parse_error is not None:
            facts["errorMessage"] = diagnosis.parse_error.final_error
        if self.repeated or TextFault.REPETITION in self.faults:
            facts["repeated_content"] = True
        if said.late_question:
            facts["late_question"] = said.late_question
        if said.known_question:
            facts["known_question"] = said.known_question
        return facts


async def talk(context: RoundContext, brief: Brief, judges: Judges = goes_on) -> Talk:
    """Send one message to the client.

    A text that was streamed stays. Of an unreadable reply prose is sent as it is; anything else
    becomes the template's neutral line (RESOLUTIONS C4), or the action's own text in an opening,
    where no question was asked that could be asked again. A template without an opening opens
    with its turn. A text that may not be sent is asked for once more, and replaced then (C37).

    Args:
        context: The round.
        brief: The action's texts and limits.
        judges: Whether a reply ends the action.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: No text was sent.
    """
    scene, kind = context.scene, context.action.action_type.value
    template = context.templates.get(kind, scene.scheme, scene.language)
    opens = context.reply is None and template.section("opening")
    section = "opening" if opens else "turn"
    last = is_last(context, brief)
    values = talk_values(context, brief, template.section(section))
    of_runs = run_lines(context.runs.taken_up, scene.words)
    told = "\n".join((*of_runs, *notes(context, is_last=last)))
    has_place = "{%advice%}" in template.section(section)
    if told and has_place:
        values["advice"] = "\n".join(filter(None, (values["advice"], told)))
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
        beside = beside_names(context, brief, template, section)
        contract = replace(contract, outputs=(*contract.outputs, *beside))
    replies = RoundReplies(
        context=context,
        brief=brief,
        template=template,
        contract=contract,
        asked=asked,
        judges=judges,
    )
    own = _own_text(context, brief)
    request = request if has_place else with_line(request, told)
    rules = replies.rules(is_last=last, own=own)
    confirmed = confirmation(context)
    if "{%exit_hint%}" not in template.section(section):  # the model is told of nothing to confirm
        rules, confirmed = replace(rules, lead=rules.lead + confirmed), ""
    made, faults = await sendable(request, replies, rules)
    message = made.message
    if not message.text:
        lines = {
            line: fill(template.section(line), values, {}).text for line in ("closing", "reask")
        }
        line = instead_of(made, replies, own=own, lines=lines, last=last)
        text = f"{rules.lead}{confirmed}{line.text}"
        message = replace(message, text=text, spare=line.spare and text == line.text)
    degradations = (
        *missing_degradations((*brief.missing, *missing)),
        *layer_degradations(template, context.scene.scheme),
        *made.degradations,
        *faults,
    )
    kept = made.message.text
    return Talk(
        message=message,
        made=made,
        degradations=degradations,
        metrics_asked=not asked or "metrics" in asked,
        repeated=made.said.fault is TextFault.REPETITION or is_repeated(kept, context.recent_texts),
        told_in_vain=bool(context.instance.memory.get(TOLD_IN_VAIN))
        or (made.said.caught and _asked_again(faults)),
        faults=tuple(each.metadata.get("fault", "") for each in faults),
    )


def _asked_again(faults: Sequence[Degradation]) -> bool:
    return any(each.metadata.get("done") == ASKED_AGAIN for each in faults)


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


def _own_text(context: RoundContext, brief: Brief) -> str:
    """Return the action's own text as the client reads it."""
    (text,), _ = script_text(context, brief.own_text, for_client=True)
    return text.strip()
