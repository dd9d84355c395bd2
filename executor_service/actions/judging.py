"""From a talk to a round's outcome: variables written, exit decided, monitor asked or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.prompting import Brief
from executor_service.actions.talk import Talk
from executor_service.exits.decision import ExitInputs, ExitJudgement, judge_exit, kept_reason
from executor_service.exits.policy import policy_for, unreadable_policy
from executor_service.variables.outputs import convert_outputs
from heartrule.domain.action_result import (
    UNREADABLE_METRIC,
    ActionMetrics,
    ActionResult,
    ProgressSuggestion,
)
from heartrule.domain.exits import ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation

_ANALYZED_AT_END = frozenset(
    {ExitReason.MAX_ROUNDS_REACHED, ExitReason.USER_BLOCKED, ExitReason.OFF_TOPIC}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What the round's values came to."""

    values: Mapping[str, JsonValue]
    """Those written, by variable."""
    degradations: tuple[Degradation, ...] = ()
    complete: str = ""
    """In words, that a form is filled in."""
    refused: bool = False
    """True when the model gave a value its field does not take: its EXIT rests on a mistake."""
    facts: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further facts of the result."""


def opened(context: RoundContext, talk: Talk, *, completed: bool = False) -> RoundOutcome:
    """Return the outcome of an opening call, which judges nothing."""
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=talk.message.text,
        metadata=talk.metadata,
        action_id=context.action.action_id,
        action_type=context.action.action_type.value,
        round=1,
    )
    return RoundOutcome(
        result=result,
        messages=(talk.message,),
        next_round=1,
        memory=_memory(talk),
        strategy=talk.strategy,
        degradations=talk.degradations,
    )


def judged(
    context: RoundContext,
    brief: Brief,
    talk: Talk,
    *,
    metric_names: tuple[str, ...],
    extracted: Extracted | None = None,
) -> RoundOutcome:
    """Return the outcome of a call that judged a client's reply.

    Args:
        context: The round.
        brief: The action's texts and limits.
        talk: What the call gave.
        metric_names: The metrics this action type has.
        extracted: The values written already; None has the brief's outputs converted and written.
    """
    found = extracted or _extract(context, brief, talk)
    judgement = _judge(context, brief, talk, found)
    completed = judgement.decision.should_exit
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=talk.message.text,
        extracted_variables=found.values,
        metrics=_metrics(talk, metric_names),
        progress_suggestion=_suggestion(talk),
        metadata={**talk.metadata, **_facts(talk, judgement), **found.facts},
        action_id=context.action.action_id,
        action_type=context.action.action_type.value,
        round=context.round,
        max_rounds=brief.max_rounds,
        exit_reason=judgement.exit_reason,
        exit_decision=judgement.decision,
    )
    analysis = _wants_analysis(talk, result)
    asked = {"analysis": "requested" if analysis else "skipped"}
    return RoundOutcome(
        result=replace(result, metadata={**asked, **result.metadata}),
        messages=(talk.message,),
        next_round=context.round if completed else context.instance.round + 1,
        memory=_memory(talk),
        strategy=talk.strategy,
        advice_used=context.advice is not None,
        analyze=analysis,
        degradations=(*talk.degradations, *found.degradations, *judgement.degradations),
    )


def acknowledged(context: RoundContext, *, max_rounds: int) -> RoundOutcome:
    """Return the outcome of a client's word to an utterance that was the only one: no call."""
    judgement = judge_exit(
        ExitInputs(
            round=max(context.instance.round, max_rounds),
            max_rounds=max_rounds,
            policy=policy_for(context.action),
        )
    )
    result = ActionResult(
        success=True,
        completed=True,
        action_id=context.action.action_id,
        action_type=context.action.action_type.value,
        round=context.instance.round,
        max_rounds=max_rounds,
        metadata={"analysis": "skipped"},
        exit_reason=judgement.exit_reason,
        exit_decision=judgement.decision,
    )
    return RoundOutcome(result=result, next_round=context.instance.round)


def _judge(context: RoundContext, brief: Brief, talk: Talk, found: Extracted) -> ExitJudgement:
    reply, policy = talk.reply, policy_for(context.action)
    return judge_exit(
        ExitInputs(
            round=context.round,
            max_rounds=brief.max_rounds,
            policy=policy if reply else unreadable_policy(policy),
            exit_flag=reply.exit and not found.refused if reply else False,
            exit_reason_text=reply.exit_reason_text if reply else "",
            brief=reply.brief if reply else "",
            should_exit=bool(reply.should_exit) and not found.refused if reply else False,
            progress_suggestion=_suggestion(talk),
            assessment=reply.assessment if reply else None,
            client_has_spoken=context.reply is not None,
            criteria=brief.criteria,
            complete=found.complete,
            lookup=context.variables.get,
        )
    )


def _extract(context: RoundContext, brief: Brief, talk: Talk) -> Extracted:
    """Write the outputs the reply holds into the working copy."""
    if talk.reply is None:
        return Extracted(values={})
    converted = convert_outputs(talk.reply.variables, brief.outputs)
    for name, value in converted.values.items():
        context.variables.write(
            name, value, action_id=context.action.action_id, now=context.scene.now
        )
    return Extracted(values=dict(converted.values), degradations=converted.degradations)


def _metrics(talk: Talk, names: tuple[str, ...]) -> ActionMetrics:
    """Return the reply's metrics; every one is the default where it could not be read (C4)."""
    if talk.reply is not None:
        return talk.reply.metrics
    return replace(ActionMetrics(), **dict.fromkeys(names, UNREADABLE_METRIC))


def _suggestion(talk: Talk) -> ProgressSuggestion:
    return talk.reply.progress_suggestion if talk.reply else ProgressSuggestion.CONTINUE_NEEDED


def _wants_analysis(talk: Talk, result: ActionResult) -> bool:
    """Return whether the monitor is asked (RESOLUTIONS C13): readable, and something may follow."""
    if talk.reply is None:
        return False
    return not result.completed or kept_reason(result) in _ANALYZED_AT_END


def _facts(talk: Talk, judgement: ExitJudgement) -> dict[str, JsonValue]:
    """Return further facts of the result: the classification, a question left standing."""
    facts: dict[str, JsonValue] = {}
    by_flag = talk.reply is not None and talk.reply.exit
    if judgement.decision.should_exit and not by_flag and _asks_on(talk.message.text):
        facts["late_exit"] = True
    if judgement.exit_reason is not None:
        facts["exit_reason"] = judgement.exit_reason.value
    return facts


def _asks_on(text: str) -> bool:
    return "？" in text or "?" in text


def _memory(talk: Talk) -> dict[str, JsonValue]:
    return {**talk.memory, "repeated": True} if talk.repeated else {**talk.memory}
