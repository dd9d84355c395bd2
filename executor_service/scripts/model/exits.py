"""What may end an action: criteria and policy (document 001 section 3.2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from executor_service.scripts.model.kinds import WORD, ReadVariable, Scalar, refusal
from executor_service.scripts.model.mapping import AsWritten, Needs, Wanted, mapping
from executor_service.scripts.model.wording import hint, quoted
from heartrule.domain.exits import DecisionSource
from heartrule.words.words import Said, say

Rounds: TypeAlias = Annotated[int, Ge(1)]
"""How many rounds an action has at most."""


class ConditionOperator(StrEnum):
    """How a custom condition compares a variable with its value (document 001 section 3.2.2)."""

    EQUAL = "=="
    NOT_EQUAL = "!="
    GREATER = ">"
    LESS = "<"
    GREATER_OR_EQUAL = ">="
    LESS_OR_EQUAL = "<="
    CONTAINS = "contains"


def _operator(written: object) -> object:
    known = [*ConditionOperator]
    if isinstance(written, str) and not written.strip():  # `operator: >` begins a block text
        raise PydanticCustomError("string_too_short", "blank")
    if written not in known:
        raise refusal("bad_operator", known=tuple(known))
    return written


def _source(written: object) -> object:
    known = [*DecisionSource]
    if written in known:
        return written
    shown: Said = say("kind.list") if isinstance(written, list) else say("kind.mapping")
    if not isinstance(written, list | dict):
        shown = quoted(str(written))
    advice = hint(str(written), known, say("hint.known", known=tuple(known)))
    raise refusal("bad_source", shown=shown, hint=advice)


@mapping(
    say("what.custom_condition"),
    item="- {variable: …, operator: '==', value: …}",
    definition="custom_condition",
)
class CustomCondition:
    """A comparison that must hold before the criteria are met."""

    variable: ReadVariable
    operator: Annotated[
        ConditionOperator,
        WORD,
        BeforeValidator(_operator),
        Needs(say("advice.operator")),
    ]
    value: Annotated[Scalar, Wanted(say("wanted.scalar"))]


@mapping("`exit_criteria`", definition="exit_criteria")
class ExitCriteria:
    """All that must hold before an action may end by criteria; None and () ask for nothing."""

    understanding_threshold: Annotated[float, Ge(0), Le(100)] | None = None
    has_questions: bool | None = None
    """True allows an exit while the client has questions, false does not (document 001)."""
    outputs_known: bool = False
    """The client has given all that the ai_ask requires; never holds where it requires nothing."""
    min_rounds: Annotated[int, Ge(1)] | None = None
    """Rounds before criteria or a suggestion of the model may end the action."""
    custom_conditions: tuple[CustomCondition, ...] = ()


_GATHERS_NOTHING = say("why.gathers_nothing")


@mapping(
    say("what.criteria_of", kind="ai_say"),
    definition="exit_criteria_ai_say",
    why_not={"outputs_known": _GATHERS_NOTHING},
)
class SayCriteria:
    """The criteria an ai_say may have."""

    understanding_threshold: Annotated[float, Ge(0), Le(100)] | None = None
    has_questions: bool | None = None
    min_rounds: Annotated[int, Ge(1)] | None = None
    custom_conditions: tuple[CustomCondition, ...] = ()


_NOT_OF_A_FORM = say("why.not_of_a_form")


@mapping(
    say("what.criteria_of", kind="fill_form"),
    definition="exit_criteria_fill_form",
    why_not=dict.fromkeys(
        ("understanding_threshold", "has_questions", "outputs_known"), _NOT_OF_A_FORM
    ),
)
class FormCriteria:
    """The criteria a form may have."""

    min_rounds: Annotated[int, Ge(1)] | None = None
    custom_conditions: tuple[CustomCondition, ...] = ()


@mapping(
    say("what.criteria_of", kind="ai_agent"),
    definition="exit_criteria_ai_agent",
    why_not={
        **dict.fromkeys(("understanding_threshold", "has_questions"), say("why.nobody_judges")),
        "outputs_known": say("why.goal_is_not_outputs"),
    },
)
class AgentCriteria:
    """The criteria an agent may have."""

    min_rounds: Annotated[int, Ge(1)] | None = None
    custom_conditions: tuple[CustomCondition, ...] = ()


@mapping(
    "`exit_policy`",
    definition="exit_policy",
    aliases={"sources": "enabled_sources", "enabled": "enabled_sources"},
)
class ExitPolicyKeys:
    """Which of the four sources may end an action."""

    enabled_sources: Annotated[
        tuple[
            Annotated[
                DecisionSource, WORD, BeforeValidator(_source), AsWritten((bool, int, float))
            ],
            ...,
        ],
        Needs(say("advice.sources")),
    ]
