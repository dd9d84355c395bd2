"""exit_criteria: what a script author wants to hold before an action ends (document 001, 3.2.2).

The numbers compared here are those a script author wrote; nothing else sets a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import ge, gt, le, lt

from executor_service.exits.plain import day_of, number_of, truth_of
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import json_type
from heartrule.model.reply.field_reader import Assessment as Assessment  # noqa: PLC0414 - handed on

_ORDER: Mapping[ConditionOperator, Callable[[Decimal, Decimal], bool]] = {
    ConditionOperator.GREATER: gt,
    ConditionOperator.GREATER_OR_EQUAL: ge,
    ConditionOperator.LESS: lt,
    ConditionOperator.LESS_OR_EQUAL: le,
}


def compare(actual: JsonValue, operator: ConditionOperator, wanted: JsonValue) -> bool | None:
    """Return whether `actual operator wanted` holds; None where the two cannot be compared.

    Numbers are compared as numbers, also where a text holds one; order needs two numbers or two
    days of the calendar; `contains` looks for a piece of a text or an item of a list.
    """
    if operator is ConditionOperator.CONTAINS:
        return _contains(actual, wanted)
    if operator is ConditionOperator.EQUAL:
        return _equal(actual, wanted)
    if operator is ConditionOperator.NOT_EQUAL:
        equal = _equal(actual, wanted)
        return None if equal is None else not equal
    left, right = _ordered(actual), _ordered(wanted)
    if left is None or right is None or left[0] != right[0]:
        return None
    return _ORDER[operator](left[1], right[1])


def _equal(actual: JsonValue, wanted: JsonValue) -> bool | None:
    left, right = number_of(actual), number_of(wanted)
    if left is not None and right is not None:
        return left == right
    if isinstance(actual, str) and isinstance(wanted, str):
        return actual.strip() == wanted.strip()
    if isinstance(actual, bool) or isinstance(wanted, bool):
        truths = truth_of(actual), truth_of(wanted)
        return None if None in truths else truths[0] is truths[1]
    return None


def _ordered(value: JsonValue) -> tuple[str, Decimal] | None:
    """Return what kind of ordered thing a value is, and its place in that order."""
    number = number_of(value)
    if number is not None:
        return "number", number
    day = day_of(value)
    return None if day is None else ("date", Decimal(day.toordinal()))


def _contains(actual: JsonValue, wanted: JsonValue) -> bool | None:
    if isinstance(actual, str):
        piece = _written(wanted)
        return None if piece is None else piece in actual
    if isinstance(actual, Sequence):
        return any(_equal(item, wanted) for item in actual)
    return None


def _written(value: JsonValue) -> str | None:
    """Return how an author's plain value looks inside a text."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool):
        return "true" if value else "false"
    number = number_of(value)
    return None if number is None else format(number.normalize(), "f")


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaFacts:
    """What criteria are held against."""

    assessment: Assessment
    client_has_spoken: bool
    """In this action (RESOLUTIONS C9)."""
    lookup: Callable[[str], JsonValue]
    """Value of a variable; None while it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaCheck:
    """Whether all criteria hold, and which they are."""

    met: bool
    reason: str = ""
    """The criteria in an author's words, without the values of variables."""
    degradations: tuple[Degradation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    """One criterion: whether it holds, how it reads, and what stood in the way."""

    met: bool
    text: str
    trouble: Degradation | None = None


def check_criteria(criteria: ExitCriteria, facts: CriteriaFacts) -> CriteriaCheck:
    """Hold every criterion against the facts.

    `min_rounds` is no criterion of its own and `has_questions: true` only permits (open questions
    do not keep the action going), so criteria that hold nothing else are never met.
    """
    answers = (*_about_client(criteria, facts), *_conditions(criteria, facts))
    return CriteriaCheck(
        met=bool(answers) and all(answer.met for answer in answers),
        reason="；".join(answer.text for answer in answers),
        degradations=tuple(a.trouble for a in answers if a.trouble is not None),
    )


def _about_client(criteria: ExitCriteria, facts: CriteriaFacts) -> Iterator[_Answer]:
    """Answer the criteria about the client, which need a word of the client's (C9)."""
    if criteria.understanding_threshold is not None:
        yield _understanding(criteria.understanding_threshold, facts)
    if criteria.has_questions is False:
        yield _no_questions(facts)


def _understanding(threshold: float, facts: CriteriaFacts) -> _Answer:
    text = f"理解程度达到 {threshold:g}"
    judged = facts.assessment.understanding_level
    level = number_of(judged if judged is not None else facts.lookup("understanding_level"))
    if not facts.client_has_spoken:
        return _Answer(False, text)
    if level is None:
        return _Answer(False, text, _missing("understanding_level"))
    return _Answer(float(level) >= threshold, text)


def _no_questions(facts: CriteriaFacts) -> _Answer:
    text = "没有疑问"
    judged = facts.assessment.has_questions
    asks = judged if judged is not None else truth_of(facts.lookup("has_questions"))
    if not facts.client_has_spoken:
        return _Answer(False, text)
    if asks is None:
        return _Answer(False, text, _missing("has_questions"))
    return _Answer(not asks, text)


def _conditions(criteria: ExitCriteria, facts: CriteriaFacts) -> Iterator[_Answer]:
    for condition in criteria.custom_conditions:
        yield _condition(condition, facts.lookup(condition.variable))


def _condition(condition: CustomCondition, actual: JsonValue) -> _Answer:
    text = f"{condition.variable} {condition.operator} {condition.value}"
    if actual is None:
        return _Answer(False, text)
    met = compare(actual, condition.operator, condition.value)
    if met is None:
        return _Answer(False, text, _not_comparable(condition, actual))
    return _Answer(met, text)


def _missing(name: str) -> Degradation:
    return Degradation(
        stage="parse", reason="ASSESSMENT_MISSING", metadata={"field": f"assessment.{name}"}
    )


def _not_comparable(condition: CustomCondition, actual: JsonValue) -> Degradation:
    return Degradation(
        stage="script",
        reason="CONDITION_NOT_COMPARABLE",
        metadata={
            "variable": condition.variable,
            "operator": str(condition.operator),
            "variable_type": json_type(actual),
            "value_type": json_type(condition.value),
        },
    )
