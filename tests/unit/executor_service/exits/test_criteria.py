"""exit_criteria: each criterion, and all of them together."""

from __future__ import annotations

import pytest

from executor_service.exits.decision import STAY, CriteriaCheck, check_criteria, judge_exit
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.field_reader import Assessment

CALM = CustomCondition(variable="情绪", operator=ConditionOperator.EQUAL, value="平静")
OLD = CustomCondition(variable="年龄", operator=ConditionOperator.GREATER_OR_EQUAL, value=18)


def check(
    criteria: ExitCriteria,
    *,
    level: float | None = None,
    asks: bool | None = None,
    **variables: JsonValue,
) -> CriteriaCheck:
    """Hold criteria against an assessment and variables."""
    inputs = ExitInputs(
        round=1,
        max_rounds=3,
        assessment=Assessment(understanding_level=level, has_questions=asks),
        lookup=variables.get,
    )
    return check_criteria(criteria, inputs)


@pytest.mark.parametrize(("level", "met"), [(79, False), (80, True), (100, True), (0, False)])
def test_understanding(level: float, met: bool) -> None:  # noqa: FBT001 - a table
    """The level the model gave must reach the author's threshold."""
    assert check(ExitCriteria(understanding_threshold=80), level=level).met is met


def test_zero_threshold_is_one() -> None:
    """A threshold of 0 is a criterion like any other: it needs an assessment."""
    criteria = ExitCriteria(understanding_threshold=0)
    assert check(criteria, level=0).met
    assert not check(criteria).met


@pytest.mark.parametrize(("asks", "met"), [(True, False), (False, True)])
def test_open_questions(asks: bool, met: bool) -> None:  # noqa: FBT001 - a table
    """Where open questions do not permit an exit, there must be none."""
    assert check(ExitCriteria(has_questions=False), asks=asks).met is met


@pytest.mark.parametrize(
    ("required", "met"), [((), False), (("甲",), True), (("甲", "乙"), False), (("乙",), False)]
)
def test_known_outputs(required: tuple[str, ...], met: bool) -> None:  # noqa: FBT001 - a table
    """All that is required is known; where nothing is required, the criterion never holds."""
    inputs = ExitInputs(round=1, max_rounds=3, required=required, known={"甲"}.__contains__)
    assert check_criteria(ExitCriteria(outputs_known=True), inputs).met is met


@pytest.mark.parametrize("asks", [True, False, None])
def test_permitted_questions_keep_nothing(asks: bool | None) -> None:  # noqa: FBT001 - a table
    """Where open questions permit an exit, they are no obstacle."""
    criteria = ExitCriteria(has_questions=True, understanding_threshold=50)
    assert check(criteria, level=60, asks=asks).met


@pytest.mark.parametrize(
    "criteria", [ExitCriteria(), ExitCriteria(min_rounds=2), ExitCriteria(has_questions=True)]
)
def test_nothing_to_meet(criteria: ExitCriteria) -> None:
    """Criteria that demand nothing are not met by that."""
    assert check(criteria, level=100, asks=False) == CriteriaCheck(met=False)


def test_variables_stand_in() -> None:
    """Without an assessment, variables of these names answer."""
    criteria = ExitCriteria(understanding_threshold=80, has_questions=False)
    assert check(criteria, understanding_level="85", has_questions="false").met


def test_assessment_wins() -> None:
    """The assessment of this round counts before a variable of that name."""
    assert not check(ExitCriteria(understanding_threshold=80), level=10, understanding_level=90).met


@pytest.mark.parametrize(
    ("criteria", "field"),
    [
        (ExitCriteria(understanding_threshold=80), "assessment.understanding_level"),
        (ExitCriteria(has_questions=False), "assessment.has_questions"),
    ],
)
def test_missing_assessment_is_recorded(criteria: ExitCriteria, field: str) -> None:
    """A reply without the assessment meets nothing and says so."""
    checked = check(criteria)
    assert not checked.met
    assert [(d.reason, d.metadata) for d in checked.degradations] == [
        ("ASSESSMENT_MISSING", {"field": field})
    ]


def test_silent_client() -> None:
    """Criteria wait for a word of the client's, and that they wait is no fault (C9)."""
    judged = judge_exit(
        ExitInputs(
            round=1,
            max_rounds=3,
            criteria=ExitCriteria(understanding_threshold=0, has_questions=False),
            client_has_spoken=False,
        )
    )
    assert (judged.decision, judged.degradations) == (STAY, ())


def test_all_must_hold() -> None:
    """One criterion that fails is enough to stay."""
    criteria = ExitCriteria(understanding_threshold=80, custom_conditions=(CALM, OLD))
    assert check(criteria, level=80, 情绪="平静", 年龄=18).met
    assert not check(criteria, level=80, 情绪="平静", 年龄=17).met
    assert not check(criteria, level=79, 情绪="平静", 年龄=18).met


def test_unset_variable_waits() -> None:
    """A variable without a value meets nothing yet; that is no degradation."""
    checked = check(ExitCriteria(custom_conditions=(CALM,)))
    assert (checked.met, checked.degradations) == (False, ())


def test_incomparable_is_recorded() -> None:
    """A value that cannot be compared meets nothing and is recorded, without the value itself."""
    checked = check(ExitCriteria(custom_conditions=(OLD,)), 年龄="三十出头")
    (trouble,) = checked.degradations
    assert not checked.met
    assert (trouble.stage, trouble.reason) == ("script", "CONDITION_NOT_COMPARABLE")
    assert trouble.metadata == {
        "variable": "年龄",
        "operator": ">=",
        "variable_type": "string",
        "value_type": "number",
    }


def test_reason_names_the_criteria() -> None:
    """The reason is what the author demanded, never what a variable holds."""
    criteria = ExitCriteria(
        understanding_threshold=80, has_questions=False, custom_conditions=(OLD,)
    )
    checked = check(criteria, level=93, asks=False, 年龄=41)
    assert checked.reason == "理解程度达到 80；没有疑问；年龄 >= 18"
