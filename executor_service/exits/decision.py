"""The decision: max_rounds, exit_flag, exit_criteria, llm_suggestion (RESOLUTIONS C6, C7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from executor_service.exits.criteria import OUTPUTS_KNOWN, CriteriaCheck, check_criteria
from executor_service.exits.exit_inputs import ExitInputs
from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.problem import Degradation

#: No source asks for an exit.
STAY = ExitDecision(should_exit=False)
_BY_THE_MODEL = frozenset({DecisionSource.EXIT_FLAG, DecisionSource.LLM_SUGGESTION})
_LET_GO: Mapping[ProgressSuggestion | None, ExitReason] = {
    ProgressSuggestion.BLOCKED: ExitReason.USER_BLOCKED,
    ProgressSuggestion.OFF_TOPIC: ExitReason.OFF_TOPIC,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitJudgement:
    """The decision, its classification, and what could not be decided."""

    decision: ExitDecision
    exit_reason: ExitReason | None = None
    degradations: tuple[Degradation, ...] = ()


_NO_CRITERIA = CriteriaCheck(met=False)


def judge_exit(inputs: ExitInputs) -> ExitJudgement:
    """Decide and classify one round: the first enabled source that asks for an exit decides.

    Criteria that cannot be compared are returned as degradations.
    """
    decision, checked = STAY, _NO_CRITERIA
    if inputs.client_has_spoken:
        decision = _explicit(inputs)
        if decision is STAY and _enough_rounds(inputs):
            checked = _check(inputs)
            decision = _implicit(inputs, checked)
    return ExitJudgement(
        decision=decision,
        exit_reason=classify(decision, inputs.progress_suggestion),
        degradations=checked.degradations,
    )


def classify(
    decision: ExitDecision, progress_suggestion: ProgressSuggestion | None
) -> ExitReason | None:
    """Name the situation for the topic layer, also where the action goes on (RESOLUTIONS C6, C21).

    In this order: the last round, any other exit, a blocked client, a client off the topic; None
    for a plain continue.
    """
    if decision.decision_source is DecisionSource.MAX_ROUNDS:
        return ExitReason.MAX_ROUNDS_REACHED
    if decision.should_exit:
        return ExitReason.EXIT_CRITERIA_MET
    return _LET_GO.get(progress_suggestion)


def kept_reason(result: ActionResult) -> ExitReason | None:
    """Return the reason that the next action, the monitor and the orchestrator are given.

    It is the classification, except where the model let a client go who refused or strayed: that
    exit classifies as exit_criteria_met (RESOLUTIONS C6), and nothing was gathered.
    """
    decision = result.exit_decision
    if decision is None or decision.decision_source not in _BY_THE_MODEL:
        return result.exit_reason
    return _LET_GO.get(result.progress_suggestion, result.exit_reason)


def _explicit(inputs: ExitInputs) -> ExitDecision:
    """Decide by the last round and the model's EXIT, whatever min_rounds is (RESOLUTIONS C7)."""
    if _asks(inputs, DecisionSource.MAX_ROUNDS, inputs.round >= inputs.max_rounds):
        return _exit(DecisionSource.MAX_ROUNDS, _last_round_reason(inputs))
    if _asks(inputs, DecisionSource.EXIT_FLAG, inputs.exit_flag):
        return _exit(DecisionSource.EXIT_FLAG, _words(inputs) or "模型给出退出标志")
    return STAY


def _implicit(inputs: ExitInputs, checked: CriteriaCheck) -> ExitDecision:
    """Decide by the criteria and the model's suggestion."""
    if checked.met:
        engine_owned = checked.reason == OUTPUTS_KNOWN
        reason = OUTPUTS_KNOWN if engine_owned else f"满足退出条件：{checked.reason}"
        return _exit(DecisionSource.EXIT_CRITERIA, reason)
    if _asks(inputs, DecisionSource.LLM_SUGGESTION, inputs.should_exit):
        return _exit(DecisionSource.LLM_SUGGESTION, _words(inputs) or "模型建议结束")
    return STAY


def _enough_rounds(inputs: ExitInputs) -> bool:
    """Return whether criteria and suggestion may decide: min_rounds is reached (RESOLUTIONS C7)."""
    least = inputs.criteria.min_rounds if inputs.criteria else None
    return least is None or inputs.round >= least


def _check(inputs: ExitInputs) -> CriteriaCheck:
    enabled = DecisionSource.EXIT_CRITERIA in inputs.policy.enabled_sources
    if inputs.complete and enabled:
        return CriteriaCheck(met=True, reason=inputs.complete)
    if inputs.criteria is None or not enabled:
        return _NO_CRITERIA
    return check_criteria(inputs.criteria, inputs)


def _asks(inputs: ExitInputs, source: DecisionSource, wanted: bool) -> bool:  # noqa: FBT001 - read as `source asks`
    return wanted and source in inputs.policy.enabled_sources


def _last_round_reason(inputs: ExitInputs) -> str:
    reason = "达到最大轮次限制"
    if not _asks(inputs, DecisionSource.EXIT_FLAG, inputs.exit_flag):
        return reason
    words = _words(inputs)
    return f"{reason}；模型同时给出退出标志" + (f"：{words}" if words else "")


def _words(inputs: ExitInputs) -> str:
    return inputs.exit_reason_text or inputs.brief


def _exit(source: DecisionSource, reason: str) -> ExitDecision:
    return ExitDecision(should_exit=True, reason=reason, decision_source=source)
