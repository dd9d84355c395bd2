"""Rounds of talk: an opening, a round the model judged, a round that code alone decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.extracting import NOTHING, Extracted, extract_outputs
from executor_service.actions.outgoing_rules import Outlook
from executor_service.actions.prompting import Brief
from executor_service.actions.round_strategy import talk_by_strategy
from executor_service.actions.second_try import TOLD_IN_VAIN
from executor_service.actions.talk import Talk
from executor_service.exits.decision import ExitJudgement, judge_exit, kept_reason
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.exits.policy import policy_for, unreadable_policy
from executor_service.scripts.model.actions import FormConfig, SayConfig
from heartrule.domain.action_result import (
    NOT_ASSESSED,
    UNREADABLE_METRIC,
    ActionMetrics,
    ActionResult,
)
from heartrule.domain.exits import ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.model.reply.typed_replies import TalkReply

_ANALYZED_AT_END = frozenset(
    {ExitReason.MAX_ROUNDS_REACHED, ExitReason.USER_BLOCKED, ExitReason.OFF_TOPIC}
)


#: Takes in the values of a reply: writes them, unless the context only tries.
Extract: TypeAlias = Callable[[RoundContext, TalkReply], Extracted]


async def talk_round(
    context: RoundContext, brief: Brief, *, extract: Extract | None = None
) -> RoundOutcome:
    """Run one round of an action that talks: open it, or judge the client's reply.

    Args:
        context: The round.
        brief: The action's texts and limits.
        extract: Writes the values of the reply; None writes the brief's outputs.
    """
    if context.reply is None:
        talk = await talk_by_strategy(context, brief)
        listens = bool(context.beside.unjudged)
        reply = talk.effective_reply
        heard = extract_outputs(context, brief.outputs, reply) if listens else NOTHING
        return _opened(talk, heard, completed=brief.ends_at_once)
    extract = extract or partial(_outputs, brief)
    talk = await talk_by_strategy(context, brief, partial(_outlook, context, brief, extract))
    return _judged(context, brief, talk, extract(context, talk.effective_reply))


def _outlook(
    context: RoundContext, brief: Brief, extract: Extract, reply: TalkReply | None
) -> Outlook:
    """Return what a reply would do; nothing is written."""
    extracted = extract(context.trying(), reply) if reply else NOTHING
    ends = _judge(context, brief, reply, extracted).decision.should_exit
    form = isinstance(context.action.config, FormConfig)  # every value of it is the client's
    given = {n: v for n, v in extracted.values.items() if form or n in extracted.given}
    return Outlook(ends=ends, given=given)


def _opened(talk: Talk, heard: Extracted, *, completed: bool) -> RoundOutcome:
    """Return the outcome of an opening call, which judges nothing; it may have heard values."""
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=talk.message.text,
        extracted_variables=heard.values,
        metadata={**talk.metadata, **heard.facts},
        round=1,
    )
    return RoundOutcome(
        result=result,
        messages=(talk.message,),
        next_round=1,
        memory=_memory(talk),
        strategy=talk.strategy,
        degradations=(*talk.degradations, *heard.degradations),
    )


def _judged(context: RoundContext, brief: Brief, talk: Talk, extracted: Extracted) -> RoundOutcome:
    """Return the outcome of a call that judged a client's reply."""
    judgement = _judge(context, brief, talk.made.reply, extracted)
    completed = judgement.decision.should_exit
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=talk.message.text,
        extracted_variables=extracted.values,
        metrics=_metrics(talk, brief.metrics),
        progress_suggestion=talk.effective_reply.progress_suggestion,
        metadata={**talk.metadata, **_facts(talk, judgement), **extracted.facts},
        round=context.round,
        max_rounds=brief.max_rounds,
        exit_reason=judgement.exit_reason,
        exit_decision=judgement.decision,
    )
    analysis = talk.made.reply is not None and wants_analysis(result)
    asked = {"analysis": "requested" if analysis else "skipped"}
    return RoundOutcome(
        result=replace(result, metadata={**asked, **result.metadata}),
        messages=(talk.message,),
        next_round=context.round if completed else context.instance.round + 1,
        memory={**_memory(talk), **extracted.memory},
        strategy=talk.strategy,
        advice_used=context.advice is not None,
        analyze=analysis,
        degradations=(*talk.degradations, *extracted.degradations, *judgement.degradations),
    )


def judge_by_code(
    context: RoundContext, config: SayConfig | FormConfig, *, complete: str = ""
) -> ExitJudgement:
    """Decide a round without a model call: by its number and, for a form, by what is filled in."""
    return judge_exit(
        ExitInputs(
            round=context.instance.round,
            max_rounds=config.max_rounds,
            policy=policy_for(context.action),
            criteria=config.exit_criteria,
            complete=complete,
            lookup=context.variables.get,
            words=context.scene.words,
        )
    )


def decided_by_code(
    context: RoundContext,
    judgement: ExitJudgement,
    config: SayConfig | FormConfig,
    *,
    text: str = "",
    extracted: Extracted = NOTHING,
) -> RoundOutcome:
    """Return the outcome of a round without a model call; `text`, if any, goes to the client."""
    completed = judgement.decision.should_exit
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=text,
        extracted_variables=extracted.values,
        metadata={"analysis": "skipped", **extracted.facts},
        round=context.instance.round,
        max_rounds=config.max_rounds,
        exit_reason=judgement.exit_reason,
        exit_decision=judgement.decision,
    )
    messages = (OutgoingMessage(message_id=context.make_id("msg"), text=text),) if text else ()
    return RoundOutcome(
        result=result,
        messages=messages,
        next_round=context.instance.round + (0 if completed else 1),
        degradations=(*extracted.degradations, *judgement.degradations),
    )


def _judge(
    context: RoundContext, brief: Brief, read: TalkReply | None, extracted: Extracted
) -> ExitJudgement:
    reply, policy = read or TalkReply(diagnosis=ParseDiagnosis()), policy_for(context.action)
    return judge_exit(
        ExitInputs(
            round=context.round,
            max_rounds=brief.max_rounds,
            policy=policy if read else unreadable_policy(policy),
            exit_flag=reply.exit and not extracted.refused,
            exit_reason_text=reply.exit_reason_text,
            brief=reply.brief,
            should_exit=bool(reply.should_exit) and not extracted.refused,
            progress_suggestion=reply.progress_suggestion,
            assessment=reply.assessment,
            client_has_spoken=context.reply is not None,
            criteria=brief.criteria,
            complete=extracted.complete,
            lookup=lambda name: extracted.values.get(name, context.variables.get(name)),
            required=brief.required,
            known=lambda name: name in extracted.given or context.known(name),
            words=context.scene.words,
        )
    )


def _outputs(brief: Brief, context: RoundContext, reply: TalkReply) -> Extracted:
    return extract_outputs(context, brief.outputs, reply)


def _metrics(talk: Talk, names: tuple[str, ...]) -> ActionMetrics:
    """Return the reply's metrics; each has its default where none was asked for or read (C4)."""
    if talk.made.reply is not None and talk.metrics_asked:
        return talk.made.reply.metrics
    why_not = UNREADABLE_METRIC if talk.made.reply is None else NOT_ASSESSED
    return replace(ActionMetrics(), **dict.fromkeys(names, why_not))


def wants_analysis(result: ActionResult) -> bool:
    """Return whether the monitor is asked about a readable reply: something may follow (C13)."""
    return not result.completed or kept_reason(result) in _ANALYZED_AT_END


def _facts(talk: Talk, judgement: ExitJudgement) -> dict[str, JsonValue]:
    """Return further facts of the result: the classification, an exit beside a question."""
    facts: dict[str, JsonValue] = {}
    by_flag = talk.made.reply is not None and talk.made.reply.exit
    text = talk.made.said.late_question or talk.message.text
    asks_on = "？" in text or "?" in text
    if judgement.decision.should_exit and not by_flag and asks_on:
        facts["late_exit"] = True
    if judgement.exit_reason is not None:
        facts["exit_reason"] = judgement.exit_reason.value
    return facts


def _memory(talk: Talk) -> dict[str, JsonValue]:
    noted = {"repeated": talk.repeated, TOLD_IN_VAIN: talk.told_in_vain}
    return {**talk.memory, **{name: True for name, holds in noted.items() if holds}}
