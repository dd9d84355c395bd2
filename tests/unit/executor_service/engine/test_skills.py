"""What goes into a skill and what comes out."""

from __future__ import annotations

from dataclasses import replace

from executor_service.engine.skills import handed_in, handed_out
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.fields import SkillInput, SkillOutput
from executor_service.scripts.model.script import InputParameter
from heartrule.domain.output_type import OutputType
from tests.support.engine_builders import ask, known, reasons
from tests.support.plan_builders import technique

TAKES = (
    InputParameter(name="焦点"),
    InputParameter(name="次数", type=OutputType.INTEGER),
    InputParameter(name="程度", type=OutputType.CHOICE),
)
BREATH = replace(technique("breath", ask()), input_parameters=TAKES)


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
    assert handed_in(given("程度", "很高"), BREATH, outside, {}).values == {"程度": "很高"}


def test_an_input_that_does_not_convert_stays_unset() -> None:
    """It is told, without the value."""
    handed = handed_in(given("次数", "很多"), BREATH, known({}), {})
    assert handed.values == {}
    assert reasons(handed.degradations) == ["INPUT_NOT_CONVERTED"]


def test_an_input_nothing_fills_is_not_given() -> None:
    """What the technique declares counts then; where words are left, they are the input."""
    handed = handed_in(given("焦点", "{谁}"), BREATH, known({}), {})
    assert handed.values == {}
    assert reasons(handed.degradations) == ["PLACEHOLDER_EMPTY"]
    assert handed_in(given("焦点", "{谁}的手"), BREATH, known({}), {}).values == {"焦点": "的手"}


def test_an_empty_text_is_a_value() -> None:
    """Written so, or held by a variable; but no number is empty."""
    outside = known({"空": ""})
    assert handed_in(given("焦点", ""), BREATH, outside, {}).values == {"焦点": ""}
    assert handed_in(given("焦点", "{空}"), BREATH, outside, {}).values == {"焦点": ""}
    handed = handed_in(given("次数", "{空}"), BREATH, outside, {})
    assert (handed.values, reasons(handed.degradations)) == ({}, ["INPUT_NOT_CONVERTED"])


def test_outputs_bear_their_names_outside() -> None:
    """0, false and "" are values; what the skill never set stays unset and is told."""
    outputs = (
        SkillOutput(get="效果", source="感受"),
        SkillOutput(get="分数", source="score"),
        SkillOutput(get="备注", source="note"),
    )
    inside = known({"感受": "", "score": 0})
    held = {each.name: each for name in ("感受", "score") for each in inside.named(name)}
    yielded, found = handed_out(SkillConfig(skill="breath", outputs=outputs), held)
    assert {name: each.value for name, each in yielded.items()} == {"效果": "", "分数": 0}
    assert [each.metadata["variable"] for each in found] == ["note"]
