"""One model call of an agent: what it is told, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from executor_service.actions.action_context import RoundContext
from executor_service.actions.agent_prompt import agent_card, agent_values
from executor_service.actions.asked_fields import agent_fields, beside_names
from executor_service.actions.extracting import NOTHING, Extracted, extract_outputs
from executor_service.actions.outgoing_rules import notes
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
)
from executor_service.actions.second_try import with_line
from executor_service.decisions.agent_ground import AgentGround
from executor_service.scripts.model.agent_config import AgentConfig
from heartrule.domain.model_call import ParseDiagnosis, Purpose
from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatRequest
from heartrule.model.reply.agent_reply import AgentReply, read_agent_reply
from heartrule.model.reply.contract import ASK_METRICS, agent_contract
from heartrule.model.template import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCall:
    """What one call gave."""

    reply: AgentReply | None
    """None where it was unreadable."""
    diagnosis: ParseDiagnosis
    extracted: Extracted
    """The outputs that it gave and the client's words support; they are written."""
    metrics_asked: bool
    """Whether somebody reads the metrics."""
    degradations: tuple[Degradation, ...]


async def ask_agent(
    context: RoundContext,
    brief: Brief,
    known: AgentGround,
    *,
    left: int,
    judges: bool,
    is_last: bool,
) -> AgentCall:
    """Ask once; nothing of the reply is shown, since only the gate lets a text out.

    Args:
        context: The round.
        brief: The agent's texts.
        known: The session as it stands.
        left: Decisions that the turn may still make.
        judges: Whether the round judges what the client said, in this step or an earlier one.
        is_last: Whether the action ends with the round.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: The turn fails, retryable.
    """
    scene, config = context.scene, context.action.config
    assert isinstance(config, AgentConfig)
    template = context.templates.get("ai_agent", scene.scheme, scene.language)
    values = agent_values(template, config, known, left=left)
    brief = replace(brief, values=values, card=agent_card(context, config, known))
    section = "turn" if judges or not template.section("opening") else "opening"
    asked = agent_fields(context, brief, template, section, judges=judges)
    request, missing = _request(context, brief, template, section=section, asked=asked)
    raw = await context.streamer.whole_reply(with_line(request, *notes(context, is_last=is_last)))
    metrics_asked = judges and (not asked or "metrics" in asked)
    contract = agent_contract(
        metrics=brief.metrics if metrics_asked else (),
        outputs=(
            *(each.get for each in brief.outputs),
            *beside_names(context, brief, template, section),
        ),
        judges=judges,
    )
    said = context.reply or context.beside.unjudged
    reply = read_agent_reply(
        raw,
        contract=contract,
        own_words=template.own_words,
        client_text=said,
        finish_reason=context.streamer.finish_reason(),
    )
    context.streamer.note_parse(reply.diagnosis)
    log_diagnosis(reply.diagnosis, prompt_type=template.prompt_type)
    readable = reply.readable
    extracted = extract_outputs(context, brief.outputs, reply) if readable else NOTHING
    return AgentCall(
        reply=reply if readable else None,
        diagnosis=reply.diagnosis,
        extracted=extracted,
        metrics_asked=metrics_asked,
        degradations=(
            *missing_degradations((*brief.missing, *missing)),
            *layer_degradations(template, scene.scheme),
            *context.streamer.prompt_cuts(),
            *diagnosis_degradations(reply.diagnosis),
            *(() if readable else (Degradation.of("parse", "UNREADABLE_REPLY"),)),
            *extracted.degradations,
        ),
    )


def _request(
    context: RoundContext,
    brief: Brief,
    template: Template,
    *,
    section: str,
    asked: tuple[str, ...],
) -> tuple[ChatRequest, tuple[str, ...]]:
    # The engine itself confirms before the agent's words.
    unconfirmed = replace(context, beside=replace(context.beside, to_confirm=()))
    return chat_request(
        context,
        template,
        purpose=Purpose.DECIDE,
        section=section,
        values=talk_values(unconfirmed, brief, template.section(section)),
        card=talk_card(context, brief, template, section=section, asked=asked),
        asked=asked,
    )


def agent_brief(context: RoundContext, config: AgentConfig) -> Brief:
    """Return the texts and limits of an agent's rounds."""
    (goal, tone), missing = script_text(context, config.goal, context.scene.cast.tone)
    return Brief(
        task=goal,
        goal=goal,
        tone=tone,
        outputs=config.output,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        metrics=ASK_METRICS,
        missing=missing,
    )
