"""ai_think: an inner step; it sets variables, and the client sees nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.prompt_texts import variable_lines
from executor_service.actions.prompting import (
    Brief,
    base_card,
    chat_request,
    common_values,
    missing_degradations,
    script_text,
)
from executor_service.actions.reply_diagnosis import (
    diagnosis_degradations,
    layer_degradations,
    log_diagnosis,
    parse_facts,
)
from executor_service.scripts.model.actions import ThinkConfig
from executor_service.scripts.model.fields import Output
from executor_service.variables.outputs import ConvertedOutputs, convert_outputs
from executor_service.variables.records import gather
from heartrule.domain.action_result import ActionResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.problem import Degradation
from heartrule.domain.summary import NO_SUMMARY
from heartrule.domain.variables import Provenance, ValueSupport
from heartrule.model.ports import ChatRequest
from heartrule.model.reply.contract import THINK_CONTRACT
from heartrule.model.reply.typed_replies import read_think_reply
from heartrule.model.template import Template


async def run_ai_think(context: RoundContext) -> RoundOutcome:
    """Reason once and complete.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: The turn fails, retryable.
    """
    config = context.action.config
    assert isinstance(config, ThinkConfig)
    template = context.templates.get("ai_think", context.scene.scheme, context.scene.language)
    request, missing = _request(context, config, template)
    raw = await context.streamer.whole_reply(request)
    contract = replace(THINK_CONTRACT, outputs=tuple(o.get for o in _outputs(config)))
    reply = read_think_reply(raw, contract=contract, own_words=template.own_words)
    context.streamer.note_parse(reply.diagnosis)
    log_diagnosis(reply.diagnosis, prompt_type=template.prompt_type)
    converted = _taken(context, config, reply.variables if reply.readable else {})
    inferred = Provenance(support=ValueSupport.INFERRED)
    context.write(converted.values, dict.fromkeys(converted.values, inferred))
    unreadable = () if reply.readable else (Degradation.of("parse", "UNREADABLE_REPLY"),)
    result = ActionResult(
        success=True,
        completed=True,
        extracted_variables=converted.values,
        metadata=parse_facts(reply.diagnosis),
        round=1,
    )
    return RoundOutcome(
        result=result,
        next_round=1,
        degradations=(
            *missing_degradations(missing),
            *layer_degradations(template, context.scene.scheme),
            *context.streamer.prompt_cuts(),
            *diagnosis_degradations(reply.diagnosis),
            *unreadable,
            *converted.degradations,
        ),
    )


def _outputs(config: ThinkConfig) -> tuple[Output, ...]:
    return config.collect.outputs if config.collect else config.output


def _taken(
    context: RoundContext, config: ThinkConfig, raw: Mapping[str, JsonValue]
) -> ConvertedOutputs:
    """Return what the reply gives: outputs, or a list with one record more."""
    converted, collect = convert_outputs(raw, _outputs(config)), config.collect
    if collect is None:
        return converted
    listed = gather(collect, context.variables.get(collect.into), converted.values)
    return replace(converted, values=listed)


def _request(
    context: RoundContext, config: ThinkConfig, template: Template
) -> tuple[ChatRequest, tuple[str, ...]]:
    if config.input_variables:  # what the script names is what it thinks about
        context = replace(context, history=(), summary=NO_SUMMARY)
    (task, goal), empty = script_text(context, config.content, config.goal)
    brief = Brief(task=task, goal=goal, outputs=_outputs(config))
    inputs = {name: context.variables.get(name) for name in config.input_variables}
    visible = context.variables.visible()
    # An input stands in the prompt once: its value may be as long as a client's message.
    others = {name: value for name, value in visible.items() if name not in inputs}
    values = {
        **common_values(context, brief),
        "input_variables": variable_lines(inputs, context.scene.words),
        "variables": variable_lines(others, context.scene.words),
    }
    request, missing = chat_request(
        context,
        template,
        purpose=Purpose.THINK,
        section="turn",
        values=values,
        card={**base_card(context, brief, stage="turn"), "inputs": inputs},
    )
    return request, (*empty, *missing)
