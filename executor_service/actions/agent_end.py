"""How a round of an agent ends: what it says, what the exit policy makes of it, its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.agent_call import AgentCall
from executor_service.actions.extracting import NOTHING
from executor_service.actions.judging import wants_analysis
from executor_service.actions.reply_diagnosis import parse_facts
from executor_service.decisions.agent_memory import AgentMemory
from executor_service.exits.decision import ExitJudgement, judge_exit
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.exits.policy import ends_by_rounds, policy_for
from executor_service.scripts.model.agent_config import AgentConfig
from heartrule.domain.action_result import (
    NOT_ASSESSED,
    UNREADABLE_METRIC,
    ActionMetrics,
    ActionResult,
    ProgressSuggestion,
)
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ASK_METRICS


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEnd:
    """Why a round ends: the agent answered, asked, or has no decision left."""

    is_done: bool = False
    """True where it answered and has nothing further to say."""
    is_blocked: bool = False
    """True where all that it decided in the turn was rejected (RESOLUTIONS D13, C21)."""
    run_goes_on: bool = False
    """True where it leaves a run behind that it does not wait for."""


def judge_end(context: RoundContext, memory: AgentMemory, end: AgentEnd) -> ExitJudgement:
    """Return whether the action ends with its round, and why.

    Before the client has spoken in the action only rejections end it, and a run that it leaves.
    """
    config = context.action.config
    assert isinstance(config, AgentConfig)
    judgement = judge_exit(
        ExitInputs(
            round=round_of(context),
            max_rounds=config.max_rounds,
            policy=policy_for(context.action),
            exit_flag=end.is_done or end.is_blocked,
            progress_suggestion=_progress(memory),
            client_has_spoken=memory.has_heard or end.is_blocked or memory.is_over,
            criteria=config.exit_criteria,
            lookup=context.variables.get,
            words=context.scene.words,
        )
    )
    by_flag = judgement.decision.decision_source is DecisionSource.EXIT_FLAG
    if end.is_blocked and by_flag:
        return replace(judgement, exit_reason=ExitReason.USER_BLOCKED)
    return judgement


def round_of(context: RoundContext) -> int:
    """Return the number of the round, in each of its steps."""
    return max(context.instance.round, 1)


def is_last(context: RoundContext, memory: AgentMemory) -> bool:
    """Return whether the round's number alone ends the action."""
    config = context.action.config
    assert isinstance(config, AgentConfig)
    by_rounds = ends_by_rounds(context.action)
    return memory.has_heard and by_rounds and round_of(context) >= config.max_rounds


def ended(
    context: RoundContext,
    memory: AgentMemory,
    judgement: ExitJudgement,
    message: OutgoingMessage,
    call: AgentCall | None,
) -> RoundOutcome:
    """Return the outcome of a round's last step, without its decisions and their degradations."""
    config = context.action.config
    assert isinstance(config, AgentConfig)
    completed = judgement.decision.should_exit
    is_judged = memory.judges or completed
    extracted = call.extracted if call else NOTHING
    facts: dict[str, JsonValue] = parse_facts(call.diagnosis) if call else {}
    if judgement.exit_reason is not None:
        facts["exit_reason"] = judgement.exit_reason.value
    result = ActionResult(
        success=True,
        completed=completed,
        ai_message=message.text,
        extracted_variables=extracted.values,
        metrics=_metrics(memory.metrics, call) if memory.judges else None,
        progress_suggestion=_progress(memory) if memory.judges else None,
        metadata={**facts, **extracted.facts},
        round=round_of(context),
        max_rounds=config.max_rounds if is_judged else 0,
        exit_reason=judgement.exit_reason if is_judged else None,
        exit_decision=judgement.decision if is_judged else None,
    )
    is_readable = call is None or call.reply is not None
    analysis = memory.judges and is_readable and wants_analysis(result)
    if memory.judges:
        asked = "requested" if analysis else "skipped"
        result = replace(result, metadata={"analysis": asked, **result.metadata})
    return RoundOutcome(
        result=result,
        messages=(message,),
        next_round=round_of(context) + (1 if memory.judges and not completed else 0),
        memory={**memory.kept(), **extracted.memory},
        analyze=analysis,
        degradations=judgement.degradations,
    )


def _metrics(found: Mapping[str, str], call: AgentCall | None) -> ActionMetrics:
    """Return the round's metrics; what no reply gave was not asked for, or could not be read."""
    is_unread = call is not None and call.reply is None
    absent = dict.fromkeys(ASK_METRICS, UNREADABLE_METRIC if is_unread else NOT_ASSESSED)
    known = {name: text for name, text in found.items() if name in absent}
    return replace(ActionMetrics(), **{**absent, **known})


def _progress(memory: AgentMemory) -> ProgressSuggestion | None:
    known = memory.progress in set(ProgressSuggestion)
    return ProgressSuggestion(memory.progress) if known else None
