"""The decision by max_rounds, exit_flag, exit_criteria, llm_suggestion (RESOLUTIONS C6, C7).

The criteria are those of document 001 section 3.2.2: each of them, and all together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from executor_service.exits.comparison import compare, number_of, truth_of
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.scripts.model.exits import CustomCondition, ExitCriteria
from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import json_type

#: The reason of an exit because all that an ask requires is known.
OUTPUTS_KNOWN = "outputs_known"


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaCheck:
    """Whether one criterion, or all of them, are met."""

    met: bool
    reason: str = ""
    """The criteria in an author's words, without the values of variables."""
    degradations: tuple[Degradation, ...] = ()


def check_criteria(criteria: ExitCriteria, inputs: ExitInputs) -> CriteriaCheck:
    """Compare every criterion with the inputs.

    `min_rounds` is no criterion of its own and `has_questions: true` only permits (open questions
    do not keep the action going), so criteria that hold nothing else are never met.
    """
    checks = []
    if criteria.outputs_known:
        checks.append(_outputs_known(inputs))
    if criteria.understanding_threshold is not None:
        checks.append(_understanding(criteria.understanding_threshold, inputs))
    if criteria.has_questions is False:
        checks.append(_no_questions(inputs))
    checks.extend(_condition(each, inputs) for each in criteria.custom_conditions)
    return CriteriaCheck(
        met=bool(checks) and all(each.met for each in checks),
        reason=inputs.words.semicolon.join(each.reason for each in checks),
        degradations=tuple(found for each in checks for found in each.degradations),
    )


def _outputs_known(inputs: ExitInputs) -> CriteriaCheck:
    """Return whether all that is required is known; where nothing is, there is nothing to know."""
    met = bool(inputs.required) and all(map(inputs.known, inputs.required))
    return CriteriaCheck(met=met, reason=OUTPUTS_KNOWN)


def _understanding(threshold: float, inputs: ExitInputs) -> CriteriaCheck:
    judged = inputs.assessment.understanding_level if inputs.assessment else None
    level = number_of(judged if judged is not None else inputs.lookup("understanding_level"))
    met = None if level is None else float(level) >= threshold
    text = inputs.words.exits.understanding.format(level=f"{threshold:g}")
    return _assessed("understanding_level", text, met=met)


def _no_questions(inputs: ExitInputs) -> CriteriaCheck:
    judged = inputs.assessment.has_questions if inputs.assessment else None
    asks = judged if judged is not None else truth_of(inputs.lookup("has_questions"))
    text = inputs.words.exits.no_questions
    return _assessed("has_questions", text, met=None if asks is None else not asks)


def _assessed(name: str, text: str, *, met: bool | None) -> CriteriaCheck:
    """Return a criterion about the client; `met` is None where reply and variables lack it."""
    if met is not None:
        return CriteriaCheck(met=met, reason=text)
    missing = Degradation.of("parse", "ASSESSMENT_MISSING", field=f"assessment.{name}")
    return CriteriaCheck(met=False, reason=text, degradations=(missing,))


def _condition(condition: CustomCondition, inputs: ExitInputs) -> CriteriaCheck:
    text = f"{condition.variable} {condition.operator} {condition.value}"
    actual = inputs.lookup(condition.variable)
    if actual is None:
        return CriteriaCheck(met=False, reason=text)
    met = compare(actual, condition.operator, condition.value)
    if met is not None:
        return CriteriaCheck(met=met, reason=text)
    trouble = Degradation.of(
        "script",
        "CONDITION_NOT_COMPARABLE",
        variable=condition.variable,
        operator=str(condition.operator),
        variable_type=json_type(actual),
        value_type=json_type(condition.value),
    )
    return CriteriaCheck(met=False, reason=text, degradations=(trouble,))


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
        return _exit(DecisionSource.EXIT_FLAG, _words(inputs) or inputs.words.exits.flag)
    return STAY


def _implicit(inputs: ExitInputs, checked: CriteriaCheck) -> ExitDecision:
    """Decide by the criteria and the model's suggestion."""
    if checked.met:
        engine_owned = checked.reason == OUTPUTS_KNOWN
        told = inputs.words.exits.criteria.format(reason=checked.reason)
        reason = OUTPUTS_KNOWN if engine_owned else told
        return _exit(DecisionSource.EXIT_CRITERIA, reason)
    if _asks(inputs, DecisionSource.LLM_SUGGESTION, inputs.should_exit):
        return _exit(DecisionSource.LLM_SUGGESTION, _words(inputs) or inputs.words.exits.suggested)
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
    told, said = inputs.words.exits, _words(inputs)
    if not _asks(inputs, DecisionSource.EXIT_FLAG, inputs.exit_flag):
        return told.max_rounds
    return f"{told.max_rounds}{told.flag_too}" + (f"{inputs.words.colon}{said}" if said else "")


def _words(inputs: ExitInputs) -> str:
    return inputs.exit_reason_text or inputs.brief


def _exit(source: DecisionSource, reason: str) -> ExitDecision:
    return ExitDecision(should_exit=True, reason=reason, decision_source=source)
