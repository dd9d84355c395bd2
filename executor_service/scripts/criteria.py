"""exit_criteria: what must hold before an action may end by criteria (document 001 section 3.2)."""

from __future__ import annotations

import re

from executor_service.scripts.configs import (
    ActionType,
    ConditionOperator,
    CustomCondition,
    ExitCriteria,
)
from executor_service.scripts.context import Spotter
from executor_service.scripts.declarations import is_date
from executor_service.scripts.environment import ASSESSMENT
from executor_service.scripts.keys import CRITERIA, CUSTOM_CONDITION
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import LostNode, MapNode, Node, ScalarNode, ScalarValue

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?", re.ASCII)
_ABOUT_CLIENT = ("understanding_threshold", "has_questions")
_ABOUT_ONE_VALUE = frozenset({ConditionOperator.EQUAL, ConditionOperator.NOT_EQUAL})
ORDERED = frozenset(
    {
        ConditionOperator.GREATER,
        ConditionOperator.LESS,
        ConditionOperator.GREATER_OR_EQUAL,
        ConditionOperator.LESS_OR_EQUAL,
    }
)


def read_exit_criteria(
    config: Section, action_type: ActionType, spotter: Spotter
) -> ExitCriteria | None:
    """Return the criteria of a config, those its action type may have; None where it has none."""
    shape = CRITERIA[action_type]
    section = config.section("exit_criteria", shape)
    if section is None:
        return None
    if section.is_empty:
        config.missing("exit_criteria", "; leave it out or name a criterion")
    _check_assessment(section, action_type, spotter)
    conditions = [_condition(node, spotter, section) for node in section.items("custom_conditions")]
    has_questions = section.boolean("has_questions", default=False)
    rounds = section.integer("min_rounds", default=0, least=1)
    return ExitCriteria(
        understanding_threshold=section.number("understanding_threshold", least=0, most=100),
        has_questions=has_questions if section.has("has_questions") else None,
        min_rounds=rounds or None,
        custom_conditions=tuple(found for found in conditions if found is not None),
    )


def check_rounds(config: Section, criteria: ExitCriteria | None, rounds: int) -> None:
    """Warn of criteria that `max_rounds` forestalls."""
    least = criteria.min_rounds if criteria is not None else None
    if least is not None and least > rounds:
        config.findings.warning(
            config.spot_of("exit_criteria"),
            f"min_rounds {least} is never reached, as max_rounds is {rounds}",
            Rule.IDLE_SETTING,
        )


def _check_assessment(section: Section, action_type: ActionType, spotter: Spotter) -> None:
    """Criteria about understanding need a template whose reply holds an assessment."""
    context = spotter.context
    if action_type is not ActionType.AI_ASK:
        return
    if ASSESSMENT in context.environment.asks(context.scheme, action_type.value):
        return
    scheme = f"of scheme `{context.scheme}`" if context.scheme else "used here"
    for key in _ABOUT_CLIENT:
        if section.has(key):
            section.findings.error(
                section.key_spot(key),
                f"`{key}` needs a template that asks for `{ASSESSMENT}`; the {action_type.value} "
                f"template {scheme} does not. Use min_rounds or custom_conditions",
                Rule.NEEDS_ASSESSMENT,
            )


def _condition(node: Node, spotter: Spotter, owner: Section) -> CustomCondition | None:
    if not isinstance(node, MapNode):
        wrong(
            node, "a custom condition", "- {variable: …, operator: '==', value: …}", owner.findings
        )
        return None
    section = Section(node, CUSTOM_CONDITION, owner.findings)
    variable = section.variable("variable")
    if variable:
        spotter.name(section.node("variable"))
    operator = _operator(section)
    value = _value(section, operator)
    if not variable or operator is None or value is None:
        return None
    if operator in _ABOUT_ONE_VALUE and isinstance(value, str):
        found = (variable, value.strip(), section.spot_of("value"))
        spotter.context.compared.append(found)
    return CustomCondition(variable=variable, operator=operator, value=value)


def _operator(section: Section) -> ConditionOperator | None:
    node = section.node("operator")
    bare = isinstance(node, ScalarNode) and not node.text.strip()  # `operator: >` is block text
    if node is None or bare:
        section.missing("operator", "; write it in quotes, such as '>'")
        return None
    known = tuple(ConditionOperator)
    if isinstance(node, ScalarNode) and node.text in known:
        return ConditionOperator(node.text)
    if not isinstance(node, LostNode):
        section.findings.error(
            node, f"`operator` is none of {', '.join(known)}; write it in quotes", Rule.WRONG_VALUE
        )
    return None


def _value(section: Section, operator: ConditionOperator | None) -> str | int | float | bool | None:
    node = section.node("value")
    if node is None:
        section.missing("value")
    elif isinstance(node, LostNode):
        return None
    elif not isinstance(node, ScalarNode):
        wrong(node, "`value`", "a text, a number, true or false", section.findings)
    elif operator in ORDERED and not _has_order(node.value):
        wrong(node, "`value`", "a number, or a date such as 2026-11-21", section.findings)
    else:
        return node.value
    return None


def _has_order(value: ScalarValue) -> bool:
    """Say whether something can be greater or less than `value`."""
    if isinstance(value, str):
        return is_date(value) or _NUMBER.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)
