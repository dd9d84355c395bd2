"""fill_form: every mistake in a form at its place, and what a right one becomes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField
from heartrule.domain.output_type import OutputType

Load = Callable[..., LoadResult]

FIELD_MISTAKES = [
    # a field, how far into it the mistake stands, what is said
    ("{label: x}", 0, "a field needs `name`"),
    ("兴趣", 0, "write - {name: 兴趣, label: …}"),
    ("{name: 1a}", 7, "cannot name a variable"),
    ("{name: EXIT}", 7, "a field of the model's own reply"),
    ("{id: a}", 1, "write `name`"),
    ("{name: a, type: int}", 16, "write one of text, number"),
    ("{name: a, type: choise, options: [b]}", 16, "did you mean `choice`?"),
    ("{name: a, type: choice}", 0, "needs `options`"),
    ("{name: a, options: [b]}", 19, "belong to a choice or a scale"),
    ("{name: a, type: choice, options: [b, b]}", 37, "stands here twice"),
    ("{name: a, type: scale}", 0, "a field needs `min`"),
    ("{name: a, type: scale, min: 0, max: 2.5}", 36, "write a whole number"),
    ("{name: a, type: scale, min: 3, max: 3}", 36, "`max` 3 is not above `min` 3"),
    ("{name: a, type: scale, min: 0, max: 101}", 36, "at most 101 steps"),
    ("{name: a, type: scale, min: 0, max: 3, options: [b]}", 48, "1 word for the 4 steps"),
    ("{name: a, type: number, min: 3, max: 1}", 37, "is not above"),
    ("{name: a, type: number, min: low}", 29, "write a number"),
    ("{name: a, min: 0}", 10, "belongs to a number, an integer or a scale"),
    ("{name: a, required: 是}", 20, "write true or false"),
    ("{name: a, safety_item: true}", 0, "a field needs `safety_values`"),
    ("{name: a}, {name: a}", 11, "the field `a` stands here twice"),
]


@pytest.mark.parametrize(("field", "offset", "said"), FIELD_MISTAKES)
def test_a_mistake_in_a_field_is_told_at_its_place(
    load_config: Load, field: str, offset: int, said: str
) -> None:
    """Names, types, options and bounds are checked when the script is loaded."""
    errors = load_config("fill_form", f"form:\n  title: 量表\n  fields: [{field}]").errors
    assert errors[0].where == f"s.yaml:13:{22 + offset}"
    assert said in errors[0].message


FORM_MISTAKES = [
    ("content: x", "11:11", "fill_form needs `form`"),
    ("form: 量表", "11:17", "write a mapping with title, fields"),
    ("form: {fields: [{name: a}]}", "11:17", "`form` needs `title`"),
    ("form: {title: x}", "11:17", "`form` needs `fields`"),
    ("form: {title: x, fields: []}", "11:28", "`fields` is empty"),
    ("fields: [{name: a}]", "11:11", "`fields` belongs to `form`, not to fill_form"),
    (
        "form: {title: x, fields: [{name: a}]}\nexit_criteria: {has_questions: false}",
        "12:27",
        "nobody judges understanding",
    ),
    ("form: {title: x, fields: [{name: a}]}\nmax_rounds: 0", "12:23", "at least 1"),
]


@pytest.mark.parametrize(("config", "place", "said"), FORM_MISTAKES)
def test_a_mistake_in_a_form_is_told_at_its_place(
    load_config: Load, config: str, place: str, said: str
) -> None:
    """The form itself, and the keys beside it."""
    errors = load_config("fill_form", config).errors
    assert errors[0].where == f"s.yaml:{place}"
    assert said in errors[0].message


def test_a_field_that_contradicts_its_declaration_is_an_error(load: Load) -> None:
    """A scale gives a whole number."""
    result = load("""\
        session:
          session_id: s
          declare: [{var: 睡眠, type: text}]
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions:
              - {action_type: fill_form, action_id: a,
                 form: {title: x, fields: [{name: 睡眠, type: scale, min: 0, max: 3}]}}
        """)
    (error,) = result.errors
    assert (error.line, "type scale gives integer" in error.message) == (10, True)


def test_a_right_form_becomes_fields_and_outputs(load_config: Load) -> None:
    """A scale is an integer; a choice keeps its options; optional fields say so."""
    config = (
        "form:\n  title: 量表\n  fields:\n"
        "  - {name: 甲, label: 第一题, type: scale, min: 0, max: 3}\n"
        "  - {name: 乙, type: choice, options: [是, 否], required: false}\n"
    )
    script = load_config("fill_form", config).script
    assert script is not None
    form = script.phases[0].topics[0].actions[0].config
    assert isinstance(form, FormConfig)
    assert form.fields[0] == FormField(
        name="甲", label="第一题", type=FieldType.SCALE, min=0.0, max=3.0
    )
    assert not form.fields[1].required
    assert [output.type for output in form.output] == [OutputType.INTEGER, OutputType.CHOICE]


def test_a_field_without_a_type_has_that_of_its_declaration(load: Load) -> None:
    """As outputs do."""
    result = load("""\
        session:
          session_id: s
          declare: [{var: 睡眠, type: number}]
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions:
              - {action_type: fill_form, action_id: a, form: {title: x, fields: [{name: 睡眠}]}}
        """)
    assert result.script is not None
    form = result.script.phases[0].topics[0].actions[0].config
    assert isinstance(form, FormConfig)
    assert form.fields[0].type is FieldType.NUMBER
