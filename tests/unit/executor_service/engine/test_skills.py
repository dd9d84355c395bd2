"""What goes into a skill and what comes out."""

from __future__ import annotations

from executor_service.engine.skills import handed_in, handed_out
from executor_service.scripts.configs import SkillConfig, SkillInput, SkillOutput
from executor_service.scripts.model import Declaration
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope
from tests.support.engine_builders import PLACE, ask, known, reasons
from tests.support.plan_builders import technique

DECLARED = Declaration(var="次数", scope=VariableScope.TOPIC, type=OutputType.INTEGER, place=PLACE)
BREATH = technique("breath", ask(), declarations=(DECLARED,))


def given(name: str, value: str | int) -> SkillConfig:
    """Return a use of the technique with one input."""
    return SkillConfig(skill="breath", input=(SkillInput(name=name, value=value),))


def test_a_text_is_filled_from_outside() -> None:
    """Script and system variables are put in once; what they say is not read again."""
    outside = known({"情绪": "{task}"})
    handed = handed_in(given("焦点", "{情绪}，{who}"), BREATH, outside, {"who": "小禾"})
    assert handed.values == {"焦点": "{task}，小禾"}


def test_an_input_has_the_type_the_technique_gives_it() -> None:
    """Inside, conditions rely on declared types; a name without one is text."""
    outside = known({"n": 3})
    assert handed_in(given("次数", "{n}"), BREATH, outside, {}).values == {"次数": 3}
    assert handed_in(given("焦点", 3), BREATH, outside, {}).values == {"焦点": "3"}


def test_an_input_that_does_not_convert_stays_unset() -> None:
    """It is told, without the value."""
    handed = handed_in(given("次数", "很多"), BREATH, known({}), {})
    assert handed.values == {}
    assert reasons(handed.degradations) == ["INPUT_NOT_CONVERTED"]


def test_a_placeholder_nothing_fills_is_told() -> None:
    """The input is what is left of its text."""
    handed = handed_in(given("焦点", "{谁}"), BREATH, known({}), {})
    assert handed.values == {"焦点": ""}
    assert reasons(handed.degradations) == ["PLACEHOLDER_EMPTY"]


def test_outputs_bear_their_names_outside() -> None:
    """0, false and "" are values; what the skill never set stays unset and is told."""
    outputs = (
        SkillOutput(get="效果", source="感受"),
        SkillOutput(get="分数", source="score"),
        SkillOutput(get="备注", source="note"),
    )
    handed = handed_out(SkillConfig(skill="breath", outputs=outputs), {"感受": "", "score": 0})
    assert handed.values == {"效果": "", "分数": 0}
    assert [each.metadata["variable"] for each in handed.degradations] == ["note"]
