"""How an action may end: exit_criteria and exit_policy (document 001 section 3.2)."""

from __future__ import annotations

import re

from executor_service.exits.policy import criteria_of
from executor_service.scripts.checking.environment import ASSESSMENT
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ScalarValue
from executor_service.scripts.loading.wrong_values import wrong
from executor_service.scripts.model.actions import (
    ADVISED,
    INTERACTIVE,
    ActionConfig,
    ActionType,
    AskConfig,
    FormConfig,
    SayConfig,
)
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.exits import (
    AgentCriteria,
    ConditionOperator,
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.kinds import is_date
from executor_service.scripts.model.limits import Counted
from executor_service.scripts.model.mapping import keys_of
from executor_service.scripts.model.script import Action
from executor_service.scripts.model.settings import UNSAID
from heartrule.domain.exits import DecisionSource
from heartrule.words.words import say

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


def check_fewer_criteria(
    _section: Section, made: FormCriteria | SayCriteria | AgentCriteria, _reader: Reader
) -> ExitCriteria:
    """Return the criteria of an action that may have some only, as those of any action."""
    return ExitCriteria(
        **{key.attribute: getattr(made, key.attribute) for key in keys_of(type(made))}
    )


def check_condition(
    section: Section, made: CustomCondition, reader: Reader
) -> CustomCondition | None:
    """Return a comparison of a value that its operator can compare; None for any other."""
    node = section.node("value")
    reader.context.take(Counted.CONDITIONS, section.spot_of("variable"))
    if not made.variable or not isinstance(made.operator, ConditionOperator):
        return None
    if node is None or not section.fits("value"):
        return None
    if made.operator in ORDERED and not _has_order(made.value):
        wrong(node, "`value`", say("wanted.number_or_date"), section.findings)
        return None
    if made.operator in _ABOUT_ONE_VALUE and isinstance(made.value, str):
        reader.context.compared.append((made.variable, made.value.strip(), node))
    return made


def _has_order(value: ScalarValue) -> bool:
    """Return whether something can be greater or less than `value`."""
    if isinstance(value, str):
        return is_date(value) or _NUMBER.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_criteria(config: Section, made: AskConfig | SayConfig | FormConfig | AgentConfig) -> None:
    """Report criteria that name nothing; warn of those that `max_rounds` makes unreachable."""
    criteria = config.mapping("exit_criteria")
    if criteria is not None and criteria.is_empty:
        config.missing("exit_criteria", say("advice.criterion"))
    least = made.exit_criteria.min_rounds if made.exit_criteria is not None else None
    if least is not None and least > made.max_rounds:
        config.report(
            "rounds_out_of_reach", "exit_criteria", least=least, max_rounds=made.max_rounds
        )


def check_known(config: Section, made: AskConfig) -> None:
    """Warn of `outputs_known` where nothing is required: nothing could become known."""
    criteria, wanted = config.mapping("exit_criteria"), made.exit_criteria
    if criteria is not None and wanted and wanted.outputs_known and not made.required:
        criteria.report_key("nothing_to_know", "outputs_known")


def check_assessment(config: Section, reader: Reader) -> None:
    """Report criteria about understanding whose template's reply holds no assessment."""
    context, criteria = reader.context, config.mapping("exit_criteria")
    kind = ActionType.AI_ASK.value
    if criteria is None or ASSESSMENT in context.environment.asks(context.scheme, kind):
        return
    scheme = (
        say("what.of_scheme", scheme=context.scheme) if context.scheme else say("what.used_here")
    )
    for key in _ABOUT_CLIENT:
        if criteria.has(key):
            criteria.report_key(
                "needs_assessment", key, key=key, assessment=ASSESSMENT, kind=kind, scheme=scheme
            )


def check_policy(section: Section, made: ExitPolicyKeys, _reader: Reader) -> Sources | None:
    """Return the sources that may end an action; None where the author names none."""
    return frozenset(made.enabled_sources) if section.has("enabled_sources") else None


def check_action(section: Section, made: Action, _reader: Reader) -> Action:
    """Return an action that some source can end; settings that decide nothing are reported.

    One that no source could ever end is refused: it would hold its client for ever.
    """
    kind = made.action_type
    talkers = ", ".join(each for each in ActionType if each in INTERACTIVE)
    if made.strategy_engine and kind not in ADVISED:
        advised = ", ".join(sorted(ADVISED))
        section.report_key("idle_strategy_engine", "strategy_engine", advised=advised)
    if made.monitor != UNSAID and kind not in INTERACTIVE:
        section.report_key("idle_monitor", "monitor", talkers=talkers)
    if section.has("exit_policy") and kind not in INTERACTIVE:
        section.report_key("policy_of_no_talk", "exit_policy", talkers=talkers, kind=kind)
    policy = section.mapping("exit_policy")
    if policy is not None and not policy.broken and made.exit_sources is not None:
        _check_end(policy, made.exit_sources, made.config)
    return made


def _check_end(section: Section, sources: Sources, config: ActionConfig) -> None:
    """Report a policy under which nothing ends; warn of ends it leaves out."""
    key, has_criteria = "enabled_sources", _has_criteria(config)
    by_criteria_only = sources == {DecisionSource.EXIT_CRITERIA}
    by_known = isinstance(config, AskConfig) and _may_be_known(criteria_of(config), config)
    if not sources:
        section.report("nothing_ends_it", key, why=say("why.no_source"))
        return
    ends = has_criteria or by_known or isinstance(config, FormConfig)
    if by_criteria_only and not ends:
        section.report("nothing_ends_it", key, why=say("why.no_criteria"))
    if has_criteria and DecisionSource.EXIT_CRITERIA not in sources:
        section.report("idle_criteria", key)
    has_exit = isinstance(config, AskConfig | SayConfig) and config.exit
    if has_exit and not sources & {DecisionSource.EXIT_FLAG, DecisionSource.LLM_SUGGESTION}:
        section.report("idle_exit", key)


def _may_be_known(criteria: ExitCriteria | None, config: ActionConfig) -> bool:
    """Return whether an ask may end because all that it requires is known."""
    required = isinstance(config, AskConfig) and bool(config.required)
    return criteria is not None and criteria.outputs_known and required


def _has_criteria(config: ActionConfig) -> bool:
    """Return whether criteria name something that can hold; min_rounds alone only holds back."""
    if not isinstance(config, AskConfig | SayConfig | FormConfig | AgentConfig):
        return False
    criteria = config.exit_criteria
    return criteria is not None and bool(
        _may_be_known(criteria, config)
        or criteria.custom_conditions
        or criteria.has_questions is False
        or criteria.understanding_threshold is not None
    )
