"""How an action may end: exit_criteria and exit_policy (document 001 section 3.2)."""

from __future__ import annotations

import re

from executor_service.scripts.checking.environment import ASSESSMENT
from executor_service.scripts.loading.declaration_reader import is_date
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import ListNode, MapNode, ScalarValue
from executor_service.scripts.model.actions import (
    INTERACTIVE,
    ActionConfig,
    ActionType,
    AskConfig,
    FormConfig,
    SayConfig,
)
from executor_service.scripts.model.exits import (
    ConditionOperator,
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
)
from executor_service.scripts.model.mapping import shape_of
from heartrule.domain.exits import DecisionSource

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
"""Operators that compare what has an order: numbers and dates."""
Sources = frozenset[DecisionSource]
"""The sources that are enabled."""


def check_form_criteria(section: Section, made: FormCriteria, reader: Reader) -> ExitCriteria:
    """Return the criteria of a form as those of any action."""
    del section, reader
    return ExitCriteria(min_rounds=made.min_rounds, custom_conditions=made.custom_conditions)


def check_condition(
    section: Section, made: CustomCondition, reader: Reader
) -> CustomCondition | None:
    """Return a comparison of a value that its operator can compare; None for any other."""
    node = section.node("value")
    if not made.variable or not isinstance(made.operator, ConditionOperator):
        return None
    if node is None or not section.fits("value"):
        return None
    if made.operator in ORDERED and not _has_order(made.value):
        wrong(node, "`value`", "a number, or a date such as 2026-11-21", section.findings)
        return None
    if made.operator in _ABOUT_ONE_VALUE and isinstance(made.value, str):
        found = (made.variable, made.value.strip(), section.spot_of("value"))
        reader.spotter.context.compared.append(found)
    return made


def _has_order(value: ScalarValue) -> bool:
    """Return whether something can be greater or less than `value`."""
    if isinstance(value, str):
        return is_date(value) or _NUMBER.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_criteria(config: Section, made: AskConfig | SayConfig | FormConfig) -> None:
    """Report criteria that say nothing; warn of those that `max_rounds` forestalls."""
    criteria = config.mapping("exit_criteria")
    if criteria is not None and criteria.is_empty:
        config.missing("exit_criteria", "; leave it out or name a criterion")
    least = made.exit_criteria.min_rounds if made.exit_criteria is not None else None
    if least is not None and least > made.max_rounds:
        config.findings.report(
            "rounds_out_of_reach",
            config.spot_of("exit_criteria"),
            least=least,
            max_rounds=made.max_rounds,
        )


def check_assessment(config: Section, reader: Reader) -> None:
    """Report criteria about understanding whose template's reply holds no assessment."""
    context, criteria = reader.spotter.context, config.mapping("exit_criteria")
    kind = ActionType.AI_ASK.value
    if criteria is None or ASSESSMENT in context.environment.asks(context.scheme, kind):
        return
    scheme = f"of scheme `{context.scheme}`" if context.scheme else "used here"
    for key in _ABOUT_CLIENT:
        if criteria.has(key):
            criteria.findings.report(
                "needs_assessment",
                criteria.key_spot(key),
                key=key,
                assessment=ASSESSMENT,
                kind=kind,
                scheme=scheme,
            )


def read_exit_policy(
    action: Section, config: ActionConfig, kind: ActionType, reader: Reader
) -> Sources | None:
    """Return the sources that may end the action; None where the author leaves them alone.

    An action that no source could ever end is refused: it would hold its client for ever.
    """
    node = action.node("exit_policy")
    if node is None:
        return None
    if kind not in INTERACTIVE:
        talkers = ", ".join(each for each in ActionType if each in INTERACTIVE)
        action.findings.report(
            "policy_of_no_talk", action.key_spot("exit_policy"), talkers=talkers, kind=kind.value
        )
        return None
    shape = shape_of(ExitPolicyKeys)
    if not isinstance(node, MapNode):
        wrong(node, "`exit_policy`", f"a mapping with {', '.join(shape.keys)}", action.findings)
        return None
    section = Section(node, shape, action.findings)
    policy = reader.part(ExitPolicyKeys, section)
    found = frozenset(policy.enabled_sources)
    if isinstance(section.node("enabled_sources"), ListNode) and not section.broken:
        _check_end(section, found, config)
        if found:
            _check_use(section, found, config)
    return found if section.has("enabled_sources") else None


def _check_end(section: Section, sources: Sources, config: ActionConfig) -> None:
    if sources - {DecisionSource.EXIT_CRITERIA}:
        return
    if sources and (isinstance(config, FormConfig) or _has_criteria(config)):
        return
    why = "no source is left" if not sources else "it has no exit_criteria that could be met"
    section.findings.report("nothing_ends_it", section.spot_of("enabled_sources"), why=why)


def _check_use(section: Section, sources: Sources, config: ActionConfig) -> None:
    """Warn of what an author wrote about ends that this policy leaves out."""
    spot = section.spot_of("enabled_sources")
    if _has_criteria(config) and DecisionSource.EXIT_CRITERIA not in sources:
        section.findings.report("idle_criteria", spot)
    has_exit = isinstance(config, AskConfig | SayConfig) and config.exit
    if has_exit and not sources & {DecisionSource.EXIT_FLAG, DecisionSource.LLM_SUGGESTION}:
        section.findings.report("idle_exit", spot)


def _has_criteria(config: ActionConfig) -> bool:
    """Return whether criteria name something that can hold; min_rounds alone only holds back."""
    if not isinstance(config, AskConfig | SayConfig | FormConfig):
        return False
    criteria = config.exit_criteria
    return criteria is not None and bool(
        criteria.custom_conditions
        or criteria.has_questions is False
        or criteria.understanding_threshold is not None
    )
