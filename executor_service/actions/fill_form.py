"""fill_form: fills a form by talk, by a submitted form, or by both (SCRIPT-LANGUAGE, Action types).

A submission is judged by code alone, and a complete one ends the action without a model call
(RESOLUTIONS C21); talk is judged like an answer to ai_ask.
"""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.form_round import FormRound, form_inputs
from executor_service.actions.judging import Extracted, judged, opened
from executor_service.actions.prompting import Brief, script_text
from executor_service.actions.talk import Talk, talk
from executor_service.exits.decision import ExitInputs, ExitJudgement, judge_exit
from executor_service.exits.policy import policy_for
from executor_service.forms import wording
from executor_service.forms.progress import FormProgress
from executor_service.forms.values import check_spoken
from executor_service.forms.wording import field_lines, label_of, progress_line
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FormField
from heartrule.domain.action_result import ActionResult
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ASK_METRICS, ReplyContract, talk_contract


class FillForm:
    """Asks for what a form still lacks, round by round, until it is filled in."""

    async def run(self, context: RoundContext) -> RoundOutcome:
        """Introduce the form, or take in what was submitted and what was written."""
        config = context.action.config
        assert isinstance(config, FormConfig)
        form = FormRound(context, config)
        if context.reply is None:
            return form.going_on(opened(context, await _talk(context, form)))
        received = form_inputs(context, form.requests)
        for values in received.submitted:
            form.submit(values)
        judgement = _judge(context, form)
        if received.submitted and (judgement.decision.should_exit or not received.text):
            return _answered(context, form, judgement)
        return await _talked(replace(context, reply=received.text), form)


async def _talk(context: RoundContext, form: FormRound) -> Talk:
    config = form.config
    return await talk(
        context,
        form_brief(context, config, form.progress),
        template_name="fill_form",
        contract=_contract(context, config),
        last_round=context.reply is not None and context.instance.round >= config.max_rounds,
    )


async def _talked(context: RoundContext, form: FormRound) -> RoundOutcome:
    """Judge what was written; a value its field does not take is asked for again."""
    talk_result = await _talk(context, form)
    refused = False
    if talk_result.reply is not None:
        checked = check_spoken(form.config.fields, talk_result.reply.variables)
        form.take(checked)
        refused = bool(checked.wrong)
    extracted = Extracted(
        values=form.values,
        degradations=form.degradations,
        complete=form.complete,
        refused=refused,
        facts=form.facts(),
    )
    outcome = judged(
        context,
        form_brief(context, form.config, form.progress),
        talk_result,
        metric_names=ASK_METRICS,
        extracted=extracted,
    )
    if refused and not outcome.result.completed:
        again = OutgoingMessage(
            message_id=context.make_id("msg"), text=form.correction(wrong_only=True)
        )
        outcome = replace(outcome, messages=(*outcome.messages, again))
    return form.going_on(outcome)


def _answered(context: RoundContext, form: FormRound, judgement: ExitJudgement) -> RoundOutcome:
    """Return the outcome of a submission: no call; the next request names what is missing."""
    completed = judgement.decision.should_exit
    text = "" if completed else form.correction() or wording.received(form.config)
    facts = {"exit_reason": judgement.exit_reason.value} if judgement.exit_reason else {}
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=text,
        extracted_variables=form.values,
        metadata={"analysis": "skipped", "submitted": True, **facts, **form.facts()},
        action_id=context.action.action_id,
        action_type=context.action.action_type.value,
        round=context.instance.round,
        max_rounds=form.config.max_rounds,
        exit_reason=judgement.exit_reason,
        exit_decision=judgement.decision,
    )
    messages = (OutgoingMessage(message_id=context.make_id("msg"), text=text),) if text else ()
    return form.going_on(
        RoundOutcome(
            result=result,
            messages=messages,
            next_round=context.instance.round + (0 if completed else 1),
            degradations=(*form.degradations, *judgement.degradations),
        )
    )


def _judge(context: RoundContext, form: FormRound) -> ExitJudgement:
    """Decide by what was submitted alone."""
    return judge_exit(
        ExitInputs(
            round=context.instance.round,
            max_rounds=form.config.max_rounds,
            policy=policy_for(context.action),
            criteria=form.config.exit_criteria,
            complete=form.complete,
            lookup=context.variables.get,
        )
    )


def _contract(context: RoundContext, config: FormConfig) -> ReplyContract:
    metrics = () if context.reply is None else ASK_METRICS
    return talk_contract(metrics=metrics, outputs=tuple(each.name for each in config.fields))


def form_brief(context: RoundContext, config: FormConfig, progress: FormProgress) -> Brief:
    """Return the brief of a form as it stands; every field is an output of it."""
    (task, tone), missing = script_text(context, config.content, context.scene.tone)
    optional = [
        each
        for each in config.fields
        if not each.required and each.name not in {*progress.filled, *progress.wrong}
    ]
    return Brief(
        task=task or config.title,
        tone=tone,
        required=tuple(each.name for each in config.fields if each.required),
        outputs=config.output,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        missing=missing,
        values={
            "form_title": config.title,
            "form_fields": field_lines(config.fields),
            "form_missing": _labels(progress.missing(config.fields)),
            "form_invalid": field_lines(progress.refused(config.fields)),
            "form_optional": _labels(optional),
            "form_progress": progress_line(config, progress),
        },
        card={"form": _card(config, progress)},
    )


def _labels(fields: tuple[FormField, ...] | list[FormField]) -> str:
    return "、".join(label_of(each) for each in fields)


def _card(config: FormConfig, progress: FormProgress) -> dict[str, JsonValue]:
    return {
        "title": config.title,
        "fields": [_field(each, progress) for each in config.fields],
    }


def _field(each: FormField, progress: FormProgress) -> dict[str, JsonValue]:
    wrong = progress.wrong.get(each.name)
    state = wrong.value if wrong else "filled" if each.name in progress.filled else "open"
    return {
        "name": each.name,
        "label": label_of(each),
        "type": each.type.value,
        "options": list(each.options),
        "min": each.min,
        "max": each.max,
        "required": each.required,
        "state": state,
    }
