"""exit_criteria: each of them, and all together (document 001 section 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.exits.comparison import compare, number_of, truth_of
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.scripts.model.exits import CustomCondition, ExitCriteria
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
        reason="；".join(each.reason for each in checks),
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
    return _assessed("understanding_level", f"理解程度达到 {threshold:g}", met=met)


def _no_questions(inputs: ExitInputs) -> CriteriaCheck:
    judged = inputs.assessment.has_questions if inputs.assessment else None
    asks = judged if judged is not None else truth_of(inputs.lookup("has_questions"))
    return _assessed("has_questions", "没有疑问", met=None if asks is None else not asks)


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
